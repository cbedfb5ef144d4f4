"""Who a phone is: proofs, codes, answers for those who have none, and entries that are taken back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from functools import partial

import pytest
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from tests.factories import (
    ActionFactory,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    SeatFactory,
    UserFactory,
)
from tests.interleaving import meanwhile
from tests.tournaments.events import enter, event_of
from tests.web.phones import link_of
from tournaments import selectors
from tournaments.access import credentials
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import (
    AlreadyEnteredError,
    EntriesUnprovenError,
    EntryStatusError,
    EventFullError,
    ForbiddenError,
    JoiningBusyError,
    JoiningClosedError,
    MergeConflictError,
    PlayerElsewhereError,
    ProofNeededError,
    ProofWrongError,
)
from tournaments.models import Action, Affiliation, Entry, Event, Joining, KeepApart, Penalty, Player
from tournaments.services import attendance, entries, events, joining, people, proof, rounds
from tournaments.services.history import allow_rewriting
from tournaments.services.merging import merge, merge_players, unmerge_player
from tournaments.services.penalties import give_penalty

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return ClubFactory()


@pytest.fixture
def organiser(club):
    return Actor(Kind.USER, user=MembershipFactory(club=club).user)


@pytest.fixture
def event(club):
    return event_of(club, status=Event.Status.RUNNING)


@pytest.fixture
def ana(club):
    return PlayerFactory(name="Ana", club=club)


@pytest.fixture
def before(club, ana):
    """Ana's entry in an earlier evening of her club, which is over."""
    return enter(event_of(club, name="Last week", status=Event.Status.FINISHED), ana)


def join(event, actor=NOBODY, **fields):
    return joining.join(event=event, code=event.join_code, actor=actor, **fields)


def claim(event, player):
    """Join as somebody, without a proof."""
    return join(event, player=player)


def phone(entry):
    return Actor(Kind.ENTRY, entry=Entry.objects.select_related("event__club", "player").get(pk=entry.pk))


def code_of(entry):
    code, _ = proof.shown_code(proof.show_code(actor=phone(entry), entry=entry))
    return code


# --- Joining ----------------------------------------------------------------------------------------------------


def test_without_a_proof_a_known_name_is_played_by_a_record_of_its_own(event, ana):
    entry = claim(event, ana)
    assert (entry.claims, entry.is_verified, entry.name) == (ana, False, "Ana")
    assert entry.player != ana
    assert not entry.player.is_anonymous
    assert not ana.entries.exists(), "nothing is attached to Ana"


def test_a_link_of_an_earlier_evening_proves(event, ana, before):
    entry = join(event, player=ana, proof=link_of(before))
    assert (entry.player, entry.claims, entry.is_verified) == (ana, None, True)


def test_a_proof_alone_says_who_joins(event, ana, before):
    assert join(event, proof=link_of(before)).player == ana


def test_an_account_proves(event, ana):
    user = MembershipFactory().user
    Player.objects.filter(pk=ana.pk).update(user=user)
    assert join(event, Actor(Kind.USER, user=user), player=ana).player == ana


def test_a_code_proves_once(club, event, ana, before):
    code = code_of(before)
    assert join(event, proof=f" {code[:4].lower()} {code[4:]}").player == ana
    with pytest.raises(ProofWrongError):
        join(event_of(club), proof=code)


def test_a_code_is_good_for_ten_minutes(event, before):
    code = code_of(before)
    Entry.objects.filter(pk=before.pk).update(code_since=timezone.now() - proof.GOOD_FOR - dt.timedelta(seconds=1))
    with pytest.raises(ProofWrongError):
        join(event, proof=code)
    assert proof.shown_code(Entry.objects.get(pk=before.pk)) is None


@pytest.mark.parametrize("ahead", [dt.timedelta(hours=1), dt.timedelta(days=365)])
def test_a_code_of_a_clock_that_was_ahead_is_over(event, before, set_ahead, ahead):
    set_ahead(ahead)
    code = code_of(before)
    set_ahead(dt.timedelta())
    with pytest.raises(ProofWrongError):
        join(event, proof=code)
    assert proof.shown_code(Entry.objects.get(pk=before.pk)) is None
    assert join(event, proof=code_of(before)).player == before.player, "the next one is good"


def test_a_second_code_ends_the_first(event, before):
    first = code_of(before)
    Entry.objects.filter(pk=before.pk).update(code_since=timezone.now() - dt.timedelta(minutes=1))
    second = code_of(before)
    assert first != second
    with pytest.raises(ProofWrongError):
        join(event, proof=first)


def test_a_code_that_was_not_taken_is_still_good(club, event, ana, before):
    entry = claim(event, ana)
    code = code_of(before)
    with pytest.raises(AlreadyEnteredError) as refused:
        join(event, proof=code)
    assert refused.value.facts == {"entry": entry.uid, "can_take_back": True}
    assert proof.take_back(actor=NOBODY, entry=entry, proof=code).player.person_id == ana.pk


@pytest.mark.parametrize("kind", ["made up", "other player", "unproven", "renewed", "of an event elsewhere", "code"])
def test_what_proves_nothing_is_refused_and_nobody_enters(club, event, ana, before, kind):
    match kind:
        case "made up":
            secret = link_of(before)[:-1] + "x"
        case "other player":
            secret = link_of(EntryFactory(event=before.event))
        case "unproven":
            secret = link_of(claim(event_of(club), ana))
        case "renewed":
            secret = link_of(before)
            Entry.objects.filter(pk=before.pk).update(generation=2)
        case "of an event elsewhere":  # whose organisers can read the link
            secret = link_of(enter(EventFactory(), ana))
        case _:
            secret = "23456789"
    with pytest.raises(ProofWrongError):
        join(event, player=ana, proof=secret)
    assert not event.entries.exists()


def test_only_a_phone_that_proves_shows_a_code(club, event, ana, before):
    for entry in (claim(event, ana), enter(EventFactory(), ana)):
        with pytest.raises(ForbiddenError):
            proof.show_code(actor=phone(entry), entry=entry)
    with pytest.raises(ForbiddenError):
        proof.show_code(actor=phone(EntryFactory()), entry=before)


def test_somebody_known_elsewhere_joins_by_themselves_only(event):
    guest = PlayerFactory(club=ClubFactory())
    home = enter(event_of(guest.home), guest)
    with pytest.raises(ProofNeededError):
        join(event, player=guest)
    entry = join(event, player=guest, proof=link_of(home))
    assert (entry.player, entry.is_verified) == (guest, True)
    assert Player.objects.get(pk=guest.pk).home == home.event.club


def test_nobody_says_to_be_a_phone_for_which_nobody_has_answered(club, event, ana, organiser):
    """Else one answer would wait for another, and nobody of the event could be vouched for at once."""
    unanswered = claim(event_of(club), ana)
    with pytest.raises(ProofNeededError):
        claim(event, unanswered.player)
    known = claim(event, PlayerFactory(name="Ben", club=club))
    assert proof.answer_all(actor=organiser, event=event, answer=proof.Answer.VOUCH) == [known]
    proof.reject(actor=organiser, entry=unanswered)
    assert claim(event, unanswered.player).claims == unanswered.player, "they are somebody by now"


def test_two_phones_cannot_be_one_person(event, ana, organiser):
    claim(event, ana)
    with pytest.raises(AlreadyEnteredError):
        claim(event, ana)
    with pytest.raises(AlreadyEnteredError):
        entries.add_entry(actor=organiser, event=event, player=ana)


def test_whom_a_phone_says_to_be_is_kept_apart_as_well(club, event, ana):
    other = enter(event, PlayerFactory(club=club))
    first, second = sorted([ana, other.player], key=lambda player: player.pk)
    KeepApart.objects.create(club=club, first=first, second=second)
    entry = claim(event, ana)
    assert set(rounds.apart(event, event.entries.all())[0]) == {entry.uid, other.uid}


# --- Answers ----------------------------------------------------------------------------------------------------


def test_vouching_makes_the_two_records_one_person_and_can_be_taken_back(event, ana, organiser):
    entry = claim(event, ana)
    vouched = proof.vouch(actor=organiser, entry=entry)
    assert (vouched.is_verified, vouched.claims, vouched.player.person_id) == (True, None, ana.pk)
    unmerge_player(actor=organiser, player=Player.objects.get(pk=entry.player_id))
    assert Entry.objects.get(pk=entry.pk).player.person_id == entry.player_id


def test_who_was_vouched_for_goes_with_the_record_that_the_phone_named(club, event, ana, organiser):
    bea, cleo = PlayerFactory(name="Bea", club=club), PlayerFactory(name="Cleo", club=club)
    entry = claim(event, ana)
    merge_players(actor=organiser, gone=ana, kept=bea)
    merge_players(actor=organiser, gone=bea, kept=cleo)
    proof.vouch(actor=organiser, entry=entry)
    assert Entry.objects.get(pk=entry.pk).player.person_id == cleo.pk
    for record in (bea, ana):
        unmerge_player(actor=organiser, player=Player.objects.get(pk=record.pk))
        assert Entry.objects.get(pk=entry.pk).player.person_id == record.pk
    unmerge_player(actor=organiser, player=Player.objects.get(pk=entry.player_id))
    assert Entry.objects.get(pk=entry.pk).player.person_id == entry.player_id


def test_a_vouching_that_was_taken_back_goes_with_nobody(club, event, ana, organiser):
    bea = PlayerFactory(name="Bea", club=club)
    entry = claim(event, ana)
    merge_players(actor=organiser, gone=ana, kept=bea)
    proof.vouch(actor=organiser, entry=entry)
    unmerge_player(actor=organiser, player=Player.objects.get(pk=entry.player_id))
    assert Entry.objects.get(pk=entry.pk).player.person_id == entry.player_id
    merge_players(actor=organiser, gone=Player.objects.get(pk=entry.player_id), kept=bea)
    unmerge_player(actor=organiser, player=Player.objects.get(pk=ana.pk))
    assert Entry.objects.get(pk=entry.pk).player.person_id == bea.pk, "the organiser said that it is Bea"


def test_nobody_is_vouched_for_as_somebody_from_whom_they_are_parted_meanwhile(club, event, ana, organiser):
    bea = PlayerFactory(name="Bea", club=club)
    entry = claim(event, ana)
    merge_players(actor=organiser, gone=ana, kept=bea)

    def part() -> None:
        unmerge_player(actor=organiser, player=Player.objects.get(pk=ana.pk))

    with meanwhile(Entry, part), pytest.raises(EntryStatusError):
        proof.vouch(actor=organiser, entry=entry)
    assert Entry.objects.get(pk=entry.pk).claims == ana, "it still waits for an answer"


def test_rejecting_leaves_them_two(event, ana, organiser):
    entry = claim(event, ana)
    seat = SeatFactory(entry=entry, table__round__event=event)
    rejected = proof.reject(actor=organiser, entry=entry)
    assert (rejected.player, rejected.claims, rejected.is_verified) == (entry.player, None, True)
    assert seat.entry.player.person_id == entry.player_id
    assert claim(event, ana).claims == ana, "Ana is free again"
    with pytest.raises(EntryStatusError):
        proof.reject(actor=organiser, entry=rejected)


@pytest.mark.parametrize("answer", [proof.vouch, proof.reject])
def test_only_organisers_of_the_club_answer(club, event, ana, answer):
    entry = claim(event, ana)
    scorekeeper = Actor(Kind.USER, user=MembershipFactory(club=club, role="scorekeeper").user)
    elsewhere = Actor(Kind.USER, user=MembershipFactory(role="owner").user)
    for actor in (NOBODY, phone(entry), scorekeeper, elsewhere):
        with pytest.raises(ForbiddenError):
            answer(actor=actor, entry=entry)


def test_a_phone_proves_after_it_joined(event, ana, before):
    entry = claim(event, ana)
    with pytest.raises(ProofWrongError):
        proof.vouch(actor=phone(entry), entry=entry, proof="23456789")
    assert proof.vouch(actor=phone(entry), entry=entry, proof=code_of(before)).is_verified


def test_all_are_answered_at_once_or_those_named(club, event, organiser):
    claims = [claim(event, PlayerFactory(club=club)) for _ in range(4)]
    proof.answer_all(actor=organiser, event=event, answer=proof.Answer.REJECT, uids=[claims[0].uid, "nobody"])
    assert [entry.uid for entry in proof.unproven(event)] == [entry.uid for entry in claims[1:]]
    assert len(proof.answer_all(actor=organiser, event=event, answer=proof.Answer.VOUCH)) == 3
    assert proof.answer_all(actor=organiser, event=event, answer=proof.Answer.VOUCH) == []
    claim(event, PlayerFactory(club=club))
    with pytest.raises(ForbiddenError):
        proof.answer_all(actor=NOBODY, event=event, answer=proof.Answer.VOUCH)


def test_finishing_asks(event, ana, organiser):
    entry = claim(event, ana)
    with pytest.raises(EntriesUnprovenError) as asked:
        events.change_status(actor=organiser, event=event, status="finished")
    assert asked.value.facts == {"entries": [{"id": entry.uid, "name": "Ana", "claims": ana.uid}]}
    proof.reject(actor=organiser, entry=entry)
    assert events.change_status(actor=organiser, event=event, status="finished").status == "finished"


@pytest.mark.parametrize("is_all", [True, False])
def test_whoever_went_elsewhere_keeps_no_evening_from_ending(event, ana, organiser, is_all):
    """Their new home club alone vouches; that a phone goes on as somebody new is for the club whose evening it is."""
    claimed = claim(event, ana)
    elsewhere = PlayerFactory(club=ClubFactory())
    merge(ana, elsewhere, by=NOBODY)
    with pytest.raises(ForbiddenError):
        proof.vouch(actor=organiser, entry=claimed)
    with pytest.raises(ForbiddenError):
        proof.answer_all(actor=organiser, event=event, answer=proof.Answer.VOUCH)
    for stranger in (NOBODY, phone(claimed), Actor(Kind.USER, user=MembershipFactory().user)):
        with pytest.raises(ForbiddenError):
            proof.reject(actor=stranger, entry=claimed)
    if is_all:
        proof.answer_all(actor=organiser, event=event, answer=proof.Answer.REJECT)
    else:
        proof.reject(actor=organiser, entry=claimed)
    claimed.refresh_from_db()
    assert (claimed.claims, claimed.player.merged_into) == (None, None)
    events.change_status(actor=organiser, event=event, status=Event.Status.FINISHED)


def test_whoever_went_elsewhere_keeps_no_other_phone_from_being_vouched_for(club, event, ana, organiser):
    claimed, other = claim(event, ana), claim(event, PlayerFactory(name="Bo", club=club))
    merge(ana, PlayerFactory(club=ClubFactory()), by=NOBODY)
    with pytest.raises(ForbiddenError):
        proof.answer_all(actor=organiser, event=event, answer=proof.Answer.VOUCH, uids=[claimed.uid, other.uid])
    assert proof.answer_all(actor=organiser, event=event, answer=proof.Answer.VOUCH) == [other]
    assert list(proof.unproven(event)) == [claimed]


def test_who_was_made_anonymous_is_forgotten_where_a_phone_said_to_be_them(club, event, ana, organiser):
    entry = claim(event, ana)
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role="owner").user)
    people.anonymise_player(actor=owner, player=ana)
    entry.refresh_from_db()
    assert "Ana" not in {entry.name, entry.player.name}
    assert not [action for action in event.actions.all() if "Ana" in f"{action.actor} {action.facts}"]
    vouched = proof.vouch(actor=organiser, entry=entry)
    assert vouched.player.person_id == entry.player_id, "nobody becomes a person that was forgotten"


# --- Taking back ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_kept", [True, False])
def test_nobody_is_merged_with_their_neighbour_while_a_phone_says_to_be_them(event, ana, organiser, club, is_kept):
    neighbour = entries.add_entry(actor=organiser, event=event, player=PlayerFactory(name="Bo", club=club)).player
    joining.join(event=event, code=event.join_code, actor=NOBODY, player=ana)
    pair = {"gone": neighbour, "kept": ana} if is_kept else {"gone": ana, "kept": neighbour}
    with pytest.raises(MergeConflictError, match="a phone says that it is the other"):
        merge_players(actor=organiser, **pair)


def test_who_was_merged_with_a_neighbour_of_their_claim_can_be_forgotten(club, event, ana, organiser):
    neighbour = entries.add_entry(actor=organiser, event=event, player=PlayerFactory(name="Bo", club=club)).player
    joining.join(event=event, code=event.join_code, actor=NOBODY, player=ana)
    Player.objects.filter(pk=neighbour.pk).update(merged_into=ana)  # as it could be done once
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role="owner").user)
    name = people.anonymise_player(actor=owner, player=ana).name
    assert set(event.entries.values_list("name", flat=True)) == {name, f"{name} (2)"}


def test_the_player_takes_their_entry_back_and_the_other_phone_is_out(event, ana, before):
    entry = claim(event, ana)
    stranger = link_of(entry)
    taken = proof.take_back(actor=phone(before), entry=entry)
    assert (taken.player.person_id, taken.is_verified, taken.claims) == (ana.pk, True, None)
    assert entries.earlier_phone(stranger) is None
    assert entries.earlier_phone(link_of(taken)) is not None
    assert proof.was_taken_back(stranger, event)
    assert not proof.was_taken_back(link_of(taken), event)
    assert event.actions.filter(verb="entry-taken-back", actor="player Ana").exists()


def test_a_link_that_was_only_renewed_was_not_taken_back(event, ana, organiser):
    entry = claim(event, ana)
    entries.renew_link(actor=organiser, entry=entry)
    assert not proof.was_taken_back(link_of(entry), event)


def test_nobody_else_takes_an_entry(event, ana, before):
    entry = claim(event, ana)
    for actor in (NOBODY, phone(entry), phone(EntryFactory(event=event))):
        with pytest.raises(ForbiddenError):
            proof.take_back(actor=actor, entry=entry)
    with pytest.raises(ProofWrongError):
        proof.take_back(actor=NOBODY, entry=entry, proof=link_of(EntryFactory(event=event)))


def test_a_stranger_who_was_vouched_for_by_mistake_is_out_as_well(event, ana, before, organiser):
    entry = proof.vouch(actor=organiser, entry=claim(event, ana))
    stranger = link_of(entry)
    proof.take_back(actor=phone(before), entry=entry)
    assert entries.earlier_phone(stranger) is None


@pytest.mark.parametrize("how", ["renew", "leave", "code", "take back"])
def test_a_phone_whose_link_ended_while_it_waited_gets_no_other(event, ana, before, organiser, how):
    """It was let in by the link of before, and waits for the one that takes the entry back."""
    entry = claim(event, ana)
    if how in {"code", "take back"}:
        entry = proof.vouch(actor=organiser, entry=entry)
    stranger = phone(entry)
    taken = proof.take_back(actor=phone(before), entry=entry)
    ways = {
        "renew": entries.renew_link,
        "leave": partial(entries.change_status, status=Entry.Status.DROPPED),
        "code": proof.show_code,
        "take back": proof.take_back,
    }
    with pytest.raises(ForbiddenError):
        ways[how](actor=stranger, entry=stranger.entry)
    assert entries.earlier_phone(link_of(taken)) is not None


# --- How many ---------------------------------------------------------------------------------------------------


def test_joining_is_closed_and_opened(event, organiser):
    events.edit_event(actor=organiser, event=event, fields={"joining": Joining.CLOSED})
    with pytest.raises(JoiningClosedError):
        join(event, name="Bo")
    assert entries.add_entry(actor=organiser, event=event, name="Bo").name == "Bo", "organisers still enter people"
    events.edit_event(actor=organiser, event=event, fields={"joining": Joining.OPEN})
    assert join(event, name="Cleo").name == "Cleo"


def test_no_more_than_the_cap_join(event, organiser):
    events.edit_event(actor=organiser, event=event, fields={"most_entries": 2})
    join(event, name="Ana")
    join(event, name="Bo")
    with pytest.raises(EventFullError):
        join(event, name="Cleo")
    assert entries.add_entry(actor=organiser, event=event, name="Cleo")
    events.edit_event(actor=organiser, event=event, fields={"most_entries": None})
    assert join(event, name="Dai")


def test_a_flood_is_held_up_and_the_next_minute_is_open(event, monkeypatch):
    monkeypatch.setattr(joining, "MOST_A_MINUTE", 3)
    for number in range(3):
        join(event, name=f"Phone {number}")
    with pytest.raises(JoiningBusyError):
        join(event, name="Bo")
    Entry.objects.update(created_at=timezone.now() - joining.A_MINUTE)
    assert join(event, name="Bo")


def test_whom_the_club_enters_at_once_is_no_flood(event, organiser, monkeypatch):
    monkeypatch.setattr(joining, "MOST_A_MINUTE", 3)
    attendance.add_names(actor=organiser, event=event, names=[f"Guest {number}" for number in range(5)])
    for number in range(3):
        join(event, name=f"Phone {number}")
    with pytest.raises(JoiningBusyError):
        join(event, name="Bo")


def test_a_player_takes_their_entry_back_though_joining_is_closed(event, ana, before):
    entry = claim(event, ana)
    Event.objects.update(joining=Joining.CLOSED)
    with pytest.raises(AlreadyEnteredError):
        join(event, proof=link_of(before))
    assert proof.take_back(actor=NOBODY, entry=entry, proof=link_of(before)).is_verified


def test_a_new_code_ends_the_old_one(event, organiser):
    old = event.join_code
    renewed = joining.renew_code(actor=organiser, event=event)
    assert renewed.join_code != old
    with pytest.raises(joining.WrongCodeError):
        joining.join(event=renewed, code=old, name="Bo", actor=NOBODY)
    with pytest.raises(ForbiddenError):
        joining.renew_code(actor=NOBODY, event=event)


def test_codes_are_long_enough_that_all_guesses_of_ten_minutes_find_none(before):
    code = credentials.one_time_code(before.uid, 1, timezone.now())
    assert len(code) == 8
    guesses = 10 * 60 * 1000  # a thousand a second
    assert guesses / 31 ** len(code) < 1e-6


def test_who_said_to_be_somebody_and_was_not_keeps_no_name_of_theirs_that_is_forgotten(club, organiser, event, ana):
    """The phone was given the name because it said so; in the same event nobody could tell whose it is in a text."""
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role="owner").user)
    stranger = join(event, player=ana)
    proof.reject(actor=organiser, entry=stranger)
    real = entries.add_entry(actor=organiser, event=event, player=ana)
    give_penalty(actor=organiser, entry=real, points=Decimal(1), reason="Ana came late")
    people.rename_player(actor=owner, player=ana, name="Anna Lindqvist")
    people.anonymise_player(actor=owner, player=ana)
    stranger.refresh_from_db()
    assert stranger.name == stranger.player.name == f"Player {stranger.player.uid[:4]}"
    assert not stranger.player.is_anonymous, "it is somebody of its own"
    real.refresh_from_db()
    assert real.name == f"Player {ana.uid[:4]}"
    assert "Ana" not in Penalty.objects.get().reason
    told = [(action.actor, action.reason, action.facts) for action in Action.objects.all()]
    assert "Ana" not in str(told)


def test_who_was_given_another_name_since_keeps_it_when_somebody_is_forgotten(club, organiser, event, ana):
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role="owner").user)
    stranger = join(event, player=ana)
    proof.reject(actor=organiser, entry=stranger)
    people.rename_player(actor=organiser, player=stranger.player, name="Bo")
    EntryFactory(event=event, player__name="Bo", name="Bo")
    people.anonymise_player(actor=owner, player=ana)
    assert Player.objects.get(pk=stranger.player_id).name == "Bo"
    stranger.refresh_from_db()
    assert stranger.name == "Bo 2", "there is another"
    assert "Ana" not in str([(action.actor, action.facts) for action in Action.objects.all()])


def test_record_with_a_name_of_its_own_keeps_it_where_it_was_merged_too(club, organiser, event, ana):
    owner = owner_of(club)
    stranger = join(event, player=ana)
    proof.reject(actor=organiser, entry=stranger)
    people.rename_player(actor=organiser, player=stranger.player, name="Ben")
    record = Player.objects.get(pk=stranger.player_id)
    merge_players(actor=owner, gone=record, kept=PlayerFactory(name="Carla", club=club))
    people.anonymise_player(actor=owner, player=ana)
    assert unmerge_player(actor=owner, player=Player.objects.get(pk=record.pk)).name == "Ben"


def test_who_is_known_as_somebody_else_by_now_keeps_no_name_that_is_forgotten(club, organiser, event, ana):
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role="owner").user)
    stranger = join(event, player=ana)
    proof.reject(actor=organiser, entry=stranger)
    bo = EntryFactory(event=event_of(club), player=PlayerFactory(name="Bo", club=club), name="Bobby")
    merge_players(actor=owner, gone=stranger.player, kept=bo.player)
    people.anonymise_player(actor=owner, player=ana)
    stranger.refresh_from_db()
    assert stranger.name == stranger.player.name == "Bo"
    bo.refresh_from_db()
    assert (bo.name, bo.player.name) == ("Bobby", "Bo"), "what they played elsewhere keeps its name"
    assert "Ana" not in str([(action.actor, action.facts) for action in Action.objects.all()])


def test_who_rejected_a_stranger_under_a_former_name_keeps_it_nowhere(club, organiser, event, ana, before):
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role="owner").user)
    people.rename_player(actor=organiser, player=ana, name="Lindqvist")
    stranger = join(event, player=ana)
    proof.reject(actor=Actor(Kind.ENTRY, entry=before), entry=stranger)
    assert Action.objects.filter(actor=f"player {before.name}", verb="claim-rejected").exists()
    people.anonymise_player(actor=owner, player=ana)
    told = str([(action.actor, action.facts) for action in Action.objects.filter(event=event)])
    assert before.name not in told
    assert "Lindqvist" not in told


@pytest.mark.parametrize("is_member", [False, True])
def test_the_history_tells_by_no_account_who_somebody_was(club, organiser, event, ana, is_member):
    user = UserFactory(name="Ana Gamma")
    if is_member:
        MembershipFactory(club=club, user=user)
    Player.objects.filter(pk=ana.pk).update(user=user)
    me = Actor(Kind.USER, user=user)
    entry = joining.join(event=event, code=event.join_code, player=ana, actor=me)
    ActionFactory(event=event, verb="claim-rejected", actor=me.label, user=user, facts={"entry": entry.uid})
    ActionFactory(event=event, verb="reported", actor=me.label, user=user)
    people.anonymise_player(actor=me, player=ana)
    said = Action.objects.filter(Q(actor=me.label) | Q(user=user)).values_list("verb", flat=True)
    assert list(said) == (["reported"] if is_member else []), "what a member did for the club stays"


def tell_everything(event):
    return str([(action.actor, action.reason, action.facts) for action in Action.objects.filter(event=event)])


def owner_of(club):
    return Actor(Kind.USER, user=MembershipFactory(club=club, role="owner").user)


@pytest.mark.parametrize("is_member", [False, True])
def test_who_rejected_a_stranger_by_their_account_is_in_no_history(club, event, ana, is_member):
    """They are not in that event, and an id beside it says whom the stranger named."""
    user = UserFactory(name="Anastasia")
    if is_member:
        MembershipFactory(club=club, user=user)
    Player.objects.filter(pk=ana.pk).update(user=user)
    stranger = claim(event, ana)
    proof.reject(actor=Actor(Kind.USER, user=user), entry=stranger)
    people.anonymise_player(actor=owner_of(club), player=ana)
    assert "Anastasia" not in tell_everything(event)
    assert not Action.objects.filter(user=user).exists()


@pytest.mark.parametrize("is_deleted", [True, False])
def test_who_was_parted_from_their_account_is_not_told_by_its_name(club, organiser, event, ana, is_deleted):
    user = UserFactory(name=ana.name)
    Player.objects.filter(pk=ana.pk).update(user=user)
    join(event, player=ana, actor=Actor(Kind.USER, user=user))
    stranger = claim(event_of(club, status=Event.Status.RUNNING), ana)
    proof.reject(actor=Actor(Kind.USER, user=user), entry=stranger)
    if is_deleted:
        user.delete()
    else:
        people.unlink_player(actor=organiser, player=ana)
    people.anonymise_player(actor=owner_of(club), player=Player.objects.get(pk=ana.pk))
    assert "Ana" not in tell_everything(event) + tell_everything(stranger.event)


@pytest.mark.parametrize("is_written_down", [True, False])
@pytest.mark.parametrize("has_account", [True, False])
def test_who_took_back_what_was_not_theirs_is_in_no_history(club, ana, before, has_account, is_written_down):
    """They were merged with somebody of another club by mistake, and parted again: that club knows them no more."""
    elsewhere = ClubFactory()
    user = UserFactory(name="Ana")
    Player.objects.filter(pk=ana.pk).update(user=user)
    gus = PlayerFactory(name="Gus", club=elsewhere)
    entry = enter(event_of(elsewhere, status=Event.Status.RUNNING), gus)
    merge(gus, ana, by=NOBODY)
    proof.take_back(actor=Actor(Kind.USER, user=user) if has_account else phone(before), entry=entry)
    unmerge_player(actor=owner_of(elsewhere), player=gus)
    if is_written_down:
        Entry.objects.filter(pk=before.pk).update(name="Anna")  # in the admin
        Player.objects.filter(pk=ana.pk).update(name="Anna")
    else:  # what an earlier version did
        for action in Action.objects.filter(verb="entry-taken-back"):
            facts = {name: value for name, value in action.facts.items() if name != "by"}
            with transaction.atomic():
                allow_rewriting()
                Action.objects.filter(pk=action.pk).update(facts=facts)
    people.anonymise_player(actor=owner_of(club), player=Player.objects.get(pk=ana.pk))
    assert "Ana" not in tell_everything(entry.event)
    entry.refresh_from_db()
    assert entry.name == "Gus"


def test_who_has_the_name_of_somebody_they_were_merged_with_keeps_it_where_they_acted(club, ana, before):
    elsewhere = ClubFactory()
    other = PlayerFactory(name="Ana", club=elsewhere)
    entry = enter(event_of(elsewhere, status=Event.Status.RUNNING), other)
    last_week = enter(event_of(elsewhere), other)
    merge(other, ana, by=NOBODY)
    unmerge_player(actor=owner_of(elsewhere), player=other)
    entries.change_status(actor=phone(entry), entry=entry, status="dropped")
    proof.take_back(actor=phone(last_week), entry=Entry.objects.get(pk=entry.pk))
    people.anonymise_player(actor=owner_of(club), player=Player.objects.get(pk=ana.pk))
    assert set(Action.objects.filter(event=entry.event).values_list("actor", flat=True)) == {"player Ana"}


def test_who_withdrew_is_taken_in_again_by_nobody_but_themselves_and_their_club(club, ana):
    """Else a club rates down somebody else's player who left, with people of its own."""
    elsewhere = ClubFactory()
    host = Actor(Kind.USER, user=MembershipFactory(club=elsewhere).user)
    event = event_of(elsewhere, status=Event.Status.RUNNING)
    entry = enter(event, ana)
    herself = Actor(Kind.ENTRY, entry=entry)
    entries.change_status(actor=herself, entry=entry, status="dropped")
    for status in ("checked_in", "registered"):
        with pytest.raises(PlayerElsewhereError):
            entries.change_status(actor=host, entry=entry, status=status)
    entries.change_status(actor=herself, entry=entry, status="checked_in")
    entries.change_status(actor=host, entry=entry, status="dropped")
    assert entries.change_status(actor=host, entry=entry, status="checked_in"), "the club's own mistake"
    entries.substitute(actor=host, entry=Entry.objects.get(pk=entry.pk), name="Wrong one")
    assert entries.change_status(actor=host, entry=entry, status="checked_in"), "and this one"
    own = enter(event, PlayerFactory(club=elsewhere))
    entries.change_status(actor=Actor(Kind.ENTRY, entry=own), entry=own, status="dropped")
    assert entries.change_status(actor=host, entry=own, status="checked_in"), "one of its own people"


def test_a_history_of_another_event_takes_nobodys_name_away(club, event, ana):
    """A club takes an event from a file, whose history says what it likes of entries elsewhere."""
    victim = EntryFactory(event=event, player=ana, name="Ana")
    elsewhere = ClubFactory()
    eve = PlayerFactory(name="Eve", club=elsewhere)
    ActionFactory(event=event_of(elsewhere), verb="entered", facts={"entry": victim.uid, "claims": eve.uid})
    owner = Actor(Kind.USER, user=MembershipFactory(club=elsewhere, role="owner").user)
    people.anonymise_player(actor=owner, player=eve)
    victim.refresh_from_db()
    assert victim.name == victim.player.name == "Ana"


def test_a_history_of_another_club_says_nothing_of_who_was_mistaken_for_somebody(club, ana):
    """A club takes an event from a file, whose history says what it likes of its own entries."""
    entry = EntryFactory(event=event_of(ClubFactory()), player__name="Bo", name="Bo")
    Player.objects.filter(pk=entry.player_id).update(home=entry.event.club)
    ActionFactory(event=entry.event, verb="entered", facts={"entry": entry.uid, "claims": ana.uid})
    assert selectors.mistaken_for(ana) == []
    Affiliation.objects.create(club=entry.event.club, player=ana)
    assert selectors.mistaken_for(ana) == [entry], "they were there"
