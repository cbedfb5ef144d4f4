"""Penalties: points taken off with a reason, given back, on record, and never in a rating."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from rest_framework.utils.encoders import JSONEncoder

from core.computations import Kind as Kinds
from core.computations import progress_of
from core.ids import new_id
from scoring.models import RatingChange, StandingRow
from scoring.rankings.ratings import store as ratings
from scoring.rankings.standings import store
from scoring.selectors import standing_rows
from scoring.services import files
from tests.api.callers import bearer
from tests.api.files import organiser_of
from tests.factories import ClubFactory, MembershipFactory
from tests.scoring.rankings.standings.events import event_with, play
from tournaments.access import credentials
from tournaments.actors import Actor, Kind
from tournaments.errors import EventStatusError, ForbiddenError, PenaltyInvalidError
from tournaments.models import Action, Event, Penalty
from tournaments.services import events
from tournaments.services.penalties import give_penalty, take_back
from web.standings import explained, standings_of

pytestmark = pytest.mark.django_db
HALF = Decimal("0.5")


@pytest.fixture
def organiser():
    return Actor(Kind.USER, user=MembershipFactory(role="organiser").user)


@pytest.fixture
def evening(organiser):
    """Return an event in which a beat b, c and d, and its entries."""
    event, entries = event_with("abcd", club=organiser.user.memberships.get().club, tiebreaks=[])
    play(event, 1, [entries[name] for name in "abcd"])
    store.refresh(event.uid)
    return event, entries


def order(event):
    store.refresh(event.uid)
    return [(row["player"]["name"], row["points"]) for row in standing_rows(event)]


def test_points_are_taken_off_and_given_back(organiser, evening):
    event, entries = evening
    before = order(event)
    penalty = give_penalty(actor=organiser, entry=entries["a"], points=HALF, reason="  late to  the table ")
    assert order(event) == [("b", "0.667"), ("a", "0.500"), ("c", "0.333"), ("d", "0.000")]
    assert penalty.reason == "late to the table"
    take_back(actor=organiser, penalty=penalty)
    assert order(event) == before
    take_back(actor=organiser, penalty=penalty)  # a second press changes nothing
    verbs = list(Action.objects.filter(event=event, verb__startswith="penalty").values_list("verb", "reason"))
    assert verbs == [("penalty-taken-back", ""), ("penalty-given", "late to the table")]


def test_the_standings_say_so_in_a_sentence_without_the_reason(organiser, evening):
    event, entries = evening
    give_penalty(actor=organiser, entry=entries["a"], points=HALF, reason="swore at the dice")
    store.refresh(event.uid)
    row = standing_rows(event)[1]
    assert (row["penalty"], row["explanation"]) == (
        "0.500",
        "Has 0.500 points; b has 0.667. Taken off as a penalty: 0.500.",
    )
    with override("fr"):
        assert standing_rows(event)[1]["explanation"].endswith("Retiré comme pénalité\u00a0: 0,500.")
    (shown,) = explained(event, standings_of(event).rows[1:2])
    assert shown["explanation"] == "Has 50 points; b has 67. Taken off as a penalty: 50."
    assert "swore" not in json.dumps(standing_rows(event))


def test_everybody_who_waits_for_news_hears_of_it(organiser, evening):
    event, entries = evening
    before = progress_of(Kinds.STANDINGS, event.uid).wanted
    penalty = give_penalty(actor=organiser, entry=entries["a"], points=HALF, reason="late")
    assert progress_of(Kinds.STANDINGS, event.uid).wanted == before + 1
    assert Event.objects.get(pk=event.pk).version == event.version + 1
    take_back(actor=organiser, penalty=penalty)
    assert progress_of(Kinds.STANDINGS, event.uid).wanted == before + 2


def test_the_season_is_computed_again_after_a_penalty_a_week_later(organiser, evening):
    event, entries = evening
    season = event.club.seasons.create(name="2026")
    Event.objects.filter(pk=event.pk).update(season=season, status="finished")
    entry = entries["a"]
    entry.event.refresh_from_db()
    give_penalty(actor=organiser, entry=entry, points=HALF, reason="found out later")
    assert progress_of(Kinds.SEASON, season.uid).wanted == 1


def test_ratings_are_not_touched(organiser, evening):
    event, entries = evening
    ratings.refresh(event.game, ratings.BEGINNING)
    before = list(RatingChange.objects.order_by("pk").values_list("pk", "before", "after"))
    assert len(before) == 4
    wanted = progress_of(Kinds.RATINGS, event.game).wanted
    give_penalty(actor=organiser, entry=entries["a"], points=HALF, reason="late")
    assert progress_of(Kinds.RATINGS, event.game).wanted == wanted
    assert list(RatingChange.objects.order_by("pk").values_list("pk", "before", "after")) == before


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"points": Decimal(0)}, "points"),
        ({"points": Decimal(-1)}, "points"),
        ({"points": Decimal("0.01")}, "points"),
        ({"points": Decimal(100_001)}, "points"),
        ({"reason": "  "}, "reason"),
        ({"number": 7}, "round"),
    ],
)
def test_what_makes_no_sense_is_refused(organiser, evening, fields, wrong):
    _event, entries = evening
    good = {"points": HALF, "reason": "late"}
    with pytest.raises(PenaltyInvalidError) as refused:
        give_penalty(actor=organiser, entry=entries["a"], **(good | fields))
    assert [each["path"] for each in refused.value.errors] == [[wrong]]
    assert not Penalty.objects.exists()


@pytest.mark.parametrize("points", ["0.025", "0.05", "0.1", "0.125", "0.25", "0.5", "1", "2.5", "100"])
def test_every_step_is_a_whole_number_of_840ths(organiser, evening, points):
    event, entries = evening
    give_penalty(actor=organiser, entry=entries["d"], points=Decimal(points), reason="late", number=1)
    store.refresh(event.uid)
    row = StandingRow.objects.get(entry=entries["d"])
    assert Decimal(row.penalty) == 840 * Decimal(points) == -Decimal(row.points)


def test_only_organisers_give_penalties_and_only_while_there_are_standings(organiser, evening):
    event, entries = evening
    keeper = Actor(Kind.USER, user=MembershipFactory(club=event.club, role="scorekeeper").user)
    with pytest.raises(ForbiddenError):
        give_penalty(actor=keeper, entry=entries["a"], points=HALF, reason="late")
    penalty = give_penalty(actor=organiser, entry=entries["a"], points=HALF, reason="late")
    with pytest.raises(ForbiddenError):
        take_back(actor=keeper, penalty=penalty)
    events.change_status(actor=organiser, event=event, status="cancelled", reason="rain")
    with pytest.raises(EventStatusError):
        give_penalty(actor=organiser, entry=entries["a"], points=HALF, reason="late")


def test_a_form_sent_twice_gives_one_penalty(organiser, evening):
    event, entries = evening
    client = Client()
    client.force_login(organiser.user, "django.contrib.auth.backends.ModelBackend")
    address = reverse("web:penalties", args=[event.uid])
    form = {"entry": entries["a"].uid, "points": "50", "reason": "late", "number": "1", "key": new_id()}
    assert [client.post(address, form).status_code for _ in range(2)] == [302, 302]
    penalty = Penalty.objects.get()
    page = client.get(address).content.decode()
    assert "late" in page
    assert "−50" in page
    assert penalty.points == HALF
    refused = client.post(address, form | {"points": "1", "key": new_id()})
    assert "in steps of 2.5" in refused.content.decode()
    client.post(reverse("web:take-back-penalty", args=[event.uid, penalty.uid]))
    assert Penalty.objects.get().taken_back_at is not None


def test_the_key_of_a_form_cannot_name_a_penalty_of_another_event(organiser, evening):
    _event, entries = evening
    other, theirs = event_with("xyz")
    elsewhere = Actor(Kind.USER, user=MembershipFactory(club=other.club, role="organiser").user)
    penalty = give_penalty(actor=elsewhere, entry=theirs["x"], points=HALF, reason="theirs")
    mine = give_penalty(actor=organiser, entry=entries["a"], points=HALF, reason="mine", uid=penalty.uid)
    assert (mine.reason, mine.pk == penalty.pk) == ("mine", False)


def test_a_player_reads_their_own_reason_and_nobody_elses(organiser, evening):
    event, entries = evening
    for name in "ab":
        give_penalty(actor=organiser, entry=entries[name], points=HALF, reason=f"reason of {name}")
    address = reverse("api:penalties", args=[event.uid])
    own = bearer(credentials.derive(credentials.ENTRY, entries["a"].uid, entries["a"].generation))
    assert [row["reason"] for row in own.get(address).json()] == ["reason of a"]
    store.refresh(event.uid)
    phone = Client()
    secret = credentials.derive(credentials.ENTRY, entries["a"].uid, entries["a"].generation)
    page = phone.get(f"/me/{secret}/", follow=True).content.decode()
    assert "reason of a" in page
    assert "reason of b" not in page
    Event.objects.filter(pk=event.pk).update(standings_shown="later")
    hidden = phone.get(f"/e/{event.uid}/me/live/").content.decode()
    assert "reason of a" in hidden
    assert "data-place" not in hidden


def test_an_event_file_carries_penalties_and_tells_strangers_no_reasons(organiser, evening):
    event, entries = evening
    give_penalty(actor=organiser, entry=entries["a"], points=HALF, reason="late", number=1)
    take_back(actor=organiser, penalty=give_penalty(actor=organiser, entry=entries["b"], points=HALF, reason="no"))
    event.refresh_from_db()
    assert [each["reason"] for each in files.event_file(event, is_whole=False)["penalties"]] == ["", ""]
    actor, client = organiser_of(ClubFactory())
    club = actor.user.memberships.get().club
    whole = as_read(event)
    taken = client.post(f"/api/v1/clubs/{club.slug}/files/", whole, format="json")
    assert taken.status_code == 201, taken.json()
    copied = Event.objects.get(uid=taken.json()["event"])
    columns = ("points", "reason", "round", "taken_back_at", "created_at")
    assert list(copied.penalties.values_list(*columns)) == list(event.penalties.values_list(*columns))
    whole["penalties"][0]["points"] = "0.01"
    whole["event"]["id"] = new_id()
    wrong = client.post(f"/api/v1/clubs/{club.slug}/files/", whole, format="json")
    assert [each["code"] for each in wrong.json()["errors"]] == ["penalty-points"]


def as_read(event):
    """Return an event's file as a program reads it."""
    return json.loads(json.dumps(files.event_file(event, is_whole=True), cls=JSONEncoder))
