"""Who plays in an event, from which round on, and under which record."""

from __future__ import annotations

import pytest

from core import likeness
from tests.factories import MembershipFactory, PlayerFactory
from tests.tournaments.events import enter, event_of
from tests.web.phones import link_of
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import AlreadyEnteredError, NameAlikeError, NameTakenError, PlayerGoneError
from tournaments.models import Entry, Event, Player, Round
from tournaments.services import entries, rounds
from tournaments.services.joining import join
from tournaments.services.merging import merge_players
from tournaments.services.people import anonymise_player
from tournaments.services.proof import vouch

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser():
    return Actor(Kind.USER, user=MembershipFactory(role="owner").user)


@pytest.fixture
def event(organiser):
    return event_of(organiser.user.memberships.get().club)


def add(organiser, event, *names):
    return [entries.add_entry(actor=organiser, event=event, name=name) for name in names]


def seat(organiser, event, *tables):
    return rounds.open_round(actor=organiser, event=event, plan=rounds.Plan(tables=tables))


def first_round(entry):
    return Entry.objects.get(pk=entry.pk).first_round


def test_person_enters_once_whichever_of_their_records_did(organiser, event):
    gone, kept = PlayerFactory(club=event.club), PlayerFactory(club=event.club)
    enter(event, gone)
    merge_players(actor=organiser, gone=gone, kept=kept)
    for record in Player.objects.filter(pk__in=[gone.pk, kept.pk]):
        with pytest.raises(AlreadyEnteredError):
            entries.add_entry(actor=organiser, event=event, player=record)


def test_who_was_made_anonymous_meanwhile_does_not_enter_under_the_old_name(organiser, event):
    read_before = PlayerFactory(club=event.club)
    anonymise_player(actor=organiser, player=Player.objects.get(pk=read_before.pk))
    with pytest.raises(PlayerGoneError):
        entries.add_entry(actor=organiser, event=event, player=read_before)


def test_name_is_taken_in_any_case_also_outside_of_ascii(organiser, event):
    add(organiser, event, "Élodie")
    with pytest.raises(NameTakenError):
        add(organiser, event, "élodie")


@pytest.mark.parametrize("is_public", [True, False])
def test_a_name_that_looks_like_one_of_the_clubs_people_is_asked_about_where_the_club_is_public(event, is_public):
    event.club.is_public = is_public
    event.club.save()
    PlayerFactory(name="Ana", club=event.club)
    options = {"event": event, "code": event.join_code, "name": "Ána", "actor": NOBODY}
    if is_public:
        with pytest.raises(NameAlikeError) as refused:
            join(**options)
        assert refused.value.facts == {"alike": ["Ana"], "suggestion": "Ána 2"}
    assert join(**options, confirm_alike=True).name == "Ána"


def test_each_name_that_is_taken_is_looked_at_once_for_all_who_arrive(organiser, event, monkeypatch):
    """Nobody's evening waits for an event that somebody filled with every number behind names that look alike."""
    taken = ["Ina", *(f"lna {number}" for number in range(2, 60))]
    add(organiser, event, *taken)
    seen = []
    monkeypatch.setattr(likeness, "_looks", lambda name, looks=likeness._looks: seen.append(name) or looks(name))
    assert entries.free_name(event, "Ina") == "Ina 60"
    assert len(seen) <= 2 * len(taken) + 1
    seen.clear()
    arrivals = [entries.Arrival(name) for name in [*taken, "Ina 60", "Ina", "Bo", "Bo"]]
    refused = entries.add_entries(actor=organiser, event=event, arrivals=arrivals)
    suggested = [each.facts["suggestion"] for each in refused if isinstance(each, NameTakenError)]
    assert [suggested[0], *suggested[-2:]] == ["Ina 60", "Ina 61", "Bo 2"]
    assert len(suggested) == len(taken) + 2
    assert len(seen) <= 7 * len(taken)  # of those that are taken, of those that arrive, and of what is tried for them


def test_a_name_that_looks_like_one_in_the_event_is_asked_about_and_the_very_name_is_taken(organiser, event):
    add(organiser, event, "Capa")
    with pytest.raises(NameAlikeError):
        join(event=event, code=event.join_code, name="Сара", actor=NOBODY)
    with pytest.raises(NameTakenError):
        join(event=event, code=event.join_code, name="capa", actor=NOBODY, confirm_alike=True)
    assert join(event=event, code=event.join_code, name="Сара", actor=NOBODY, confirm_alike=True).is_verified


@pytest.mark.parametrize("how", ["proof", "claim"])
def test_a_known_name_that_looks_like_one_in_the_event_has_a_number(organiser, event, how):
    add(organiser, event, "Aca Soc")
    add(organiser, event, "Aca Soc 2")
    twin = PlayerFactory(name="Аса Ѕос", club=event.club)
    earlier = enter(event_of(event.club, name="Last week"), twin)
    who = {"proof": link_of(earlier)} if how == "proof" else {"player": twin}
    assert join(event=event, code=event.join_code, actor=NOBODY, **who).name == f"{twin.name} 3"


def test_a_club_knows_whom_it_enters_beside_a_name_that_looks_like_theirs(organiser, event):
    (entry,) = add(organiser, event, "Capa")
    twins = [PlayerFactory(name=name, club=event.club) for name in ("Сара", "Cápa")]
    assert entries.add_entry(actor=organiser, event=event, player=twins[0]).name == "Сара"
    assert entries.substitute(actor=organiser, entry=entry, player=twins[1]).name == "Cápa"


def test_an_earlier_phone_vouches_also_after_its_record_was_merged(organiser, event):
    gone, kept = PlayerFactory(club=event.club), PlayerFactory(club=event.club)
    earlier = enter(event_of(event.club, name="Last week"), gone)
    merge_players(actor=organiser, gone=gone, kept=kept)
    entry = join(event=event, code=event.join_code, player=kept, actor=NOBODY)
    earlier = Entry.objects.get(pk=earlier.pk)
    assert vouch(actor=Actor(Kind.ENTRY, entry=earlier), entry=entry).is_verified


def test_latecomer_who_is_seated_by_hand_plays_from_that_round(organiser, event):
    players = add(organiser, event, "A", "B", "C")
    seated = seat(organiser, event, players)
    (late,) = add(organiser, event, "Late")
    assert late.first_round == 2
    table = seated.tables.get()
    tables = {table.uid: [entry.uid for entry in (*players, late)]}
    rounds.move_seats(actor=organiser, event=event, number=1, tables=tables)
    assert first_round(late) == 1


def test_latecomer_plays_from_the_round_that_is_seated_anew(organiser, event):
    players = add(organiser, event, "A", "B", "C")
    seat(organiser, event, players)
    (late,) = add(organiser, event, "Late")
    rounds.change_status(actor=organiser, event=event, number=1, status="cancelled")
    seat(organiser, event, [*players, late])
    assert first_round(late) == 1


def test_substitute_plays_from_the_round_of_the_seat(organiser, event):
    players = add(organiser, event, "A", "B", "C")
    Event.objects.update(format="open")
    before = seat(organiser, event, players)
    before.refresh_from_db()
    Round.objects.create(event=event, number=2, kind="open", status="closed")
    new = entries.substitute(actor=organiser, entry=players[0], name="Sub")
    assert (new.first_round, first_round(players[0])) == (1, 1)
    table = Round.objects.get(number=1).tables.get()
    assert (table.version, table.round.version) == (2, before.version + 1)
