"""Read a stream of server-sent events, and come back where it ended, without sending anything."""

from __future__ import annotations

import json
from typing import NamedTuple

import httpx

from ludoscore_client.exchange import Attempts, Problem

SILENCE = 45.0  # seconds without a sign of life after which a stream is given up; one comes every fifteen
SHORTEST, LONGEST = 1.0, 15.0  # seconds before coming back


class Change(NamedTuple):
    """Something of an event changed: `what` has names out of event, entries, round, tables and standings."""

    id: str
    version: int
    what: list[str]


class Listener:
    """What a stream has said, and what it takes to hear the rest."""

    def __init__(self, last_id: str, *, attempts: int, patience: float) -> None:
        self.last_id, self._most, self._patience = last_id, attempts, patience
        self._pause = SHORTEST
        self._begin()
        self._attempts = self._fresh()

    def _fresh(self) -> Attempts:
        return Attempts(safe=True, most=self._most, patience=self._patience)

    def _begin(self) -> None:
        self._id, self._data = "", list[str]()

    def headers(self) -> dict[str, str]:
        """Return what a request for the stream says beside the credential."""
        return {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.last_id} if self.last_id else {})

    def hear(self, line: str) -> Change | None:
        """Take a line in; return the message that it completes."""
        if not line:
            change = self._message()
            self._begin()
            return change
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)
        return None

    def _message(self) -> Change | None:
        if not self._data:
            return None
        data = json.loads("\n".join(self._data))
        self.last_id = self._id or self.last_id
        self._pause, self._attempts = SHORTEST, self._fresh()
        return Change(self.last_id, data["version"], data["what"])

    def wait_after_end(self) -> float:
        """Return the seconds before coming back to a stream that ended by itself; longer where it said nothing."""
        self._begin()
        pause, self._pause = self._pause, min(self._pause * 2, LONGEST)
        return pause

    def wait_after(self, outcome: httpx.Response | httpx.TransportError) -> float:
        """Return the seconds before trying again; raises what went wrong where that makes no sense."""
        self._begin()
        wait = self._attempts.wait_after(outcome)
        if wait is not None:
            return wait
        if isinstance(outcome, httpx.Response):
            raise Problem(outcome)
        raise outcome
