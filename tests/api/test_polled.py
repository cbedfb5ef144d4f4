"""Lists that everybody polls: answered by one statement while nothing changed, and never to who may no longer ask."""

from __future__ import annotations

import copy
import datetime as dt
import functools
from threading import Semaphore

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

from api.polled import PolledView
from core import computations, costly
from core.computations import Kind as Computed
from core.models import User
from scoring import tasks
from scoring.models import Placing
from scoring.services.reports import submit_report
from tests.api.callers import bearer
from tests.api.schemas import published
from tests.factories import (
    AffiliationFactory,
    CredentialFactory,
    DerivedFactory,
    EntryFactory,
    EventFactory,
    KeyFactory,
    MembershipFactory,
    RatingFactory,
    SeasonFactory,
    SeatFactory,
    TableFactory,
)
from tests.scoring.evenings import evening
from tournaments.access import credentials
from tournaments.actors import Actor
from tournaments.actors import Kind as ActorKind
from tournaments.models import Club, Credential, Entry, Event, Membership, Round, Season, Table
from tournaments.services.clubs import edit_club
from tournaments.services.events import change_status

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    event = EventFactory(status=Event.Status.RUNNING)
    DerivedFactory(kind=Computed.STANDINGS, key=event.uid, wanted=3, done=3)
    return event


def standings(event):
    return f"/api/v1/events/{event.uid}/standings/"


def player(event):
    entry = EntryFactory(event=event)
    return bearer(credentials.derive(credentials.ENTRY, entry.uid, entry.generation))


def slip(event):
    table = TableFactory(round__event=event, round__status=Round.Status.RUNNING)
    SeatFactory(table=table, round=table.round, entry=EntryFactory(event=event))
    return bearer(credentials.derive(credentials.TABLE, table.uid, table.generation))


def organiser(event):
    secret = f"{credentials.USER}{event.pk:043}"
    CredentialFactory(secret=secret, user=MembershipFactory(club=event.club, role="organiser").user)
    return bearer(secret)


def key(event):
    secret = f"{credentials.CLUB}{event.pk:043}"
    KeyFactory(secret=secret, club=event.club)
    return bearer(secret)


CALLERS = [player, slip, organiser, key]


@pytest.mark.parametrize("caller", CALLERS)
def test_one_statement_answers_a_caller_who_asks_again(caller, event, django_assert_num_queries):
    reader = caller(event)
    first = reader.get(standings(event))
    assert first.status_code == 200
    with django_assert_num_queries(1):
        assert reader.get(standings(event)).content == first.content
    with django_assert_num_queries(1):
        assert reader.get(standings(event), headers={"If-None-Match": first["ETag"]}).status_code == 304


@pytest.mark.parametrize("caller", CALLERS)
def test_what_was_computed_since_is_seen_at_once(caller, event):
    reader = caller(event)
    assert reader.get(standings(event)).json()["up_to_date"]
    computations.mark(Computed.STANDINGS, event.uid)
    assert not reader.get(standings(event)).json()["up_to_date"]


ENDS = [
    (player, lambda: Entry.objects.update(generation=9), 404),
    (player, lambda: Event.objects.update(status=Event.Status.FINISHED), 410),
    (slip, lambda: Table.objects.update(generation=9), 404),
    (slip, lambda: Round.objects.update(status=Round.Status.CLOSED), 410),
    (slip, lambda: Event.objects.update(status=Event.Status.CANCELLED), 410),
    (organiser, lambda: Credential.objects.update(revoked_at=timezone.now()), 401),
    (organiser, lambda: User.objects.update(is_active=False), 401),
    (key, lambda: Credential.objects.update(revoked_at=timezone.now()), 401),
]


@pytest.mark.parametrize(("caller", "end", "status"), ENDS)
def test_credential_that_ended_is_worthless_at_once(caller, end, status, event):
    reader = caller(event)
    assert reader.get(standings(event)).status_code == 200
    end()
    assert reader.get(standings(event)).status_code == status


def test_what_a_session_may_see_is_not_kept_for_others_with_the_same_header(event):
    Event.objects.update(is_public=False)
    shared = {"HTTP_AUTHORIZATION": "Basic c2hhcmVkOmJ5LWFsbA=="}  # of a proxy in front, say
    member, stranger = APIClient(**shared), APIClient(**shared)
    member.force_login(MembershipFactory(club=event.club).user)
    assert stranger.get(standings(event)).status_code == 404
    assert member.get(standings(event)).status_code == 200
    assert stranger.get(standings(event)).status_code == 404


def test_member_who_left_no_longer_sees_a_private_event(event):
    Event.objects.update(is_public=False)
    reader = organiser(event)
    assert reader.get(standings(event)).status_code == 200
    Membership.objects.all().delete()
    assert reader.get(standings(event)).status_code == 404


def test_club_that_became_private_takes_its_board_along(event):
    reader, board = organiser(EventFactory()), f"/api/v1/clubs/{event.club.slug}/leaderboards/dix/"
    assert reader.get(board).status_code == 200
    Club.objects.update(is_public=False)
    assert reader.get(board).status_code == 404


def test_club_that_became_private_takes_its_people_off_the_board_of_everybody(event):
    DerivedFactory(kind=Computed.RATINGS, key=event.game, wanted=3, done=3)
    entry = EntryFactory(event=event)
    AffiliationFactory(club=event.club, player=entry.player)
    RatingFactory(player=entry.player, game=event.game)
    owner = Actor(ActorKind.USER, user=MembershipFactory(club=event.club, role="owner").user)
    reader, board = organiser(EventFactory()), f"/api/v1/leaderboards/{event.game}/"
    first = reader.get(board)
    assert [row["player"]["id"] for row in first.json()["results"]] == [entry.player.uid]
    edit_club(actor=owner, club=event.club, is_public=False)
    again = reader.get(board, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.json()["results"]) == (200, [])


@pytest.fixture
def built(monkeypatch):
    """The answers that are built anew."""
    answers, build = [], PolledView._build
    monkeypatch.setattr(PolledView, "_build", lambda *given: answers.append(build(*given)) or answers[-1])
    return answers


@pytest.mark.parametrize("caller", [lambda _event: APIClient(), *CALLERS])
def test_what_nothing_reads_of_an_address_builds_no_list_anew(caller, event, built):
    DerivedFactory(kind=Computed.RATINGS, key=event.game, wanted=3, done=3)
    lists = [
        standings(event),
        f"/api/v1/events/{event.uid}/results/",
        f"/api/v1/leaderboards/{event.game}/?min_tables=2",
    ]
    reader = caller(event)
    for each in lists:
        first = reader.get(each)
        assert first.status_code == 200
        for made_up in ("as=somebody", "as=another", "as=a&as=b"):
            assert reader.get(f"{each}{'&' if '?' in each else '?'}{made_up}").content == first.content
    assert reader.get(standings(event), headers={"Host": "localhost:1234"}).status_code == 200
    assert reader.get(f"/api/v1/leaderboards/{event.game}/?min_tables=1&min_tables=2").status_code == 200
    assert len(built) == len(lists)


def test_address_of_the_next_page_says_what_was_read_and_nothing_else(event):
    DerivedFactory(kind=Computed.RATINGS, key=event.game, wanted=3, done=3)
    for rating in RatingFactory.create_batch(51, game=event.game):
        AffiliationFactory(club=event.club, player=rating.player)
    board = f"/api/v1/leaderboards/{event.game}/"
    address = APIClient().get(f"{board}?min_tables=9&min_tables=0&as=somebody&format=json").json()["next"]
    assert address.startswith(f"http://testserver{board}?min_tables=0&format=json&cursor=")
    assert len(APIClient().get(address).json()["results"]) == 1


@pytest.mark.parametrize("of_whom", ["", "clubs/{}/"])
def test_board_as_csv_is_made_a_few_at_a_time_and_the_club_waits_for_nobody(of_whom, event, monkeypatch):
    DerivedFactory(kind=Computed.RATINGS, key=event.game, wanted=3, done=3)
    board = f"/api/v1/{of_whom.format(event.club.slug)}leaderboards/{event.game}/"
    monkeypatch.setattr(costly.EXPORT, "places", Semaphore(0))
    refused = APIClient().get(f"{board}?format=csv")
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-at-once")
    assert APIClient().get(board).status_code == 200
    assert organiser(event).get(f"{board}?format=csv").status_code == (200 if of_whom else 429)


def test_list_that_was_never_computed_is_empty(event):
    board = key(event).get("/api/v1/leaderboards/sixmix/").json()
    assert (board["version"], board["up_to_date"], board["results"]) == (0, True, [])


# --- Each list is built by hand, and is what the schema says ------------------------------------------------------


@pytest.fixture
def league(monkeypatch):
    """An event of a season that is over, with standings, results and ratings; one rating is older than 30 days."""
    monkeypatch.setattr(tasks, "publish", lambda *args: None)
    tonight = evening(confirmation="trust", season=SeasonFactory())
    Season.objects.update(club=tonight.event.club)
    for entry in tonight.entries:
        AffiliationFactory(club=tonight.event.club, player=entry.player)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    Round.objects.update(status=Round.Status.CLOSED)
    change_status(actor=tonight.organiser, event=tonight.event, status=Event.Status.FINISHED)
    for kind in Computed:  # a season counts standings that are computed
        for stale, key in computations.behind():
            if stale == kind:
                tasks.refresh(stale, key)
    first = Placing.objects.order_by("pk")[:1]
    Placing.objects.filter(pk__in=first).update(at=timezone.now() - dt.timedelta(days=40))
    return tonight.event


POLLED = {
    "/api/v1/events/{uid}/standings/": "rows",
    "/api/v1/events/{uid}/results/": "rows",
    "/api/v1/seasons/{uid}/standings/": "rows",
    "/api/v1/seasons/{uid}/course/": "rows",
    "/api/v1/leaderboards/{game}/": "results",
    "/api/v1/clubs/{slug}/leaderboards/{game}/": "results",
}


def read(path, event):
    uid = event.season.uid if "seasons" in path else event.uid
    return APIClient().get(path.format(uid=uid, game=event.game, slug=event.club.slug)).json()


def exact(schema):
    """Return a schema as JSON Schema has it, by which an object has the properties it names and no others."""
    if isinstance(schema, list):
        return [exact(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: exact(value) for name, value in schema.items() if name != "nullable"}
    if "properties" in found:
        found["additionalProperties"] = False
    return {"anyOf": [found, {"type": "null"}]} if schema.get("nullable") is True else found


@functools.cache
def checker(path):
    """Return what validates the answers of a route by the schema that the API publishes."""
    schema = published()
    answer = schema["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    return Draft202012Validator({**exact(answer), "components": exact(schema["components"])})


def test_what_is_built_by_hand_is_what_the_schema_says(league):
    for path, rows in POLLED.items():
        answer = read(path, league)
        assert len(answer[rows]) == 3, path
        checker(path).validate(answer)


WRONGS = [
    lambda row: row.pop("rank"),
    lambda row: row["player"].pop("name"),
    lambda row: row.update(surprise=1),
    lambda row: row["player"].update(surprise=1),
    lambda row: row.update(rank="1"),
    lambda row: row.update(rank=None),
]


def test_field_too_few_too_many_or_of_another_type_would_be_seen(league):
    for path, rows in POLLED.items():
        answer = read(path, league)
        for number, wrong in enumerate(WRONGS):
            spoilt = copy.deepcopy(answer)
            wrong(spoilt[rows][-1])
            assert not checker(path).is_valid(spoilt), (path, number)
