"""What goes over the wire and what comes back, without sending anything: both clients share it."""

from __future__ import annotations

import datetime as dt
import email.utils
import json
import random
import urllib.parse
import uuid
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import httpx

FIRST_PAUSE = 0.5  # seconds before the second attempt, twice as long before each after it
WORTH_A_RETRY = {429, 502, 503, 504}
KEPT_ANSWERS = 256
API = "/api/v1/"


class Problem(Exception):  # noqa: N818 -- what RFC 9457 calls it
    """An answer that says no: `code` is stable, `detail` is for people, `errors` list single faults."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.body = _body_of(response)
        self.code, self.detail = str(self.body.get("code", "")), str(self.body.get("detail", ""))
        self.errors: list[dict[str, Any]] = self.body.get("errors", [])
        self.retry_after = retry_after(response)
        super().__init__(f"{self.status} {self.code}: {self.detail}")


def _body_of(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:  # a proxy on the way said it in its own words
        body = None
    if isinstance(body, dict):
        return body
    moved = response.headers.get("Location")
    return {"detail": f"moved to {moved}" if moved else response.reason_phrase}


def retry_after(response: httpx.Response) -> float | None:
    """Return for how many seconds an answer asks to wait, by a number or a date."""
    text = response.headers.get("Retry-After", "")
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    now = dt.datetime.now(moment.tzinfo or dt.UTC)
    return max(0.0, (moment.replace(tzinfo=now.tzinfo) - now).total_seconds())


def part(value: object) -> str:
    """Return a value as one part of a path: an id that came from elsewhere never leads to another call."""
    text = str(value)
    if text in {"", ".", ".."}:
        raise ValueError(f"{text!r} cannot be a part of an address")
    return urllib.parse.quote(text, safe="")


class Attempts:
    """Decide after each attempt of a request whether to send it again, and when.

    A request that is `safe` may have been done already. Of others, which the service would do twice, only those are
    sent again that it has certainly not seen or has turned away at the door.
    """

    def __init__(self, *, safe: bool, most: int, patience: float) -> None:
        self.safe, self.left, self.patience = safe, most - 1, patience
        self.pause = FIRST_PAUSE

    def wait_after(self, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Return the seconds until the next attempt, or None where this outcome is the last."""
        if self.left <= 0 or not self._is_worth_it(outcome):
            return None
        asked = retry_after(outcome) if isinstance(outcome, httpx.Response) else None
        wait = self.pause * random.uniform(0.75, 1.25) if asked is None else asked
        if wait > self.patience:
            return None
        self.left, self.patience, self.pause = self.left - 1, self.patience - wait, self.pause * 2
        return wait

    def _is_worth_it(self, outcome: httpx.Response | httpx.TransportError) -> bool:
        if isinstance(outcome, httpx.TransportError):
            return self.safe or isinstance(outcome, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        if outcome.status_code == 409:
            return self.safe and _body_of(outcome).get("code") == "idempotency-running"
        return outcome.status_code == 429 or (self.safe and outcome.status_code in WORTH_A_RETRY)


class Caller:
    """One service and one credential: makes requests, and reads answers."""

    def __init__(self, url: str, token: str | None) -> None:
        self.url, self.token = url.rstrip("/"), token
        self._known: OrderedDict[str, tuple[str, Any]] = OrderedDict()  # by address: entity tag and answer

    def headers(self) -> dict[str, str]:
        """Return what every request says."""
        return {"Accept": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        keyed: bool = False,
    ) -> httpx.Request:
        """Return a request of a path under /api/v1/."""
        url = httpx.URL(self.url + API + path)
        if asked := {name: _text(value) for name, value in (query or {}).items() if value is not None}:
            url = url.copy_merge_params(asked)
        sent = self.headers() | {name: value for name, value in (headers or {}).items() if value is not None}
        if keyed:
            sent["Idempotency-Key"] = str(uuid.uuid4())
        if method == "GET" and (known := self._known.get(str(url))):
            sent["If-None-Match"] = known[0]
        return httpx.Request(method, url, headers=sent, json=body)

    def answer(self, request: httpx.Request, response: httpx.Response) -> Any:
        """Return what an answer says; raises Problem where it says no."""
        address = str(request.url)
        if response.status_code == 304 and address in self._known:
            return self._known[address][1]
        if not response.is_success:
            raise Problem(response)
        value = _value_of(response)
        if request.method == "GET" and (tag := response.headers.get("ETag")):
            self._known[address] = (tag, value)
            self._known.move_to_end(address)
            while len(self._known) > KEPT_ANSWERS:
                self._known.popitem(last=False)
        return value

    def path_of(self, address: str) -> str:
        """Return the path of a page that an answer points to: a credential goes to no other service."""
        parts = urllib.parse.urlsplit(address)
        _, found, path = parts.path.partition(API)
        if not found:
            raise ValueError(f"{address} is no address of the API")
        return path + (f"?{parts.query}" if parts.query else "")


def _text(value: Any) -> Any:
    """Return a value of a query as the API writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return [_text(each) for each in value] if isinstance(value, list | tuple) else str(value)


def _value_of(response: httpx.Response) -> Any:
    if not response.content:
        return None
    if response.headers.get("Content-Type", "").startswith("application/x-ndjson"):
        return [json.loads(line) for line in response.text.splitlines() if line]
    return response.json()
