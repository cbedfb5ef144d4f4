"""Abuses 31, 47 and 48: taking over somebody else's person, reading what is not public, and names that deceive.

Every refusal has its control: the same call by whom it is for does what it says, so the call is a real one.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.models import StoredAnswer
from scoring.models import Attempt, Rating
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    DeliveryFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    RatingFactory,
    SeasonFactory,
    WebhookFactory,
)
from tests.faults.audit import settle
from tests.faults.counts import count
from tests.faults.phones import call, evenings, organiser_token, token_of
from tournaments.access import credentials
from tournaments.actors import Actor, Kind
from tournaments.models import Club, Entry, Event, Player, Role
from tournaments.services.credentials import create_token
from tournaments.services.merging import merge_players

OURS = {200, 201, 204, 409}  # done, or only the present state is against it


def owner_of(club: Club) -> str:
    """Return a token of a new owner of a club."""
    actor = Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.OWNER).user)
    return create_token(actor=actor, name="laptop")[1]


def takeover(port: int, victim: Player, club: Club, token: str) -> dict[str, int]:
    """Do to somebody what only they and their home club may do; return the answers."""
    path = f"/api/v1/players/{victim.uid}/"
    other = PlayerFactory(club=club)
    calls: list[tuple[str, str, str, Any]] = [
        ("rename", "PATCH", path, {"name": "Taken"}),
        ("link", "POST", f"{path}link/", {}),
        ("unlink", "DELETE", f"{path}link/", None),
        ("export", "GET", f"{path}export/", None),
        ("merge", "POST", f"{path}merge/", {"into": other.uid}),
        ("unmerge", "POST", f"{path}unmerge/", None),
        ("keep apart", "POST", f"/api/v1/clubs/{club.slug}/keep-apart/", {"players": [victim.uid, other.uid]}),
        ("enter", "POST", f"/api/v1/events/{EventFactory(club=club).uid}/entries/", {"player": victim.uid}),
        ("anonymise", "POST", f"{path}anonymise/", None),
    ]
    return {what: call(port, method, where, body, token=token).status for what, method, where, body in calls}


@pytest.mark.fault(31, "another club enters a person in a draft, then renames, links, exports, forgets or rates them")
def test_31_nobody_takes_over_a_person(stand, ledger, figures):
    home, other = ClubFactory(), ClubFactory()
    victim = RatingFactory(player=PlayerFactory(name="Victim", club=home), game="dix", tables=0).player
    before = Rating.objects.get(player=victim).rating
    attacker = owner_of(other)
    draft = EventFactory(club=other, status=Event.Status.DRAFT, is_public=False)
    entered = call(stand.port, "POST", f"/api/v1/events/{draft.uid}/entries/", {"player": victim.uid}, token=attacker)
    assert (entered.status, entered.code) == (403, "player-elsewhere")
    # Also where an earlier version let them in: the club knows the person, reads a link of theirs, and has no right.
    AffiliationFactory(club=other, player=victim)
    entry = EntryFactory(event=EventFactory(club=other), player=victim)
    seen = takeover(stand.port, victim, other, attacker)
    assert {what: status for what, status in seen.items() if status not in {403, 404}} == {}
    token = credentials.derive(credentials.ENTRY, entry.uid, entry.generation)
    path = f"/api/v1/players/{victim.uid}/"
    assert call(stand.port, "POST", f"{path}link/", {"token": token}, token=attacker).status == 403
    assert call(stand.port, "PATCH", path, {"name": "Taken"}, token=token).status == 403
    victim.refresh_from_db()
    assert (victim.name, victim.user, victim.merged_into, victim.home) == ("Victim", None, None, home)
    assert Rating.objects.get(player=victim).rating == before
    control = takeover(stand.port, PlayerFactory(club=home), home, owner_of(home))
    assert {what: status for what, status in control.items() if status not in OURS} == {}
    Rating.objects.filter(player=victim).delete()  # made by hand for this test
    figures.clean(f"{len(seen) + 3} calls refused, no rating moved; the home club does the same {len(control)}")


def texts(port: int, paths: list[str], token: str | None = None) -> str:
    """Return what pages and lists say to somebody, in one text."""
    answers = [call(port, "GET", path, token=token) for path in paths]
    return "".join(
        each.body.decode() if isinstance(each.body, bytes) else json.dumps(each.body, ensure_ascii=False)
        for each in answers
    )


@pytest.mark.fault(47, "an organiser's address, private events, former names, and names of a private club")
def test_47_what_is_not_public_is_nowhere(stand, ledger, figures):
    tables = evenings(2, confirmation="trust")
    there = tables[0]
    user = there.organiser.user
    assert user is not None
    type(user).objects.filter(pk=user.pk).update(name="", email="olga@secret.example")
    user.refresh_from_db()
    token = organiser_token(there)
    decided = call(
        stand.port,
        "POST",
        f"/api/v1/tables/{there.table.uid}/decision/",
        {
            "ranking": [{"player": entry.player.uid, "rank": rank} for rank, entry in enumerate(there.entries, 1)],
            "reason": "Ledger was right",
        },
        token=token,
    )
    assert decided.status in {200, 201}, decided
    assert ledger.report(tables[1]).status == 201
    settle()
    public = [
        f"/api/v1/events/{there.event.uid}/{what}/"
        for what in ("entries", "rounds", "results", "standings", "history")
    ] + [f"/api/v1/tables/{there.table.uid}/{what}" for what in ("", "reports/", "history/")]
    public += [f"/e/{there.event.uid}/", f"/e/{there.event.uid}/table/{there.table.uid}/"]
    for caller in (None, token, token_of(there.players[0])):
        assert "secret.example" not in texts(stand.port, public, caller)
    assert "secret.example" not in "".join(stand.log(name) for name in ("web", "worker", "beat"))

    # A private event leaves no trace in a public season, in statistics or on a profile.
    season = SeasonFactory(club=there.event.club)
    player = there.entries[0].player
    Event.objects.filter(pk=there.event.pk).update(season=season, status=Event.Status.FINISHED, name="Hush hush")
    AffiliationFactory(club=there.event.club, player=player)
    about = [f"/api/v1/players/{player.uid}/{what}" for what in ("", "events/", "statistics/dix/", "ratings/dix/")]
    about += [f"/api/v1/seasons/{season.uid}/standings/", f"/seasons/{season.uid}/", f"/players/{player.uid}/"]
    settle()
    assert "Hush hush" in texts(stand.port, about), "the control: it is there while the event is public"
    call(stand.port, "PATCH", f"/api/v1/events/{there.event.uid}/", {"public": False}, token=token)
    settle()
    for secret in ("Hush hush", there.event.uid):
        assert secret not in texts(stand.port, about)
    assert call(stand.port, "GET", about[2]).body["tables"] == 0
    assert call(stand.port, "GET", about[4]).body["rows"] == []
    Event.objects.filter(pk=there.event.pk).update(is_public=True, season=None, status=Event.Status.RUNNING)

    # A name that was forgotten is gone wherever it stood.
    assert_forgotten(stand, there, token)

    # A private club tells nobody whom it knows.
    private = ClubFactory(is_public=False)
    event = EventFactory(club=private, is_public=False)
    hidden = PlayerFactory(name="Quincy Adams", club=private)
    asked = [
        f"/api/v1/clubs/{private.slug}/players/?q=Qui",
        f"/api/v1/players/{hidden.uid}/",
        f"/clubs/{private.slug}/",
    ]
    asked += [f"/api/v1/join/{event.join_code}/", f"/players/{hidden.uid}/", "/api/v1/leaderboards/dix/"]
    assert "Quincy" not in texts(stand.port, asked)
    body = {"name": "Quincy Ádams", "join_code": event.join_code}
    assert call(stand.port, "POST", f"/api/v1/events/{event.uid}/entries/", body).status == 201, "no likeness is told"
    assert "Quincy" in texts(stand.port, asked[:2], owner_of(private))
    figures.clean("addresses, private events, former names, a private club's names: absent")


def assert_forgotten(stand: Any, there: Any, token: str) -> None:
    """Have somebody forgotten whose name stands in every kind of row that can hold one."""
    entry = there.entries[1]
    player = entry.player
    Player.objects.filter(pk=player.pk).update(name="Ledger")
    Entry.objects.filter(pk=entry.pk).update(name="Ledger")
    gone = EntryFactory(event=EventFactory(club=there.event.club), player__name="Ledger Junior").player
    merge_players(actor=there.organiser, gone=gone, kept=player)
    key = call(stand.port, "POST", f"/api/v1/entries/{entry.uid}/link/", token=token, key=f"kept-{entry.uid}")
    assert "Ledger" in json.dumps(key.body)
    Attempt.objects.create(table=there.table, code="report-invalid", sheet={"winner": "Ledger"}, author="entry")
    message = {"type": "round.seated", "data": {"seats": [{"player": player.uid, "name": "Ledger"}]}}
    DeliveryFactory(webhook=WebhookFactory(club=there.event.club, is_active=False), payload=message)
    owner = owner_of(there.event.club)
    forgotten = call(stand.port, "POST", f"/api/v1/players/{player.uid}/anonymise/", token=owner)
    assert forgotten.status == 200, forgotten
    paths = [f"/api/v1/events/{there.event.uid}/{what}/" for what in ("entries", "history", "standings", "results")]
    paths += [
        f"/api/v1/tables/{there.table.uid}/{what}" for what in ("", "reports/", "history/", "attempts/", "draft/")
    ]
    paths += [f"/api/v1/players/{player.uid}/export/", f"/api/v1/players/{gone.uid}/", f"/players/{player.uid}/"]
    for webhook in there.event.club.webhooks.all():
        paths.append(f"/api/v1/clubs/{there.event.club.slug}/webhooks/{webhook.uid}/deliveries/")
        assert "Ledger" not in json.dumps([each.payload for each in webhook.deliveries.all()])
    settle()
    assert "Ledger" not in texts(stand.port, paths, owner)
    again = call(stand.port, "POST", f"/api/v1/entries/{entry.uid}/link/", token=token, key=f"kept-{entry.uid}")
    assert "Ledger" not in json.dumps(again.body)
    assert "Ledger" not in json.dumps([each.body for each in StoredAnswer.objects.all()])


HIDING = [
    *("A\u200dna", "Ana\u200c", "Ana\ufe0f", "\u3164", "\u2800", "Ana\u3164", "Аna", "αna", "A\u0301\u0300\u0302na"),
    *("\u202eanA", "Ana\U000e0061", "...", "Ana\u034f", "\u115f", "ก" + "็" * 9, "Ana\u2060", "\U000e0100Ana"),
]
ALIKE = ["Сара", "CAPA", "Cápa", "Ｃａｐａ", "𝐂apa", "Capa.", "C a p a"]
LEGAL = [
    "نرم\u200cافزار",
    "क्\u200dष",
    "สมชาย กู้",
    "Nguyễn Ế",
    "שָּׁלוֹם",
    "김철수",
    "👩\u200d🚀",
    "葛\U000e0100城",
    "Ọlọ́run",
]


@pytest.mark.fault(48, "names that look the same or like nothing")
def test_48_names_that_deceive_are_refused_or_asked_about(stand, ledger, figures):
    event = EventFactory()
    EntryFactory(event=event, player__name="Capa")
    path = f"/api/v1/events/{event.uid}/entries/"

    def join(name: str, **more: Any) -> Any:
        return call(stand.port, "POST", path, {"name": name, "join_code": event.join_code, **more})

    for name in HIDING * count(1, 5):
        answer = join(name)
        assert (name, answer.status) == (name, 400)
    for name in ALIKE:
        answer = join(name)
        assert (name, answer.status) == (name, 409)
        assert answer.code in {"name-alike", "name-taken"}
        assert answer.body["suggestion"]
    for name in LEGAL:
        assert (name, join(name).status) == (name, 201)
    assert join("Сара", confirm_alike=True).status == 201, "who is somebody else goes on"
    assert join("Capi").status == 201, "the control: what does not look the same is not asked about"
    figures.clean(f"{len(HIDING)} refused, {len(ALIKE)} asked about, {len(LEGAL)} of other scripts taken")
