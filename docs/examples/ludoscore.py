"""A client of the Ludoscore API in one file, with nothing but the standard library. Copy it into your own project.

    api = Ludoscore("https://scores.example.org", "lsu_…")
    event = api.create_event(club="cafe-meeple", name="Wednesday", game="dix", starts_at="2026-11-18T19:00:00+01:00")

Every method is one call of docs/api.md; `call` makes any other. Requests that fail on the way are sent again: each
`POST` carries an `Idempotency-Key`, so it is done once however often it is sent.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = dict[str, Any]

ATTEMPTS = 4
PAUSE = 0.5  # seconds before the second attempt, twice as long before each after it
WORTH_A_RETRY = {429, 502, 503, 504}


class Problem(Exception):  # noqa: N818 -- what RFC 9457 calls it
    """An answer that says no: `code` is stable, `detail` is for people, `errors` list single faults."""

    def __init__(self, status: int, body: Json, retry_after: float | None = None) -> None:
        self.status, self.body, self.retry_after = status, body, retry_after
        self.code, self.detail = str(body.get("code", "")), str(body.get("detail", ""))
        self.errors: list[Json] = body.get("errors", [])
        super().__init__(f"{status} {self.code}: {self.detail}")

    @property
    def is_worth_a_retry(self) -> bool:
        """Whether the same request may succeed in a moment."""
        return self.status in WORTH_A_RETRY or self.code == "idempotency-running"


class Ludoscore:
    """The API of one service, with one credential or none."""

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 10) -> None:
        self.url, self.token, self.timeout = url.rstrip("/"), token, timeout
        self._known: dict[str, tuple[str, Any]] = {}

    def with_token(self, token: str | None) -> Ludoscore:
        """Return the same service for another caller: a player's `lse_…`, a table's `lst_…`, or None for nobody."""
        return Ludoscore(self.url, token, timeout=self.timeout)

    # --- Any call ------------------------------------------------------------------------------------------------

    def call(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Make a call under /api/v1/ and return the answer; raises Problem."""
        address = path if "://" in path else f"{self.url}/api/v1/{path}"
        if query:
            address += "?" + urllib.parse.urlencode(query, doseq=True)
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        if method == "GET" and address in self._known:
            headers["If-None-Match"] = self._known[address][0]
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310 -- the caller's address
        return self._insist(request)

    def _insist(self, request: urllib.request.Request) -> Any:
        """Send a request until it is answered, or it makes no sense to go on."""
        for attempt in range(1, ATTEMPTS + 1):
            pause = PAUSE * 2 ** (attempt - 1)
            try:
                return self._send(request)
            except Problem as problem:
                if attempt == ATTEMPTS or not problem.is_worth_a_retry:
                    raise
                pause = problem.retry_after or pause
            except (TimeoutError, urllib.error.URLError):
                if attempt == ATTEMPTS:
                    raise
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _send(self, request: urllib.request.Request) -> Any:
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310 -- the caller's address
                value = json.loads(answer.read() or b"null")
                if request.get_method() == "GET" and (tag := answer.headers.get("ETag")):
                    self._known[request.full_url] = (tag, value)
                return value
        except urllib.error.HTTPError as error:
            if error.code == 304:
                return self._known[request.full_url][1]
            raise _problem(error) from None

    def pages(self, path: str, **query: Any) -> Iterator[Json]:
        """Yield every row of a list, page by page."""
        page = self.call("GET", path, **query)
        yield from page["results"]
        while page["next"]:
            page = self.call("GET", page["next"])
            yield from page["results"]

    # --- Games ---------------------------------------------------------------------------------------------------

    def games(self) -> list[Json]:
        """Return the games, their variants and how many they seat."""
        return list(self.call("GET", "games/"))

    def check(self, report: Json) -> Json:
        """Judge a report without storing it."""
        return dict(self.call("POST", f"games/{report['game']}/check/", report))

    # --- Events --------------------------------------------------------------------------------------------------

    def me(self) -> Json:
        """Say who the credential stands for."""
        return dict(self.call("GET", "me/"))

    def create_event(self, **fields: Any) -> Json:
        """Create an event; what is left out takes the defaults of the game."""
        return dict(self.call("POST", "events/", fields))

    def event(self, event: str) -> Json:
        """Read an event."""
        return dict(self.call("GET", f"events/{event}/"))

    def change_event(self, event: str, **fields: Any) -> Json:
        """Change settings of an event, or its `status`."""
        return dict(self.call("PATCH", f"events/{event}/", fields))

    def join(self, event: str, name: str, code: str) -> Json:
        """Enter a player by the event's code, as the player would; the answer has their `token`."""
        return dict(self.with_token(None).call("POST", f"events/{event}/entries/", {"name": name, "join_code": code}))

    def enter(self, event: str, **who: str) -> Json:
        """Enter a player as an organiser: by `name`, or a known `player`."""
        return dict(self.call("POST", f"events/{event}/entries/", who))

    # --- Rounds and tables ---------------------------------------------------------------------------------------

    def seat_round(self, event: str, **fields: Any) -> Json:
        """Seat the next round; `kind="final"` seats the final."""
        return dict(self.call("POST", f"events/{event}/rounds/", fields))

    def change_round(self, event: str, number: int, **fields: Any) -> Json:
        """Start (`status="running"`), `extend` or close a round, or move `tables`."""
        return dict(self.call("PATCH", f"events/{event}/rounds/{number}/", fields))

    def round(self, event: str, number: int) -> Json:
        """Read a round with its tables and seats."""
        return dict(self.call("GET", f"events/{event}/rounds/{number}/"))

    def table(self, table: str) -> Json:
        """Read a table."""
        return dict(self.call("GET", f"tables/{table}/"))

    # --- Results -------------------------------------------------------------------------------------------------

    def report(self, table: str, report: Json, seat: str | None = None) -> Json:
        """Report a table; a slip (`lst_…`) says for which `seat` it speaks."""
        body = {"report": report} | ({"seat": seat} if seat else {})
        return dict(self.call("POST", f"tables/{table}/reports/", body))

    def reports(self, table: str) -> Json:
        """Read the reports of a table, and where two of them differ."""
        return dict(self.call("GET", f"tables/{table}/reports/"))

    def confirm(self, report: str) -> Json:
        """Agree to a report as another seat, or approve it as an organiser."""
        return dict(self.call("POST", f"reports/{report}/confirm/", {}))

    def dispute(self, report: str, reason: str) -> Json:
        """Object to a report as another seat."""
        return dict(self.call("POST", f"reports/{report}/dispute/", {"reason": reason}))

    def decide(self, table: str, reason: str, *, preview: bool = False, **choice: Any) -> Json:
        """Decide a table by `report_id`, `report`, `ranking` or `drop`; a preview only says what would change."""
        query = {"preview": "true"} if preview else {}
        return dict(self.call("POST", f"tables/{table}/decision/", {"reason": reason, **choice}, **query))

    # --- What follows --------------------------------------------------------------------------------------------

    def standings(self, event: str) -> Json:
        """Read the standings of an event."""
        return dict(self.call("GET", f"events/{event}/standings/"))

    def settled_standings(self, event: str, *, patience: float = 30) -> Json:
        """Read the standings once everything reported so far is in them."""
        end = time.monotonic() + patience
        while not (standings := self.standings(event))["up_to_date"] and time.monotonic() < end:
            time.sleep(0.3)
        return standings

    def leaderboard(self, game: str, club: str | None = None, **query: Any) -> Iterator[Json]:
        """Yield the rated players of a game, best first: everybody's, or a club's."""
        return self.pages(f"clubs/{club}/leaderboards/{game}/" if club else f"leaderboards/{game}/", **query)

    def rating_history(self, player: str, game: str) -> Iterator[Json]:
        """Yield what each table did to a player's rating, newest first."""
        return self.pages(f"players/{player}/ratings/{game}/")


def _problem(error: urllib.error.HTTPError) -> Problem:
    try:
        body = json.loads(error.read())
    except ValueError:  # a proxy on the way said it in its own words
        body = {"detail": str(error.reason)}
    wait = error.headers.get("Retry-After", "")
    return Problem(error.code, body, float(wait) if wait.isdecimal() else None)


def seats_of(table: Mapping[str, Any]) -> Sequence[str]:
    """Return the players of a table in seat order: the labels of its report."""
    return [seat["player"]["id"] for seat in table["seats"]]
