"""The two clients: they send what `exchange` made, and wait as long as it says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Self, TypeVar

import httpx

from ludoscore_client import models
from ludoscore_client.calls import AsyncCalls, Calls
from ludoscore_client.exchange import Attempts, Caller, part
from ludoscore_client.listening import SILENCE, Change, Listener

Row = TypeVar("Row")
ATTEMPTS = 5
PATIENCE = 60.0  # seconds that all pauses of a request together may take
TIMEOUT = 10.0
LOOK_AGAIN = 0.3  # seconds


class Ludoscore(Calls):
    """The API of one service, with one credential or none."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        attempts: int = ATTEMPTS,
        patience: float = PATIENCE,
        http: httpx.Client | None = None,
    ) -> None:
        self._caller = Caller(url, token)
        self._attempts, self._patience = attempts, patience
        self._http = http or httpx.Client(timeout=TIMEOUT)

    def with_token(self, token: str | None) -> Ludoscore:
        """Return the same service for another caller: a player's `lse_…`, a table's `lst_…`, or None for nobody."""
        url = self._caller.url
        return Ludoscore(url, token, attempts=self._attempts, patience=self._patience, http=self._http)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, also those of callers made by `with_token`."""
        self._http.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        keyed: bool = False,
    ) -> Any:
        """Make any call under /api/v1/ and return the answer; raises Problem.

        `keyed` sends an Idempotency-Key along, so that a POST may be repeated.
        """
        request = self._caller.request(method, path, body=body, query=query, headers=headers, keyed=keyed)
        safe = keyed or method in {"GET", "PUT"}
        attempts = Attempts(safe=safe, most=self._attempts, patience=self._patience)
        while True:
            try:
                response = self._http.send(request)
            except httpx.TransportError as error:
                wait = attempts.wait_after(error)
                if wait is None:
                    raise
            else:
                wait = attempts.wait_after(response)
                if wait is None:
                    return self._caller.answer(request, response)
            time.sleep(wait)

    def rows(self, page: models.Page[Row]) -> Iterator[Row]:
        """Yield every row of a list, from a page of it on; the pages after it are fetched as they are needed."""
        yield from page["results"]
        while page["next"]:
            page = self.request("GET", self._caller.path_of(page["next"]))
            yield from page["results"]

    def stream(self, event: str, last_id: str = "") -> Iterator[Change]:
        """Yield what changes of an event until it is over; comes back by itself, and misses nothing."""
        listener = Listener(last_id, attempts=self._attempts, patience=self._patience)
        address = str(self._caller.request("GET", f"events/{part(event)}/stream/").url)
        timeout = httpx.Timeout(TIMEOUT, read=SILENCE)
        while True:
            headers = self._caller.headers() | listener.headers()
            try:
                with self._http.stream("GET", address, headers=headers, timeout=timeout) as response:
                    if response.status_code == 204:
                        return
                    if response.status_code == 200:
                        for line in response.iter_lines():
                            if change := listener.hear(line):
                                yield change
                        wait = listener.wait_after_end()
                    else:
                        response.read()
                        wait = listener.wait_after(response)
            except httpx.TransportError as error:
                wait = listener.wait_after(error)
            time.sleep(wait)

    def settled_standings(self, event: str, *, patience: float = 30) -> models.StandingsOutput:
        """Read the standings once everything reported so far is in them."""
        end = time.monotonic() + patience
        while not (standings := self.standings_retrieve(event))["up_to_date"] and time.monotonic() < end:
            time.sleep(LOOK_AGAIN)
        return standings


class AsyncLudoscore(AsyncCalls):
    """The same, awaited."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        attempts: int = ATTEMPTS,
        patience: float = PATIENCE,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._caller = Caller(url, token)
        self._attempts, self._patience = attempts, patience
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT)

    def with_token(self, token: str | None) -> AsyncLudoscore:
        """Return the same service for another caller: a player's `lse_…`, a table's `lst_…`, or None for nobody."""
        url = self._caller.url
        return AsyncLudoscore(url, token, attempts=self._attempts, patience=self._patience, http=self._http)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections, also those of callers made by `with_token`."""
        await self._http.aclose()

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        keyed: bool = False,
    ) -> Any:
        """Make any call under /api/v1/ and return the answer; raises Problem.

        `keyed` sends an Idempotency-Key along, so that a POST may be repeated.
        """
        request = self._caller.request(method, path, body=body, query=query, headers=headers, keyed=keyed)
        safe = keyed or method in {"GET", "PUT"}
        attempts = Attempts(safe=safe, most=self._attempts, patience=self._patience)
        while True:
            try:
                response = await self._http.send(request)
            except httpx.TransportError as error:
                wait = attempts.wait_after(error)
                if wait is None:
                    raise
            else:
                wait = attempts.wait_after(response)
                if wait is None:
                    return self._caller.answer(request, response)
            await asyncio.sleep(wait)

    async def rows(self, page: models.Page[Row]) -> AsyncIterator[Row]:
        """Yield every row of a list, from a page of it on; the pages after it are fetched as they are needed."""
        for row in page["results"]:
            yield row
        while page["next"]:
            page = await self.request("GET", self._caller.path_of(page["next"]))
            for row in page["results"]:
                yield row

    async def stream(self, event: str, last_id: str = "") -> AsyncIterator[Change]:
        """Yield what changes of an event until it is over; comes back by itself, and misses nothing."""
        listener = Listener(last_id, attempts=self._attempts, patience=self._patience)
        address = str(self._caller.request("GET", f"events/{part(event)}/stream/").url)
        timeout = httpx.Timeout(TIMEOUT, read=SILENCE)
        while True:
            headers = self._caller.headers() | listener.headers()
            try:
                async with self._http.stream("GET", address, headers=headers, timeout=timeout) as response:
                    if response.status_code == 204:
                        return
                    if response.status_code == 200:
                        async for line in response.aiter_lines():
                            if change := listener.hear(line):
                                yield change
                        wait = listener.wait_after_end()
                    else:
                        await response.aread()
                        wait = listener.wait_after(response)
            except httpx.TransportError as error:
                wait = listener.wait_after(error)
            await asyncio.sleep(wait)

    async def settled_standings(self, event: str, *, patience: float = 30) -> models.StandingsOutput:
        """Read the standings once everything reported so far is in them."""
        end = time.monotonic() + patience
        while not (standings := await self.standings_retrieve(event))["up_to_date"] and time.monotonic() < end:
            await asyncio.sleep(LOOK_AGAIN)
        return standings
