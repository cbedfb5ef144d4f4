"""Every route of the API meets every kind of caller. `permissions.txt` says what each is answered.

A route that the table does not list fails. To see what the code answers, delete a line and read the failure.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from api.areas import ROUTES
from api.files import Lines
from api.urls import urlpatterns
from scoring.services.files import event_file
from scoring.services.reports import submit_report
from scoring.services.rounds import seat_next_round
from tests.api.callers import bearer
from tests.engines.custom.test_definition import HARBOUR
from tests.factories import (
    AffiliationFactory,
    DeliveryFactory,
    EntryFactory,
    EventFactory,
    MergeRequestFactory,
    PlayerFactory,
    PushSubscriptionFactory,
    SoloGameFactory,
    UserFactory,
    WebhookFactory,
)
from tests.scoring.evenings import sheet_of
from tournaments.access import credentials
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Membership, Player, Role, Scope
from tournaments.services import entries, events
from tournaments.services.calls import call_organiser
from tournaments.services.clubs import create_club
from tournaments.services.credentials import create_key, create_token
from tournaments.services.games import define_game
from tournaments.services.joining import join
from tournaments.services.members import invite
from tournaments.services.penalties import give_penalty
from tournaments.services.people import create_player
from tournaments.services.seasons import create_season, keep_apart

TABLE = Path(__file__).with_name("permissions.txt")
SOLO = ("solo-game", "solo-moves", "solo-undo", "solo-advice", "solo-record")
METHODS = ("get", "post", "patch", "put", "delete")
CALLERS = (
    *("nobody", "player", "unproven", "proven", "slip", "stranger", "once", "person"),
    *("read_key", "write_key", "scorekeeper", "organiser", "owner", "private"),
)


def routes() -> Iterator[tuple[str, str]]:
    """Yield the name and method of every route."""

    def walk(patterns: Any) -> Iterator[Any]:
        for pattern in patterns:
            yield from walk(pattern.url_patterns) if hasattr(pattern, "url_patterns") else [pattern]

    for pattern in walk(urlpatterns):
        for method in METHODS:
            if hasattr(pattern.callback.view_class, method):
                yield pattern.name, method


def expected() -> dict[tuple[str, str], dict[str, str]]:
    """Read the table."""
    lines = [line.split() for line in TABLE.read_text().splitlines() if line.strip() and not line.startswith("#")]
    assert lines[0] == ["method", "route", *CALLERS]
    return {(line[1], line[0]): dict(zip(CALLERS, line[2:], strict=True)) for line in lines[1:]}


class World:
    """A club with an event in its first round, and everybody who might call."""

    def __init__(self, *, is_public: bool) -> None:
        self.owner = Actor(Kind.USER, user=UserFactory())
        self.club = create_club(actor=self.owner, name="House", is_public=is_public)
        self.season = create_season(actor=self.owner, club=self.club, fields={"name": "2026"})
        fields = {
            "name": "Evening",
            "game": "dice-run",
            "starts_at": timezone.now() - dt.timedelta(hours=1),
            "table_min": 3,
            "table_max": 4,
        }
        self.event = events.create_event(actor=self.owner, club=self.club, fields=fields)
        events.change_status(actor=self.owner, event=self.event, status="registration")
        self.entries = [
            entries.add_entry(actor=self.owner, event=self.event, name=f"Player {number}") for number in range(1, 8)
        ]
        self.round = seat_next_round(actor=self.owner, event=self.event, seed=1)
        self.event.refresh_from_db()
        self.table = self.round.tables.get(seats__entry=self.entries[0])
        caller = Actor(Kind.ENTRY, entry=self.table.seats.exclude(entry=self.entries[0]).first().entry)
        self.called, _ = call_organiser(actor=caller, table=self.table, kind="question")
        self.penalty = give_penalty(actor=self.owner, entry=self.entries[0], points=Decimal("0.5"), reason="late")
        self.phone = PushSubscriptionFactory(entry=self.entries[0])
        self.known = create_player(actor=self.owner, club=self.club, name="Known")
        self.other = create_player(actor=self.owner, club=self.club, name="Other")
        self.claim = join(event=self.event, code=self.event.join_code, player=self.known, actor=NOBODY)
        earlier = EventFactory(club=self.club, game="dice-run", name="Another evening")
        self.proven = entries.add_entry(actor=self.owner, event=earlier, player=self.known)
        define_game(actor=self.owner, club=self.club, definition=HARBOUR)
        self.pair = keep_apart(
            actor=self.owner, club=self.club, players=(self.entries[0].player, self.entries[1].player)
        )
        self.invitation, _ = invite(
            actor=self.owner, club=self.club, email="new@example.org", role=Role.SCOREKEEPER, page="http://x/"
        )
        self.key, _ = create_key(actor=self.owner, club=self.club, name="site", scopes=[Scope.READ])
        self.delivery = DeliveryFactory(webhook=WebhookFactory(club=self.club))
        other = self.table.seats.exclude(entry=self.entries[0]).select_related("entry__event").first()
        speaker = Actor(Kind.ENTRY, entry=other.entry)
        self.report = submit_report(actor=speaker, table=self.table, sheet=sheet_of(self.table))
        self.table.refresh_from_db()
        # Another club that knows them from an entry of its own, made when clubs could still enter anybody.
        self.elsewhere = create_club(actor=Actor(Kind.USER, user=UserFactory()), name="Elsewhere", is_public=is_public)
        AffiliationFactory(club=self.elsewhere, player=self.known)
        EntryFactory(event=EventFactory(club=self.elsewhere), player=self.known)
        Player.objects.filter(pk=self.known.pk).update(user=UserFactory())
        self.theirs = PlayerFactory(club=self.elsewhere)
        self.request = MergeRequestFactory(gone=self.theirs, kept=self.known)
        self.member = Membership.objects.create(club=self.club, user=UserFactory(), role=Role.SCOREKEEPER)
        self.solo = SoloGameFactory()
        self.clients = dict(self._callers())

    def _callers(self) -> Iterator[tuple[str, APIClient]]:
        yield "nobody", APIClient()
        first = self.entries[0]
        yield "player", bearer(credentials.derive(credentials.ENTRY, first.uid, first.generation))
        for name, entry in (("unproven", self.claim), ("proven", self.proven)):
            yield name, bearer(credentials.derive(credentials.ENTRY, entry.uid, entry.generation))
        yield "slip", bearer(credentials.derive(credentials.TABLE, self.table.uid, self.table.generation))
        stranger = Actor(Kind.USER, user=UserFactory())
        create_club(actor=stranger, name="Far")
        yield "stranger", bearer(create_token(actor=stranger, name="t")[1])
        once = Actor(Kind.USER, user=self.elsewhere.memberships.get().user)
        yield "once", bearer(create_token(actor=once, name="t")[1])
        person = Actor(Kind.USER, user=Player.objects.get(pk=self.known.pk).user)
        yield "person", bearer(create_token(actor=person, name="t")[1])
        for scope in Scope:
            yield f"{scope}_key", bearer(create_key(actor=self.owner, club=self.club, name="k", scopes=[scope])[1])
        for role in (Role.SCOREKEEPER, Role.ORGANISER, Role.OWNER):
            member = Actor(Kind.USER, user=UserFactory())
            Membership.objects.create(club=self.club, user=member.user, role=role)
            yield role.value, bearer(create_token(actor=member, name="t")[1])

    def arguments(self, route: str) -> dict[str, Any]:
        """Return what the route's address needs."""
        by_route = {
            "join": {"code": self.event.join_code},
            "round": {"uid": self.event.uid, "number": 1},
            "draft-tables": {"uid": self.event.uid, "number": 1},
            "table": {"uid": self.table.uid},
            "leave-table": {"uid": self.table.uid},
            "nudge-table": {"uid": self.table.uid},
            "table-slip": {"uid": self.table.uid},
            "member": {"slug": self.club.slug, "number": self.member.pk},
            "invitation": {"slug": self.club.slug, "uid": self.invitation.uid},
            "key": {"slug": self.club.slug, "uid": self.key.uid},
            "key-uses": {"slug": self.club.slug, "uid": self.key.uid},
            "token": {"uid": "nosuchtoken"},
            "session": {"uid": "nosuchsession"},
            "season": {"uid": self.season.uid},
            "pair": {"slug": self.club.slug, "uid": self.pair.uid},
        }
        by_route |= {
            "call": {"uid": self.called.uid},
            "table-call": {"table": self.table.uid, "uid": self.called.uid},
            "calls": {"uid": self.table.uid},
            "penalty": {"uid": self.event.uid, "penalty": self.penalty.uid},
            "entry-push-one": {"uid": self.entries[0].uid, "phone": self.phone.uid},
        }
        table = {"uid": self.table.uid}
        by_route |= dict.fromkeys(("draft", "reports", "attempts", "decision", "table-history"), table)
        report = {"uid": self.report.uid}
        by_route |= dict.fromkeys(("report", "confirm", "dispute", "withdraw", "clear-flags"), report)
        by_route |= {
            "leaderboard": {"game": "dice-run"},
            "club-leaderboard": {"slug": self.club.slug, "game": "dice-run"},
            "player-ratings": {"uid": self.known.uid, "game": "dice-run"},
            "player-statistics": {"uid": self.known.uid, "game": "dice-run"},
            "season-standings": {"uid": self.season.uid},
            "season-course": {"uid": self.season.uid},
        }
        if route.startswith("merge-request"):
            return {} if route == "merge-requests" else {"uid": self.request.uid}
        webhook = {"slug": self.club.slug, "uid": self.delivery.webhook.uid}
        by_route |= dict.fromkeys(("webhook", "webhook-rotate", "webhook-test", "deliveries"), webhook)
        by_route["redeliver"] = webhook | {"delivery": self.delivery.uid}
        by_route |= {key: {"uid": self.solo.uid} for key in SOLO}
        by_route |= {"solo": {}, "challenge": {"game": "dix"}, "table-record": table}
        by_route["club-challenge"] = {"slug": self.club.slug, "game": "dix"}
        own = {"club": self.club.slug, "slug": "harbour"}
        by_route["own-games"] = {"club": self.club.slug}
        by_route |= dict.fromkeys(("own-game", "own-game-link", "own-game-check", "own-game-versions"), own)
        by_route |= dict.fromkeys(("own-game-version", "own-game-version-check"), own | {"number": 1})
        by_route["shared-game"] = {"link": "nosuchlink"}
        if route in by_route:
            return by_route[route]
        if route in {"game", "check", "assist", "vectors", "record-check", "record-step", "record-convert"}:
            return {"slug": "dice-run"}
        of_event = {"standings", "results", "decisions", "event-history", "plan", "event-calls", "penalties", "prizes"}
        of_event |= {"event", "entries", "entries-vouch", "join-code", "rounds", "form-table", "sit-down"}
        of_event |= {"event-stream", "entries-check-in", "entries-no-shows", "entries-names", "event-copy"}
        of_event |= {"event-file", "entries-bulk", "entries-import"}
        if route in of_event:
            return {"uid": self.event.uid}
        if route in {"entry-vouch", "entry-reject", "entry-take-back"}:
            return {"uid": self.claim.uid}
        if route.startswith("entry"):
            return {"uid": self.entries[0].uid}
        if route == "player-note":
            return {"slug": self.club.slug, "uid": self.known.uid}
        if route.startswith("player") and route not in {"players", "players-import"}:
            return {"uid": self.known.uid}
        if route in {
            "root",
            "schema",
            "docs",
            "games",
            "events",
            "clubs",
            "me",
            "sessions",
            "tokens",
            "accept-invitation",
            "definitions",
            "check-definition",
        }:
            return {}
        return {"slug": self.club.slug}

    @cached_property
    def bodies(self) -> dict[str, dict[str, Any]]:
        """Return bodies that do something where the caller may, by route; whatever a call changes is undone."""
        return {
            "check": {"game": "dice-run"},
            "solo": {"game": "dix"},
            "solo-moves": {"number": 1, "move": "pass"},
            "solo-undo": {"number": 1, "taken_back": 0},
            "solo-game": {"name": "Ana"},
            "events": {"club": self.club.slug, "name": "E", "game": "dix", "starts_at": timezone.now().isoformat()},
            "event": {"name": "Renamed"},
            "entries": {"name": "Newcomer"},
            "entries-names": {"names": ["Newcomer", "Another"]},
            "entries-bulk": {"entries": [{"name": "Newcomer"}]},
            "entries-import": {"csv": "name\nNewcomer\n"},
            "files": event_file(self.event, is_whole=False),
            "entry": {"status": "dropped"},
            "entry-substitute": {"name": "Newcomer"},
            "entry-push": {
                "endpoint": "https://push.example.org/another",
                "keys": {"p256dh": self.phone.p256dh, "auth": self.phone.auth},
            },
            "round": {"extend": 5, "status": "running"},
            "calls": {"kind": "question"},
            "penalties": {"entry": self.entries[0].uid, "points": "0.5", "reason": "late"},
            "call": {"status": "coming"},
            "table-call": {"status": "coming"},
            "table": {"seats": [seat.entry.uid for seat in self.table.seats.order_by("-position")]},
            "sit-down": {"code": "AAAAAA"},
            "clubs": {"name": "Another"},
            "club": {"name": "Renamed"},
            "member": {"role": "organiser"},
            "invitations": {"email": "other@example.org", "role": "scorekeeper"},
            "accept-invitation": {"token": "wrong"},
            "keys": {"name": "k", "scope": "read"},
            "tokens": {"name": "t"},
            "players": {"name": "Newcomer"},
            "players-import": {"csv": "name\nNewcomer\n"},
            "player": {"name": "Renamed"},
            "player-merge": {"into": self.other.uid},
            "player-merge-preview": {"into": self.other.uid},
            "player-note": {"note": "Brings the cake."},
            "merge-requests": {"gone": self.theirs.uid, "kept": self.entries[5].player.uid},
            "webhooks": {"url": "https://receiver.example.org/", "types": ["result.final"]},
            "webhook": {"active": False},
            "draft": {"sheet": {}, "version": 0},
            "reports": {"report": sheet_of(self.table), "seat": "1"},
            "decision": {"report_id": self.report.uid, "reason": "seen"},
            "withdraw": {"seat": self.report.entry.uid},
            "seasons": {"name": "2027"},
            "season": {"name": "2028"},
            "own-games": {**HARBOUR, "slug": "port"},
            "own-game": {"minutes": 30},
            "check-definition": {"definition": HARBOUR},
            "keep-apart": {"players": [self.entries[2].player.uid, self.entries[3].player.uid]},
        }

    def call(self, caller: str, route: str, method: str) -> str:
        """Call a route and undo what it did; return the status, with every 2xx as `ok`."""
        url = reverse(f"api:{route}", kwargs=self.arguments(route))
        with transaction.atomic():
            client = self.clients[caller]
            query = {"game": "dix"} if route == "club-length" else {}
            response = getattr(client, method)(url, query if method == "get" else self.bodies.get(route, {}))
            if isinstance(response, Lines):
                list(response)  # what is streamed keeps its turn until it was read
            transaction.set_rollback(True)
        assert response.status_code < 500
        return "ok" if 200 <= response.status_code < 300 else str(response.status_code)


@pytest.fixture(scope="module")
def stored(shared_rows) -> World:
    """The rows of `world`."""
    return World(is_public=True)


@pytest.fixture
def world(stored, db) -> World:
    """A world with a public club. Tests call and change nothing else, so all of them get the same one."""
    return stored


@pytest.fixture(scope="module")
def stored_private(shared_rows) -> World:
    """The rows of `private`."""
    return World(is_public=False)


@pytest.fixture
def private(stored_private, db) -> World:
    """A world with a private club, of which the column `private` says what a player's own account is answered."""
    return stored_private


def test_table_lists_every_route_and_no_other():
    assert set(expected()) == set(routes())


@pytest.mark.parametrize("method", METHODS)
def test_every_caller_is_answered_as_the_table_says(world, private, method):
    table, wrong = expected(), []
    for route, _ in sorted(each for each in set(routes()) if each[1] == method):
        cache.clear()  # so that no route is refused for the calls of those before it
        answers = {caller: world.call(caller, route, method) for caller in CALLERS[:-1]}
        answers["private"] = private.call("person", route, method)
        if answers != table.get((route, method)):
            wrong.append(f"{method:<7} {route:<22} " + " ".join(f"{answers[caller]:<11}" for caller in CALLERS))
    assert not wrong, "answered:\n" + "\n".join(wrong)


@pytest.mark.parametrize("method", METHODS)
def test_a_key_with_a_scope_is_answered_as_an_organiser_in_its_area_alone(world, method):
    table, wrong = expected(), []
    for route, _ in sorted(each for each in set(routes()) if each[1] == method):
        for scope in (Scope.RESULTS, Scope.EVENTS, Scope.PEOPLE):
            cache.clear()
            as_whom = "write_key" if route in ROUTES[scope] else "read_key"
            answer, should = world.call(f"{scope}_key", route, method), table[route, method][as_whom]
            if answer != should:
                wrong.append(f"{method} {route} with {scope}: {answer}, not {should}")
    assert not wrong, "\n".join(wrong)


def test_a_route_belongs_to_one_area_at_the_most():
    listed = [route for names in ROUTES.values() for route in names]
    assert len(listed) == len(set(listed))
    assert set(listed) <= {route for route, _method in routes()}


HIDDEN = sorted(
    (route, method)
    for route, method in set(routes())
    if route not in {"root", "schema", "docs", "games", "game", "check", "assist", "me", "tokens", "token", "join"}
    and route not in {"record-check", "record-step", "record-convert", "challenge"}
    and route not in {"solo", *SOLO}
    and route not in {"sessions", "session", "accept-invitation", "clubs", "events", "leaderboard", "merge-requests"}
    and route != "vectors"
    and route not in {"definitions", "check-definition"}
)


def test_private_club_is_hidden_from_everybody_else(private):
    answers = {
        (route, method, caller): private.call(caller, route, method)
        for route, method in HIDDEN
        for caller in ("nobody", "stranger")
    }
    assert {key: status for key, status in answers.items() if status != "404"} == {}
