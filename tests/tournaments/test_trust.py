"""Who may do what to whom: people belong to themselves and to their home club, whatever others do with them."""

from __future__ import annotations

import datetime as dt
import importlib
import pkgutil
from functools import partial

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core import computations
from core.errors import DomainError
from core.models import StaleMark
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    KeyFactory,
    MembershipFactory,
    MergeRequestFactory,
    PlayerFactory,
    UserFactory,
)
from tests.interleaving import meanwhile
from tests.tournaments.events import enter, event_of, seat
from tournaments import migrations, selectors, trust
from tournaments.access import credentials
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import (
    AlreadyEnteredError,
    AlreadyLinkedError,
    ConsentNeededError,
    ForbiddenError,
    MergeConflictError,
    MergeDeclinedError,
    MergedElsewhereError,
    MergeFinalError,
    MergeRequestOpenError,
    MergeRequestOverError,
    NameAlikeError,
    PlayerElsewhereError,
    TiedRecentlyError,
    TooManyMergeRequestsError,
)
from tournaments.models import Club, Entry, Event, Membership, Merge, MergeRequest, Player, Role, Round, Table
from tournaments.services import attendance, entries, imports, merge_requests, merging, people, proof, seasons
from tournaments.services.joining import join

pytestmark = pytest.mark.django_db


def member(club, role=Role.ORGANISER):
    return Actor(Kind.USER, user=MembershipFactory(club=club, role=role).user)


def person(player):
    """Return the player as a caller, by their account."""
    Player.objects.filter(pk=player.pk).update(user=UserFactory())
    return Actor(Kind.USER, user=Player.objects.get(pk=player.pk).user)


@pytest.fixture
def home():
    return ClubFactory(name="Home")


@pytest.fixture
def other():
    """A club that once entered Ana, which no club can do any more."""
    return ClubFactory(name="Other")


@pytest.fixture
def ana(home, other):
    player = PlayerFactory(name="Ana", club=home)
    AffiliationFactory(club=other, player=player)
    return player


# --- The model --------------------------------------------------------------------------------------------------


def test_home_club_and_the_person_speak_for_somebody_and_a_club_that_entered_them_does_not(ana, home, other):
    enter(event_of(other), ana)
    write_key = Actor(Kind.KEY, credential=KeyFactory(club=home))
    scorekeeper = member(home, Role.SCOREKEEPER)
    speak = [member(home), member(home, Role.OWNER), write_key, person(ana)]
    assert all(trust.may_change(actor, ana) for actor in speak)
    assert [trust.may_take_away(actor, ana) for actor in speak] == [False, True, False, True]
    for actor in (NOBODY, scorekeeper, member(other, Role.OWNER), Actor(Kind.KEY, credential=KeyFactory(club=other))):
        assert not trust.may_change(actor, ana)
        assert not trust.may_take_away(actor, ana)


@pytest.mark.parametrize("is_home", [True, False])
@pytest.mark.parametrize("is_verified", [True, False])
def test_a_link_proves_the_person_only_where_the_home_club_alone_reads_it(ana, home, other, is_home, is_verified):
    entry = enter(event_of(home if is_home else other), ana, is_verified=is_verified)
    phone = Actor(Kind.ENTRY, entry=entry)
    assert trust.is_self(phone, ana) == trust.may_change(phone, ana) == (is_home and is_verified)
    assert not trust.may_take_away(phone, ana), "whoever holds the phone for a moment forgets nobody for good"
    assert not trust.is_self(phone, PlayerFactory(club=home))


def test_a_merged_record_has_the_home_of_the_one_that_is_kept(ana, home, other):
    gone = PlayerFactory(club=other, merged_into=ana)
    assert trust.home_of(gone) == home
    assert trust.is_own(gone, home)
    assert not trust.may_change(member(other), gone)
    assert trust.may_part(member(other), gone), "the club that the record came from may take the merge back"
    assert trust.may_part(member(home), gone)
    assert not trust.may_part(member(ClubFactory()), gone)


def test_somebody_without_a_home_belongs_to_themselves_alone(ana, home):
    Player.objects.update(home=None)
    ana.refresh_from_db()
    assert not trust.may_change(member(home, Role.OWNER), ana)
    assert trust.may_take_away(person(ana), ana)


def test_homes_are_given_to_those_who_are_there_already(home, other):
    """The club that knew a record first is its home, on upgrading; who came later gets nothing."""
    early, merged, entered, unknown = (PlayerFactory() for _ in range(4))
    AffiliationFactory(club=home, player=early)
    AffiliationFactory(club=other, player=early)
    AffiliationFactory(club=other, player=merged)
    Player.objects.filter(pk=merged.pk).update(merged_into=early)
    enter(event_of(other), entered)
    (name,) = (each.name for each in pkgutil.iter_modules(migrations.__path__) if each.name.endswith("_home_clubs"))
    migration = importlib.import_module(f"tournaments.migrations.{name}")
    migration.give_homes(apps, connection.schema_editor())
    homes = dict(Player.objects.values_list("pk", "home__name"))
    assert homes == {early.pk: "Home", merged.pk: "Other", entered.pk: "Other", unknown.pk: None}
    migration.take_homes(apps, connection.schema_editor())
    assert not Player.objects.exclude(home=None).exists()


# --- A club enters its own people and new ones ------------------------------------------------------------------


def test_who_is_made_imported_or_joins_by_a_new_name_is_at_home_there(home):
    owner = member(home, Role.OWNER)
    event = event_of(home)
    people.create_player(actor=owner, club=home, name="Made")
    imports.import_players(actor=owner, club=home, text="Imported", is_dry_run=False)
    entries.add_entry(actor=owner, event=event, name="Entered")
    join(event=event, code=event.join_code, name="Joined", actor=NOBODY)
    assert set(selectors.own_players(home).values_list("name", flat=True)) == {"Made", "Imported", "Entered", "Joined"}


def test_somebody_elses_person_is_not_entered(ana, other):
    owner = member(other, Role.OWNER)
    ben = entries.add_entry(actor=owner, event=event_of(other), name="Ben")
    with pytest.raises(PlayerElsewhereError, match="Ana belongs to another club"):
        entries.add_entry(actor=owner, event=event_of(other, status="draft"), player=ana)
    with pytest.raises(PlayerElsewhereError, match="Ana belongs to another club"):
        entries.substitute(actor=owner, entry=ben, player=ana)
    assert not ana.entries.exists()


def test_own_people_return_under_whichever_record(ana, home, other):
    merged = PlayerFactory(club=other, merged_into=ana)
    entry = entries.add_entry(actor=member(home), event=event_of(home), player=merged)
    assert entry.player == ana


def test_an_import_finds_own_people_and_makes_others_anew(ana, home, other):
    assert imports.import_players(actor=member(home), club=home, text="Ana", is_dry_run=False).known == [ana]
    found = imports.import_players(actor=member(other), club=other, text="Ana", is_dry_run=False)
    assert [player.home for player in found.new] == [other]


def test_pairs_of_a_club_are_of_its_own_people_and_those_of_an_event_of_its_entries(ana, home, other):
    ben = PlayerFactory(club=other)
    organiser = member(other)
    event = event_of(other)
    for within in (None, event):
        with pytest.raises(PlayerElsewhereError):
            seasons.keep_apart(actor=organiser, club=other, players=(ana, ben), event=within)
    enter(event, ana)
    assert seasons.keep_apart(actor=organiser, club=other, players=(ana, ben), event=event)
    assert not trust.may_change(organiser, ana)
    with pytest.raises(PlayerElsewhereError):
        seasons.keep_apart(actor=organiser, club=other, players=(ana, ben))


def test_a_link_of_an_event_elsewhere_links_no_account(ana, home, other):
    stranger = Actor(Kind.USER, user=UserFactory())
    elsewhere, here = enter(event_of(other), ana), enter(event_of(home), ana)
    with pytest.raises(ForbiddenError):
        people.link_player(actor=stranger, player=ana, token=credentials.derive("lse_", elsewhere.uid, 1))
    assert people.link_player(actor=stranger, player=ana, token=credentials.derive("lse_", here.uid, 1)).user


def link_of(entry):
    return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


def tied_for(days):
    """Let every account have been tied to its person for some days, and every merge be as old."""
    Player.objects.exclude(user=None).update(tied_at=timezone.now() - dt.timedelta(days=days))
    Merge.objects.update(merged_at=timezone.now() - dt.timedelta(days=days))


@pytest.mark.parametrize(("days", "may"), [(0, False), (6.99, False), (7, True), (-1, False), (None, True)])
def test_an_account_takes_its_person_away_once_it_was_tied_for_a_week(ana, home, days, may):
    """Whoever holds the phone for a moment links their own, and the club must have time to see it."""
    caller = account()
    people.link_player(actor=caller, player=ana, token=link_of(enter(event_of(home), ana)))
    tied_for(days) if days is not None else Player.objects.update(tied_at=None)  # by a version without it
    assert trust.is_account_of(caller, ana)
    assert (trust.may_take_away(caller, ana), trust.settles_at(ana) is None) == (may, may)
    assert trust.may_take_away(member(home, Role.OWNER), ana), "the club does it meanwhile"
    if not may:
        with pytest.raises(TiedRecentlyError) as refused:
            people.anonymise_player(actor=caller, player=ana)
        assert refused.value.facts["until"] - refused.value.facts["since"] == dt.timedelta(days=7)


def test_a_tie_that_is_made_anew_is_new(ana, home):
    caller, token = account(), link_of(enter(event_of(home), ana))
    people.link_player(actor=caller, player=ana, token=token)
    tied_for(8)
    assert people.unlink_player(actor=caller, player=ana).tied_at is None
    people.link_player(actor=caller, player=ana, token=token)
    assert not trust.may_take_away(caller, ana)


def test_a_tie_of_the_club_is_as_old_as_its_proof(ana, home):
    organiser = member(home)
    assert people.link_player(actor=organiser, player=ana).tied_at is not None
    tied_for(8)
    people.link_player(actor=organiser, player=ana, token=link_of(enter(event_of(home), ana)))
    assert not trust.may_take_away(organiser, ana)


def test_an_account_is_tied_to_whom_its_record_was_merged_with_since_then(ana, home):
    """Else whoever holds Ana's phone for a moment would agree that their own record, long tied, is hers."""
    bo = PlayerFactory(name="Bo", club=home)
    caller, held = person(bo), Actor(Kind.ENTRY, entry=enter(event_of(home), ana))
    merge_requests.accept(actor=held, request=merge_requests.ask(actor=caller, gone=ana, kept=bo))
    assert not trust.may_take_away(caller, bo)
    tied_for(8)
    assert trust.may_take_away(caller, bo)


def test_a_phone_that_is_vouched_for_keeps_nobody_waiting(ana, home):
    caller = person(ana)
    proof.vouch(actor=member(home), entry=claim(home, ana))
    assert trust.may_take_away(caller, ana)


def test_many_phones_that_were_vouched_for_are_looked_at_together(ana, home):
    """A regular without a link may have been vouched for at every evening of years."""
    person(ana)
    costs = []
    for _ in range(2):
        proof.vouch(actor=member(home), entry=claim(home, ana))
        with CaptureQueriesContext(connection) as asked:
            assert trust.settles_at(ana) is None
        costs.append(len(asked))
    assert costs[0] == costs[1]


@pytest.mark.parametrize("is_moved", [True, False])
def test_an_account_waits_for_somebody_known_whom_a_file_calls_a_phone_of_theirs(ana, home, is_moved):
    """Else an organiser would take anybody's record for good, in a moment: by a file, and by vouching for it."""
    caller, bo = person(ana), PlayerFactory(name="Bo", club=home)
    known = PlayerFactory(name="Beau", club=home) if is_moved else bo
    enter(event_of(home), known)
    if is_moved:
        merging.merge_players(actor=member(home), gone=known, kept=bo)
        tied_for(8)
    said = enter(event_of(home), bo, claims=ana, is_verified=False, rests_on=[])
    proof.vouch(actor=member(home), entry=said)
    assert not trust.may_take_away(caller, ana)
    tied_for(8)
    assert trust.may_take_away(caller, ana)


def test_an_account_tied_to_a_vouched_phone_waits_for_whom_it_was_vouched_to_be(ana, home):
    entry = claim(home, ana)
    caller = person(entry.player)
    proof.vouch(actor=member(home), entry=entry)
    assert trust.is_account_of(caller, ana)
    assert not trust.may_take_away(caller, ana)


def test_an_organiser_who_says_to_be_somebody_of_the_club_is_not_taken_for_them(ana, home, other):
    """Else they would read and forget what only the person and owners may: part the account, link their own."""
    account, organiser = person(ana), member(home)
    enter(event_of(other, is_public=False), ana)
    people.unlink_player(actor=organiser, player=ana)
    people.link_player(actor=organiser, player=ana)
    assert not trust.is_self(organiser, ana)
    assert not trust.may_take_away(organiser, ana)
    with pytest.raises(ForbiddenError):
        people.anonymise_player(actor=organiser, player=ana)
    Membership.objects.filter(user=organiser.user).delete()
    assert not trust.may_change(organiser, ana), "what the club said is not theirs to use once they left it"
    assert not selectors.merge_requests_of(organiser).exists()
    assert people.unlink_player(actor=organiser, player=ana).user is None
    assert not trust.is_account_of(account, ana)


def test_an_account_that_an_organiser_tied_is_the_persons_once_a_personal_link_proves_it(ana, home):
    organiser, entry = member(home), enter(event_of(home), ana)
    people.link_player(actor=organiser, player=ana)
    people.link_player(actor=organiser, player=ana, token=link_of(entry))
    assert trust.is_account_of(organiser, ana)
    with pytest.raises(AlreadyLinkedError):
        people.link_player(actor=organiser, player=ana)
    assert trust.is_account_of(organiser, ana)


def test_a_club_that_ties_somebody_to_an_organiser_keeps_their_own_account_out_no_longer(ana, home):
    organiser, owner = member(home), Actor(Kind.USER, user=UserFactory())
    people.link_player(actor=organiser, player=ana)
    people.link_player(actor=owner, player=ana, token=link_of(enter(event_of(home), ana)))
    assert trust.is_account_of(owner, ana)
    assert not Player.objects.filter(user=organiser.user).exists()


@pytest.mark.parametrize("by", ["link", "phone"])
def test_an_account_that_an_organiser_tied_is_proved_by_joining_with_a_phone_of_the_person(ana, home, by):
    organiser, earlier, event = member(home), enter(event_of(home), ana), event_of(home)
    people.link_player(actor=organiser, player=ana)
    assert not join(event=event, code=event.join_code, actor=organiser, player=ana).is_verified
    event = event_of(home)
    phone = {"proof": link_of(earlier)} if by == "link" else {"phones": [Actor(Kind.ENTRY, entry=earlier)]}
    assert join(event=event, code=event.join_code, actor=organiser, player=ana, **phone).player == ana
    assert trust.is_account_of(organiser, ana)


def test_an_account_that_an_organiser_tied_is_proved_by_taking_an_entry_back(ana, home):
    organiser, earlier, taken = member(home), enter(event_of(home), ana), enter(event_of(home), ana)
    people.link_player(actor=organiser, player=ana)
    with pytest.raises(ForbiddenError):
        proof.take_back(actor=organiser, entry=taken)
    proof.take_back(actor=organiser, entry=taken, proof=link_of(earlier))
    assert trust.is_account_of(organiser, ana)


@pytest.fixture
def earlier(ana, home):
    """An entry of Ana from before."""
    return enter(event_of(home), ana)


@pytest.fixture
def kept(ana, home):
    """Another one."""
    return enter(event_of(home), ana)


@pytest.fixture
def impostor(ana, home, earlier):
    """The entry of a phone that said it was Ana, and was vouched for by mistake."""
    event = event_of(home)
    entry = join(event=event, code=event.join_code, actor=NOBODY, player=ana)
    return proof.vouch(actor=member(home), entry=entry)


def test_an_account_goes_with_the_phone_that_proved_it_when_a_wrong_vouch_is_taken_back(ana, home, impostor):
    account = Actor(Kind.USER, user=UserFactory())
    people.link_player(actor=account, player=ana, token=link_of(impostor))
    assert trust.is_account_of(account, ana)
    assert list(selectors.proved_by(account.user).filter(merged_into=None)) == [ana]
    merging.unmerge_player(actor=member(home), player=impostor.player)
    assert not trust.may_change(account, ana)
    assert not trust.may_take_away(account, ana)
    assert trust.is_account_of(account, Player.objects.get(pk=impostor.player_id))


def test_an_account_that_a_club_tied_goes_with_the_phone_that_proved_it(ana, home, earlier, impostor):
    organiser = member(home)
    people.link_player(actor=organiser, player=ana)
    proof.take_back(actor=organiser, entry=earlier, proof=link_of(impostor))
    assert trust.is_account_of(organiser, ana)
    merging.unmerge_player(actor=organiser, player=impostor.player)
    assert not trust.is_account_of(organiser, ana)


def test_a_link_that_the_wrong_phone_took_back_ends_when_the_vouch_is_taken_back(ana, home, earlier, kept, impostor):
    taken = proof.take_back(actor=NOBODY, entry=earlier, proof=link_of(impostor))
    assert entries.earlier_phone(link_of(taken))
    merging.unmerge_player(actor=member(home), player=impostor.player)
    assert entries.earlier_phone(link_of(taken)) is None
    assert earlier.event.actions.filter(verb="link-renewed", facts__entry=earlier.uid).exists()
    assert all(entries.earlier_phone(link_of(entry)) for entry in (kept, impostor)), "these nobody took"


def test_an_account_of_the_person_stays_when_a_wrong_vouch_is_taken_back(ana, home, earlier, impostor):
    account = Actor(Kind.USER, user=UserFactory())
    people.link_player(actor=account, player=ana, token=link_of(earlier))
    merging.unmerge_player(actor=member(home), player=impostor.player)
    assert trust.is_account_of(account, ana)
    assert not trust.is_account_of(account, Player.objects.get(pk=impostor.player_id))


# --- Consent across clubs ---------------------------------------------------------------------------------------


@pytest.fixture
def theirs(other):
    return PlayerFactory(name="Anna", club=other)


def test_two_clubs_merge_when_both_agree_and_the_kept_record_keeps_its_home(ana, theirs, home, other):
    asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    assert (asked.awaits, asked.club) == (ana, other)
    assert not Player.objects.exclude(merged_into=None).exists(), "nothing changes before the answer"
    merge_requests.accept(actor=member(home), request=asked)
    theirs.refresh_from_db()
    assert theirs.merged_into == ana
    assert trust.home_of(theirs) == home
    assert merging.unmerge_player(actor=member(other), player=theirs).merged_into is None
    assert trust.home_of(theirs) == other


@pytest.mark.parametrize("answer", [merge_requests.accept, merge_requests.decline])
def test_only_the_side_that_was_asked_answers_and_only_the_other_takes_back(ana, theirs, home, other, answer):
    asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    for actor in (member(other, Role.OWNER), member(home, Role.SCOREKEEPER), member(ClubFactory()), NOBODY):
        with pytest.raises(ForbiddenError):
            answer(actor=actor, request=asked)
    with pytest.raises(ForbiddenError):
        merge_requests.withdraw(actor=member(home, Role.OWNER), request=asked)
    answer(actor=member(home), request=asked)
    for again in (merge_requests.accept, merge_requests.decline):
        with pytest.raises(MergeRequestOverError):
            again(actor=member(home), request=asked)


def test_a_person_asks_and_answers_for_themselves(ana, theirs, home):
    mine = person(theirs)
    asked = merge_requests.ask(actor=mine, gone=ana, kept=theirs)
    assert (asked.awaits, asked.club, asked.asked_by) == (ana, None, mine.user)
    merge_requests.withdraw(actor=mine, request=asked)
    asked = merge_requests.ask(actor=member(home), gone=ana, kept=theirs)
    assert merge_requests.accept(actor=mine, request=asked).status == "accepted"
    ana.refresh_from_db()
    assert ana.merged_into == theirs


def test_a_phone_does_not_ask_as_nobody_could_be_told_who_did(ana, theirs, home):
    phone = Actor(Kind.ENTRY, entry=enter(event_of(home), ana))
    with pytest.raises(ForbiddenError):
        merge_requests.ask(actor=phone, gone=ana, kept=theirs)


def test_nobody_asks_about_people_who_are_not_theirs_or_who_both_are(ana, theirs, home):
    with pytest.raises(ForbiddenError):
        merge_requests.ask(actor=member(ClubFactory(), Role.OWNER), gone=ana, kept=theirs)
    with pytest.raises(MergeConflictError):
        merge_requests.ask(actor=member(home), gone=ana, kept=PlayerFactory(club=home))


def test_a_pair_is_asked_about_once_in_whichever_order(ana, theirs, home, other):
    merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    for gone, kept in ((theirs, ana), (ana, theirs)):
        with pytest.raises(MergeRequestOpenError):
            merge_requests.ask(actor=member(other), gone=gone, kept=kept)


def test_a_request_expires_after_a_month_and_another_can_follow(ana, theirs, home, other):
    asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    assert asked.expires_at - asked.created_at > dt.timedelta(days=29)
    MergeRequest.objects.update(expires_at=timezone.now())
    asked.refresh_from_db()
    assert (asked.status, asked.shown_status) == ("open", "expired")
    with pytest.raises(MergeRequestOverError):
        merge_requests.accept(actor=member(home), request=asked)
    assert merge_requests.ask(actor=member(other), gone=theirs, kept=ana).is_open
    assert MergeRequest.objects.get(pk=asked.pk).status == "expired"


def test_who_was_told_no_does_not_ask_again_for_a_month(ana, theirs, home, other):
    asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    merge_requests.decline(actor=member(home), request=asked)
    with pytest.raises(MergeDeclinedError):
        merge_requests.ask(actor=member(other), gone=ana, kept=theirs)
    assert merge_requests.ask(actor=member(home), gone=ana, kept=theirs), "those who said no may come back to it"


@pytest.mark.parametrize("side", ["asking", "asked"])
def test_who_was_told_no_does_not_ask_again_as_another_record_of_the_two(ana, theirs, home, other, side):
    merge_requests.decline(actor=member(home), request=merge_requests.ask(actor=member(other), gone=theirs, kept=ana))
    club, gone = (other, theirs) if side == "asking" else (home, ana)
    another = PlayerFactory(club=club)
    merging.merge_players(actor=member(club), gone=gone, kept=another)
    pair = {"gone": another, "kept": ana} if side == "asking" else {"gone": theirs, "kept": another}
    with pytest.raises(MergeDeclinedError):
        merge_requests.ask(actor=member(other), **pair)
    assert merge_requests.ask(actor=member(home), **pair)


@pytest.mark.parametrize("asked_as", ["kept", "gone"])
def test_who_was_told_no_does_not_ask_again_after_parting_the_two_records_they_had(ana, theirs, home, other, asked_as):
    also = PlayerFactory(club=other)
    merging.merge_players(actor=member(other), gone=also, kept=theirs)
    merge_requests.decline(actor=member(home), request=merge_requests.ask(actor=member(other), gone=theirs, kept=ana))
    part(member(other), also)
    again = theirs if asked_as == "kept" else also
    with pytest.raises(MergeDeclinedError):
        merge_requests.ask(actor=member(other), gone=again, kept=ana)
    Merge.objects.update(undone_at=timezone.now() - MergeRequest.LASTS)
    if asked_as == "gone":
        assert merge_requests.ask(actor=member(other), gone=again, kept=ana)


def test_a_request_that_is_open_does_not_outlive_a_no_to_who_joined_the_asker(ana, theirs, home, other):
    also = PlayerFactory(club=other)
    first, second = (merge_requests.ask(actor=member(other), gone=each, kept=ana) for each in (theirs, also))
    merge_requests.decline(actor=member(home), request=first)
    merging.merge_players(actor=member(other), gone=theirs, kept=also)
    with pytest.raises(MergeRequestOverError):
        merge_requests.accept(actor=member(home), request=second)
    merge_requests.decline(actor=member(home), request=second)
    asked = merge_requests.ask(actor=member(home), gone=ana, kept=also)
    assert merge_requests.accept(actor=member(other), request=asked), "those who said no may come back to it"


def test_a_no_of_a_clock_that_was_ahead_is_over(ana, theirs, home, other, set_ahead):
    set_ahead(dt.timedelta(days=365))
    asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    merge_requests.decline(actor=member(home), request=asked)
    set_ahead(dt.timedelta())
    assert merge_requests.ask(actor=member(other), gone=ana, kept=theirs)


def test_nobody_fills_the_list_of_another(theirs, home, other):
    for _ in range(MergeRequest.MOST_OPEN):
        MergeRequestFactory(gone=PlayerFactory(club=other), kept=PlayerFactory(club=home))
    with pytest.raises(TooManyMergeRequestsError):
        merge_requests.ask(actor=member(other), gone=theirs, kept=PlayerFactory(club=home))
    MergeRequest.objects.update(expires_at=timezone.now())
    assert merge_requests.ask(actor=member(other), gone=theirs, kept=PlayerFactory(club=home))


def test_a_request_counts_only_while_its_asker_speaks_for_the_record(ana, theirs, home, other):
    mine = person(theirs)
    asked = merge_requests.ask(actor=mine, gone=theirs, kept=ana)
    Player.objects.filter(pk=theirs.pk).update(user=None)
    with pytest.raises(MergeRequestOverError):
        merge_requests.accept(actor=member(home), request=asked)
    asked = MergeRequestFactory(gone=theirs, kept=PlayerFactory(club=home), club=other)
    Player.objects.filter(pk=theirs.pk).update(home=None)
    with pytest.raises(MergeRequestOverError):
        merge_requests.accept(actor=member(home), request=asked)


def test_what_keeps_two_records_apart_is_checked_when_asked_and_when_answered(ana, theirs, home, other):
    asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    event = event_of(home)
    enter(event, ana)
    enter(event, theirs)
    with pytest.raises(MergeConflictError):
        merge_requests.accept(actor=member(home), request=asked)
    asked.refresh_from_db()
    assert asked.is_open
    merge_requests.withdraw(actor=member(other), request=asked)
    with pytest.raises(MergeConflictError):
        merge_requests.ask(actor=member(other), gone=theirs, kept=ana)


def test_whoever_vouches_for_a_phone_takes_no_person_along_that_its_record_was_merged_into(ana, theirs, home, other):
    """A club answers for a phone in its evening; that makes nobody theirs whom another club agreed the phone is of."""
    event = event_of(home, status=Event.Status.RUNNING)
    entry = join(event=event, code=event.join_code, actor=NOBODY, player=ana)
    with pytest.raises(MergeConflictError):
        merge_requests.ask(actor=member(home), gone=entry.player, kept=theirs)
    asked = MergeRequestFactory(gone=entry.player, kept=theirs, club=home)  # from before the phone said so
    with pytest.raises(MergeConflictError):
        merge_requests.accept(actor=member(other), request=asked)
    with pytest.raises(MergeConflictError):
        merging.merge_players(actor=member(home), gone=entry.player, kept=PlayerFactory(club=home))
    proof.vouch(actor=member(home), entry=entry)
    entry.refresh_from_db()
    theirs.refresh_from_db()
    assert (entry.player.merged_into, theirs.merged_into) == (ana, None)
    assert trust.home_of(theirs) == other


def test_a_link_alone_does_not_merge_two_people_of_one_club(ana, home):
    phone = Actor(Kind.ENTRY, entry=enter(event_of(home), ana))
    with pytest.raises(ConsentNeededError):
        merging.merge_players(actor=phone, gone=PlayerFactory(club=home), kept=ana)


def test_requests_are_seen_by_both_sides_and_nobody_else(ana, theirs, home, other):
    asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    seen = {
        name: [(each.pk, each.may_answer, each.may_withdraw) for each in selectors.merge_requests_of(actor)]
        for name, actor in {
            "asked": member(home),
            "asking": member(other),
            "person": person(ana),
            "scorekeeper": member(home, Role.SCOREKEEPER),
            "elsewhere": member(ClubFactory()),
            "nobody": NOBODY,
        }.items()
    }
    to_answer, to_wait = [(asked.pk, True, False)], [(asked.pk, False, True)]
    assert seen == {
        "asked": to_answer,
        "asking": to_wait,
        "person": to_answer,
        "scorekeeper": [],
        "elsewhere": [],
        "nobody": [],
    }


def test_nobody_learns_of_a_private_evening_by_asking_whether_two_who_met_there_are_one(ana, theirs, home, other):
    """A refusal names an event only to whom may know of it, and tells a stranger nothing of two people."""
    private = ClubFactory(is_public=False)
    event = event_of(private, name="Secret evening")
    enter(event, ana)
    enter(event, theirs)
    for stranger in (NOBODY, Actor(Kind.USER, user=UserFactory()), member(ClubFactory(), Role.OWNER)):
        with pytest.raises(ForbiddenError):
            merge_requests.ask(actor=stranger, gone=ana, kept=theirs)
    preview = merging.preview_merge(actor=member(home), gone=ana, kept=theirs)
    assert (preview.needs_consent, preview.refusal) == (True, "")
    asked = merge_requests.ask(actor=member(home), gone=ana, kept=theirs)
    with pytest.raises(MergeConflictError) as refused:
        merge_requests.accept(actor=member(other), request=asked)
    assert "Secret" not in refused.value.detail
    one, two = PlayerFactory(club=private), PlayerFactory(club=private)
    enter(event, one)
    enter(event, two)
    with pytest.raises(MergeConflictError, match="Secret evening"):
        merging.merge_players(actor=member(private), gone=one, kept=two)


def test_who_asks_does_not_learn_that_the_other_side_has_an_account(ana, theirs, home, other):
    Player.objects.filter(pk=theirs.pk).update(user=UserFactory())
    Player.objects.filter(pk=ana.pk).update(user=UserFactory())
    preview = merging.preview_merge(actor=member(other), gone=theirs, kept=ana)
    assert (preview.needs_consent, preview.refusal) == (True, "")
    asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
    with pytest.raises(MergeConflictError, match="Both have an account"):
        merge_requests.accept(actor=member(home), request=asked)


@pytest.mark.parametrize("is_public", [True, False])
def test_a_phone_of_a_private_evening_is_told_of_to_whoever_agrees_alone(ana, theirs, home, other, is_public):
    event = event_of(home, is_public=is_public)
    join(event=event, code=event.join_code, actor=NOBODY, player=ana)
    enter(event, theirs)
    preview = merging.preview_merge(actor=member(other), gone=theirs, kept=ana)
    assert bool(preview.refusal) == is_public
    if not is_public:
        asked = merge_requests.ask(actor=member(other), gone=theirs, kept=ana)
        with pytest.raises(MergeConflictError, match="a phone says"):
            merge_requests.accept(actor=member(home), request=asked)


def test_whoever_holds_the_phone_for_a_moment_does_not_part_somebody_from_their_account(ana, home):
    """Else a link would do what it must not: part the account, link another, forget the person for good."""
    account = person(ana)
    phone = Actor(Kind.ENTRY, entry=enter(event_of(home), ana))
    with pytest.raises(ForbiddenError):
        people.unlink_player(actor=phone, player=ana)
    assert trust.is_account_of(account, ana)
    for actor in (account, member(home)):
        Player.objects.filter(pk=ana.pk).update(user=account.user)
        assert people.unlink_player(actor=actor, player=ana).user is None


# --- What was said on the word of who is parted -----------------------------------------------------------------


def account():
    return Actor(Kind.USER, user=UserFactory())


def phone(entry):
    return Actor(Kind.ENTRY, entry=Entry.objects.select_related("event__club", "player").get(pk=entry.pk))


def claim(home, player):
    """Return the entry of a phone that says it is somebody, in an event of their club."""
    event = event_of(home)
    return join(event=event, code=event.join_code, actor=NOBODY, player=player)


def part(actor, player):
    merging.unmerge_player(actor=actor, player=Player.objects.get(pk=player.pk))


def agree(gone, kept, asking=None):
    """Merge two records of two clubs, as both agree."""
    asked = merge_requests.ask(actor=asking or member(gone.home), gone=gone, kept=kept)
    merge_requests.accept(actor=member(kept.home), request=asked)


def is_asked_again(entry, player):
    """Say whether a phone is unproven again, and has to prove that it is the player."""
    now = Entry.objects.get(pk=entry.pk)
    is_open = (now.claims, now.is_verified, now.player.merged_into) == (player, False, None)
    return is_open and entries.earlier_phone(link_of(entry)) is None and not trust.is_self(phone(entry), player)


@pytest.mark.parametrize("by", ["phone", "link", "account", "taken link", "take back"])
def test_whom_a_wrong_phone_vouched_for_is_asked_about_again(ana, home, earlier, impostor, by):
    second, third, sure = claim(home, ana), claim(home, ana), claim(home, ana)
    proof.vouch(actor=member(home), entry=sure)
    match by:
        case "phone":
            proof.vouch(actor=phone(impostor), entry=second)
        case "link":
            proof.vouch(actor=NOBODY, entry=second, proof=link_of(impostor))
        case "account":
            caller = account()
            people.link_player(actor=caller, player=ana, token=link_of(impostor))
            proof.vouch(actor=caller, entry=second)
        case "taken link":
            taken = proof.take_back(actor=NOBODY, entry=earlier, proof=link_of(impostor))
            proof.vouch(actor=phone(taken), entry=second)
        case _:
            second = proof.take_back(actor=NOBODY, entry=second, proof=link_of(impostor))
    proof.vouch(actor=phone(second), entry=third)
    StaleMark.objects.all().delete()
    part(member(home), impostor.player)
    assert is_asked_again(second, ana)
    assert is_asked_again(third, ana), "on the word of the second"
    assert trust.is_self(phone(sure), ana), "an organiser said so"
    assert {("standings", entry.event.uid) for entry in (second, third)} <= set(computations.behind())
    proof.vouch(actor=member(home), entry=second)
    assert Entry.objects.get(pk=second.pk).player.person_id == ana.pk


@pytest.mark.parametrize("by", ["phone", "account"])
def test_nobody_is_vouched_for_by_a_phone_that_is_parted_meanwhile(ana, home, impostor, by):
    second, caller = claim(home, ana), phone(impostor)
    if by == "account":
        caller = account()
        people.link_player(actor=caller, player=ana, token=link_of(impostor))

    def find_out() -> None:
        part(member(home), impostor.player)

    with meanwhile(Entry, find_out), pytest.raises((ForbiddenError, MergeConflictError)):
        proof.vouch(actor=caller, entry=second)
    assert Entry.objects.get(pk=second.pk).claims == ana


def test_an_account_of_a_link_that_the_wrong_phone_took_back_is_theirs_no_more(ana, home, earlier, impostor):
    taken, caller = proof.take_back(actor=NOBODY, entry=earlier, proof=link_of(impostor)), account()
    people.link_player(actor=caller, player=ana, token=link_of(taken))
    assert trust.is_account_of(caller, ana)
    part(member(home), impostor.player)
    assert not trust.is_account_of(caller, ana)
    assert people.link_player(actor=account(), player=ana, token=link_of(phone(earlier).entry))


@pytest.mark.parametrize("is_known", [True, False])
def test_what_a_merged_person_said_of_the_other_is_taken_back_with_the_merge(ana, theirs, home, other, is_known):
    """By the account of the record that is parted: of the one that stays it says nothing, of its own it still does."""
    caller = person(theirs)
    entry = claim(other, theirs) if is_known else claim(home, ana)
    agree(theirs, ana)
    proof.vouch(actor=caller, entry=entry)
    part(member(home), theirs)
    assert is_asked_again(entry, ana) != is_known
    assert Entry.objects.get(pk=entry.pk).player.person_id == (theirs if is_known else entry.player).pk


def test_what_a_club_said_of_somebody_elses_person_is_taken_back_with_the_merge(ana, theirs, home, other):
    entry, own = claim(other, theirs), claim(home, ana)
    agree(theirs, ana)
    for each in (entry, own):
        proof.vouch(actor=member(home), entry=each)
    part(member(other), theirs)
    assert is_asked_again(entry, theirs)
    assert trust.is_self(phone(own), ana)


def test_a_merge_that_a_wrong_phone_asked_for_is_taken_back_with_it(ana, theirs, home, other, impostor):
    guest, caller = enter(event_of(home), theirs), account()
    people.link_player(actor=caller, player=ana, token=link_of(impostor))
    asked = merge_requests.ask(actor=caller, gone=theirs, kept=ana)
    merge_requests.accept(actor=member(other), request=asked)
    assert trust.is_self(phone(guest), ana)
    part(member(home), impostor.player)
    assert not trust.is_self(phone(guest), ana)
    assert trust.home_of(Player.objects.get(pk=theirs.pk)) == other


def test_a_merge_of_an_older_version_is_taken_back_by_itself_alone(ana, home, impostor):
    second = claim(home, ana)
    proof.vouch(actor=phone(impostor), entry=second)
    Merge.objects.update(rests_on=None)
    part(member(home), impostor.player)
    assert trust.is_self(phone(second), ana), "nothing tells on whose word"


# --- Accounts while two are one ---------------------------------------------------------------------------------


def test_an_account_by_the_link_of_a_guest_is_that_clubs_and_is_parted_with_the_merge(ana, theirs, home, other):
    """Else the club where somebody once was a guest would read, rename and forget them after the merge."""
    guest, caller = enter(event_of(home), theirs), account()
    agree(theirs, ana)
    people.link_player(actor=caller, player=ana, token=link_of(guest))
    assert Player.objects.get(user=caller.user) == ana
    third = claim(home, ana)
    proof.vouch(actor=caller, entry=third)
    part(member(other), theirs)
    assert not Player.objects.filter(user=caller.user).exists()
    assert is_asked_again(third, ana)


def test_an_account_that_a_club_tied_goes_to_no_record_of_another_by_the_link_of_a_guest(ana, theirs, home, other):
    guest, own, organiser = enter(event_of(home), theirs), enter(event_of(home), ana), member(home)
    agree(theirs, ana)
    people.link_player(actor=organiser, player=ana)
    proof.take_back(actor=organiser, entry=own, proof=link_of(guest))
    assert trust.is_account_of(organiser, ana)
    part(member(other), theirs)
    assert not Player.objects.filter(user=organiser.user).exists()


def test_what_a_club_says_of_an_account_rests_on_nothing_an_earlier_one_proved(ana, theirs, home, other):
    guest, caller, organiser = enter(event_of(home), theirs), account(), member(home)
    agree(theirs, ana)
    people.link_player(actor=caller, player=ana, token=link_of(guest))
    caller.user.delete()
    people.link_player(actor=organiser, player=ana)
    part(member(other), theirs)
    assert Player.objects.get(user=organiser.user) == ana


def test_an_account_of_the_kept_record_stays_with_it(ana, theirs, home, other):
    caller, own = account(), enter(event_of(home), ana)
    agree(theirs, ana)
    people.link_player(actor=caller, player=ana, token=link_of(own))
    part(member(other), theirs)
    assert trust.is_account_of(caller, ana)
    assert not trust.is_account_of(caller, Player.objects.get(pk=theirs.pk))


def test_neither_club_parts_the_others_record_from_its_account(ana, theirs, home, other):
    caller, own = person(theirs), enter(event_of(home), ana)
    agree(theirs, ana)
    with pytest.raises(ForbiddenError):
        people.unlink_player(actor=member(home, Role.OWNER), player=ana)
    with pytest.raises(AlreadyLinkedError):
        people.link_player(actor=account(), player=ana, token=link_of(own))
    part(member(other), theirs)
    assert trust.is_account_of(caller, Player.objects.get(pk=theirs.pk))
    agree(theirs, ana)
    people.unlink_player(actor=member(other), player=ana)
    assert not trust.is_account_of(caller, ana)


@pytest.mark.parametrize("by", ["join", "take back", "phone", "phone of a phone", "request"])
def test_an_account_owns_nothing_on_the_word_of_who_proved_another_clubs_record(ana, theirs, home, other, by):
    """Else whose record was merged with Ana's would get all of hers with a second account."""
    nan = PlayerFactory(name="Nan", club=home)
    merging.merge_players(actor=member(home), gone=nan, kept=ana)
    guest, caller, second = enter(event_of(other), theirs), account(), account()
    people.link_player(actor=caller, player=theirs, token=link_of(guest))
    agree(theirs, ana)
    event = event_of(home)
    match by:
        case "join":
            entry = join(event=event, code=event.join_code, actor=caller, player=ana)
        case "take back":
            entry = proof.take_back(actor=caller, entry=enter(event, ana))
        case "request":
            entry = enter(event, PlayerFactory(name="Eve", club=home))
            people.unlink_player(actor=caller, player=ana)
            people.link_player(actor=second, player=entry.player, token=link_of(entry))
            asked = merge_requests.ask(actor=second, gone=entry.player, kept=ana)
            merge_requests.accept(actor=phone(enter(event_of(home), theirs)), request=asked)
        case _:
            entry = proof.vouch(actor=caller, entry=claim(home, ana))
    if by == "phone of a phone":
        entry = proof.vouch(actor=phone(entry), entry=claim(home, ana))
    if by != "request":
        people.unlink_player(actor=caller, player=ana)
        people.link_player(actor=second, player=ana, token=link_of(entry))
    assert trust.is_account_of(second, ana)
    assert set(trust.own_records(second, ana)) <= {Player.objects.get(user=second.user)} - {ana}
    Club.objects.filter(pk=home.pk).update(is_public=False)
    assert nan not in selectors.visible_players(second)


@pytest.mark.parametrize("by", ["guest", "account", "own"])
def test_a_phone_is_shown_nobody_of_a_private_club_on_the_word_of_another_clubs_record(ana, theirs, home, other, by):
    Club.objects.filter(pk=home.pk).update(is_public=False)
    nan, caller = PlayerFactory(name="Nan", club=home), person(theirs)
    merging.merge_players(actor=member(home), gone=nan, kept=ana)
    entry = enter(event_of(home), ana if by == "own" else theirs)
    agree(theirs, ana)
    if by == "account":
        entry = proof.take_back(actor=caller, entry=enter(event_of(home), ana))
    seen = selectors.visible_players(phone(entry))
    assert (ana in seen, nan in seen) == (True, by == "own")


def test_an_account_keeps_its_own_records_whatever_another_clubs_record_says(ana, theirs, home, other):
    own, caller, impostor = enter(event_of(home), ana), account(), account()
    nan = PlayerFactory(name="Nan", club=home)
    merging.merge_players(actor=member(home), gone=nan, kept=ana)
    people.link_player(actor=impostor, player=theirs, token=link_of(enter(event_of(other), theirs)))
    agree(theirs, ana)
    proof.vouch(actor=impostor, entry=claim(home, ana))
    people.unlink_player(actor=impostor, player=ana)
    people.link_player(actor=caller, player=ana, token=link_of(own))
    assert set(trust.own_records(caller, ana)) == {ana, nan}


# --- Who ends the right to part ---------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["draft", "club", "substitute", "names", "own phone", "claim"])
def test_the_kept_side_alone_makes_no_merge_final(ana, theirs, home, other, by):
    earlier = enter(event_of(home), ana)
    agree(theirs, ana)
    organiser, event = member(home), event_of(home, status="draft" if by == "draft" else "registration")
    match by:
        case "draft" | "club":
            entries.add_entry(actor=organiser, event=event, player=ana)
        case "substitute":
            entries.substitute(actor=organiser, entry=enter(event, PlayerFactory(club=home)), player=ana)
        case "names":
            attendance.add_names(actor=organiser, event=event, names=["Ana"])
        case "own phone":
            join(event=event, code=event.join_code, actor=NOBODY, proof=link_of(earlier))
        case _:
            proof.vouch(actor=organiser, entry=claim(home, ana))
    part(member(other), theirs)
    assert trust.home_of(Player.objects.get(pk=theirs.pk)) == other


@pytest.mark.parametrize("by", ["table", "account", "guest"])
@pytest.mark.parametrize("side", ["kept", "gone"])
def test_a_merge_of_two_clubs_is_never_final(ana, theirs, home, other, by, side):
    """Either could stage what makes it so: it takes a table, or a phone that joins."""
    caller, guest = person(theirs), enter(event_of(home), theirs)
    agree(theirs, ana)
    event = event_of(home)
    match by:
        case "table":
            entry = entries.add_entry(actor=member(home), event=event, player=ana)
            Table.objects.filter(pk=seat(entry).table_id).update(status=Table.Status.FINAL)
        case "account":
            entry = join(event=event, code=event.join_code, actor=caller, player=ana)
        case _:
            entry = join(event=event, code=event.join_code, actor=NOBODY, proof=link_of(guest))
    link = link_of(entry)
    part(member(home if side == "kept" else other), theirs)
    entry.refresh_from_db()
    assert entry.player.person_id == (theirs if by == "account" else ana).pk, "their account is theirs alone"
    assert (entries.earlier_phone(link) is None) == (by == "guest"), "it was the other's phone"
    assert trust.is_self(phone(entry), theirs) is False, "the other club can read the link"


@pytest.mark.parametrize("by", ["phone", "account"])
def test_what_a_wrong_phone_joined_since_goes_with_it(ana, home, impostor, by):
    """Else it would make its own merge final, or leave the person what it plays."""
    event, caller = event_of(home), NOBODY
    if by == "account":
        caller = account()
        people.link_player(actor=caller, player=ana, token=link_of(impostor))
        entry = join(event=event, code=event.join_code, actor=caller, player=ana)
    else:
        entry = join(event=event, code=event.join_code, actor=NOBODY, proof=link_of(impostor))
    assert (entry.name, entry.player.person_id) == ("Ana", ana.pk)
    with pytest.raises(AlreadyEnteredError):
        entries.add_entry(actor=member(home), event=event, player=ana)
    Table.objects.filter(pk=seat(entry).table_id).update(status=Table.Status.FINAL)
    part(member(home), impostor.player)
    entry.refresh_from_db()
    assert entry.player.person_id == impostor.player_id
    assert not trust.is_self(phone(entry), ana)
    assert trust.is_self(phone(entry), entry.player)


@pytest.mark.parametrize("is_first", [True, False])
def test_two_wrong_phones_are_both_taken_apart_though_one_took_an_entry(ana, home, impostor, is_first):
    second = claim(home, ana)
    proof.vouch(actor=member(home), entry=second)
    entry = entries.add_entry(actor=member(home), event=event_of(home), player=ana)
    taken = proof.take_back(actor=NOBODY, entry=entry, proof=link_of(second))
    for wrong in (impostor, second) if is_first else (second, impostor):
        part(member(home), wrong.player)
    assert entries.earlier_phone(link_of(taken)) is None
    assert set(selectors.records_of(ana)) == {ana}


def test_who_takes_their_own_entry_back_makes_no_merge_final(ana, home, impostor):
    """They proved who they are, so nobody has to guess who played."""
    event, caller = event_of(home), person(ana)
    entry = join(event=event, code=event.join_code, actor=caller, player=ana)
    proof.take_back(actor=caller, entry=entry)
    Table.objects.filter(pk=seat(entry).table_id).update(status=Table.Status.FINAL)
    part(member(home), impostor.player)
    assert not trust.is_self(phone(impostor), ana)


@pytest.mark.parametrize("how", ["join", "take back", "claim"])
def test_a_caller_as_they_were_before_they_were_parted_is_nobody_else_any_more(ana, theirs, home, other, how):
    """Between who calls is found out and what they want is done, they may wait for a while."""
    guest, own = enter(event_of(home), theirs), enter(event_of(home), ana)
    wanted, event = claim(home, ana), event_of(home)
    agree(theirs, ana)
    caller = phone(guest)
    assert trust.is_self(caller, ana)
    part(member(other), theirs)
    ways = {
        "join": partial(join, event=event, code=event.join_code, player=ana),
        "take back": partial(proof.take_back, entry=own),
        "claim": partial(proof.take_back, entry=wanted),
    }
    with pytest.raises(DomainError):
        ways[how](actor=caller)


@pytest.fixture
def played(ana, home):
    """Another record of Ana, merged with hers since when her club entered her and she played."""
    other = PlayerFactory(name="Anni", club=home)
    merging.merge_players(actor=member(home), gone=other, kept=ana)
    taken = seat(entries.add_entry(actor=member(home), event=event_of(home), player=ana))
    Table.objects.filter(pk=taken.table_id).update(status=Table.Status.FINAL)
    return other


def test_a_merge_in_one_club_is_final_once_the_person_played_where_it_entered_them(played, home):
    """Nobody can tell which of the two played, and no other club is concerned."""
    with pytest.raises(MergeFinalError):
        part(member(home), played)


def test_a_wrong_vouch_is_taken_back_though_the_club_entered_the_person_since(ana, home, impostor):
    """Else the wrong phone would be theirs for good after the next evening: the club knows whom it entered."""
    entry = entries.add_entry(actor=member(home), event=event_of(home), player=ana)
    Table.objects.filter(pk=seat(entry).table_id).update(status=Table.Status.FINAL)
    part(member(home), impostor.player)
    entry.refresh_from_db()
    assert entry.player == ana
    assert not trust.is_self(phone(impostor), ana)


def test_a_table_of_a_cancelled_round_was_not_played(played, home):
    Round.objects.update(status=Round.Status.CANCELLED)
    part(member(home), played)


def test_a_record_is_parted_out_of_a_chain_by_its_home(ana, theirs, home, other):
    """The kept side would end the other's right by merging its record on."""
    last, third = PlayerFactory(name="Anni", club=home), ClubFactory()
    strange = PlayerFactory(name="Annie", club=third)
    agree(theirs, ana)
    merging.merge_players(actor=member(home), gone=ana, kept=last)
    agree(last, strange)
    assert set(strange.clubs.all()) == {home, other, third}
    with pytest.raises(ForbiddenError):
        part(member(ClubFactory()), theirs)
    part(member(other), theirs)
    assert set(selectors.records_of(strange)) == {ana, last, strange}
    assert set(strange.clubs.all()) == set(last.clubs.all()) | {third} == {home, other, third}
    part(member(home), ana)
    assert set(selectors.records_of(strange)) == {last, strange}
    assert not Player.objects.filter(merged_into=ana).exists()
    part(member(home), last)
    assert not Player.objects.exclude(merged_into=None).exists()
    assert set(strange.clubs.all()) == {third}


@pytest.mark.parametrize("by", ["club", "account", "guest"])
@pytest.mark.parametrize("is_vouched", [True, False])
def test_what_one_club_joined_is_parted_by_no_other_with_which_it_was_merged(ana, theirs, home, other, by, is_vouched):
    """Else it would do for good what the merge lets it do for a while, and take a phone from the person."""
    caller, own = person(theirs), PlayerFactory(name="Nan", club=home)
    guest = enter(event_of(home), theirs)
    if is_vouched:
        own = proof.vouch(actor=member(home), entry=claim(home, ana)).player
    else:
        merging.merge_players(actor=member(home), gone=own, kept=ana)
    gone, kept = (ana, theirs) if by == "club" else (theirs, ana)
    agree(gone, kept)
    stranger = {"club": member(other, Role.OWNER), "account": caller, "guest": phone(guest)}[by]
    assert trust.may_change(stranger, Player.objects.get(pk=own.pk))
    with pytest.raises(ForbiddenError):
        part(stranger, own)
    part(stranger, gone)
    assert set(selectors.records_of(ana)) == {ana, own}
    part(member(home), own)
    assert set(selectors.records_of(ana)) == {ana}


@pytest.mark.parametrize("by", ["guest", "take back"])
def test_what_one_club_joined_is_parted_by_no_other_with_which_it_was_merged_before(ana, theirs, home, other, by):
    """The other record goes along with Ana's, and its phone is of an event of hers: neither makes it her phone."""
    guest, nan = enter(event_of(home), theirs), PlayerFactory(name="Nan", club=home)
    own = enter(event_of(home), ana)
    agree(theirs, ana)
    if by == "take back":
        guest = proof.take_back(actor=phone(guest), entry=own)
    merging.merge_players(actor=member(home), gone=ana, kept=nan)
    with pytest.raises(ForbiddenError):
        part(phone(guest), ana)
    part(member(other), theirs)
    assert set(selectors.records_of(nan)) == {ana, nan}
    part(phone(enter(event_of(home), ana)), ana)
    assert set(selectors.records_of(nan)) == {nan}


def test_a_person_parts_two_records_of_the_club_that_their_account_is_tied_to(ana, theirs, home, other):
    caller, nan = person(ana), PlayerFactory(name="Nan", club=home)
    merging.merge_players(actor=member(home), gone=nan, kept=ana)
    agree(ana, theirs)
    part(caller, nan)
    assert set(selectors.records_of(theirs)) == {ana, theirs}


def test_a_record_in_the_middle_of_a_chain_takes_its_own_along(ana, theirs, home, other):
    last = PlayerFactory(name="Anni", club=home)
    entry = claim(other, theirs)
    agree(theirs, ana)
    merging.merge_players(actor=member(home), gone=ana, kept=last)
    proof.vouch(actor=member(home), entry=entry)
    part(member(home), ana)
    assert set(selectors.records_of(ana)) == {ana, theirs, entry.player}
    part(member(other), theirs)
    assert is_asked_again(entry, theirs), "the club that vouched is not theirs"
    assert set(selectors.records_of(ana)) == {ana}


def test_a_merge_of_two_clubs_is_final_in_no_chain_either(ana, theirs, home, other):
    last = PlayerFactory(name="Anni", club=home)
    agree(ana, theirs)
    agree(theirs, last)
    entry = entries.add_entry(actor=member(home), event=event_of(home), player=last)
    Table.objects.filter(pk=seat(entry).table_id).update(status=Table.Status.FINAL)
    part(member(home), ana)
    assert set(selectors.records_of(last)) == {theirs, last}


def test_a_club_in_which_the_end_of_a_chain_was_played_knows_nobody_of_it_once_parted(ana, theirs, home, other):
    """Else somebody of a private club would stay on the lists of a public one where they never were."""
    last, caller, there = PlayerFactory(name="Cleo", club=ClubFactory(is_public=False)), person(theirs), ClubFactory()
    agree(theirs, ana)
    agree(ana, last)
    event = event_of(there)
    join(event=event, code=event.join_code, actor=caller, player=last)
    part(member(home), ana)
    assert there not in last.clubs.all()
    assert there in ana.clubs.all()
    part(member(other), theirs)
    assert there not in ana.clubs.all()
    assert there in theirs.clubs.all()


def test_one_wrong_vouch_takes_nobody_to_another_club_for_good(ana, theirs, home, other, impostor):
    caller = account()
    people.link_player(actor=caller, player=ana, token=link_of(impostor))
    agree(ana, theirs, asking=caller)
    entries.add_entry(actor=member(other), event=event_of(other, status="draft"), player=theirs)
    assert trust.home_of(Player.objects.get(pk=ana.pk)) == other
    part(member(home), impostor.player)
    assert trust.home_of(Player.objects.get(pk=ana.pk)) == home
    assert not trust.may_change(caller, ana)


def test_who_holds_a_link_of_the_merged_records_home_takes_the_merge_back(ana, theirs, home, other):
    own, unproven = enter(event_of(other), theirs), enter(event_of(other), theirs, is_verified=False)
    guest, stranger = enter(event_of(other), ana), enter(event_of(other), PlayerFactory(club=other))
    agree(theirs, ana)
    for entry in (unproven, guest, stranger):
        with pytest.raises(ForbiddenError):
            part(phone(entry), theirs)
    part(phone(own), theirs)
    assert trust.is_self(phone(own), theirs)


# --- Forgotten --------------------------------------------------------------------------------------------------


def test_who_was_taken_for_somebody_keeps_nothing_of_their_name(ana, theirs, home, other):
    """They joined under it while the two were one, in a club that knows neither of them."""
    caller, event, owner = person(theirs), event_of(ClubFactory()), member(home, Role.OWNER)
    earlier = enter(event_of(other), theirs, name="An")
    agree(theirs, ana)
    entry = join(event=event, code=event.join_code, actor=caller, player=ana)
    assert entry.name == "Ana"
    part(member(other), theirs)
    people.anonymise_player(actor=owner, player=ana)
    entry.refresh_from_db()
    earlier.refresh_from_db()
    theirs.refresh_from_db()
    assert (entry.name, earlier.name) == (theirs.name, "An")
    assert "Ana" not in {name for action in event.actions.all() for name in (action.actor, action.facts.get("name"))}


def test_a_wrong_phone_that_was_renamed_keeps_the_name_nowhere(ana, home, impostor):
    event = event_of(home)
    entry = join(event=event, code=event.join_code, actor=NOBODY, proof=link_of(impostor))
    part(member(home), impostor.player)
    people.rename_player(actor=member(home), player=Player.objects.get(pk=impostor.player_id), name="Bruno")
    people.anonymise_player(actor=member(home, Role.OWNER), player=ana)
    names = Entry.objects.filter(pk__in=[impostor.pk, entry.pk]).values_list("name", flat=True)
    assert set(names) == {"Bruno"}


def test_a_club_forgets_nobody_for_good_whose_record_is_another_clubs(ana, theirs, home, other):
    caller, owner = person(theirs), member(home, Role.OWNER)
    agree(theirs, ana)
    with pytest.raises(MergedElsewhereError):
        people.anonymise_player(actor=owner, player=ana)
    part(owner, theirs)
    people.anonymise_player(actor=owner, player=ana)
    theirs.refresh_from_db()
    assert not theirs.is_anonymous
    kept = PlayerFactory(name="Anni", club=home)
    agree(theirs, kept)
    tied_for(7)
    assert trust.may_take_away(caller, kept)
    with pytest.raises(MergedElsewhereError):  # whose account it is, that club alone can tell
        people.anonymise_player(actor=caller, player=kept)
    part(caller, theirs)
    assert people.anonymise_player(actor=caller, player=theirs).is_anonymous
    kept.refresh_from_db()
    assert not kept.is_anonymous


def test_an_account_forgets_all_records_of_the_club_that_it_is_tied_to(ana, home):
    caller, anna = person(ana), PlayerFactory(name="Anna", club=home)
    merging.merge_players(actor=member(home), gone=ana, kept=anna)
    tied_for(7)
    assert people.anonymise_player(actor=caller, player=anna).is_anonymous


# --- Names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Bo", "bo", "Bó", "Во"])
def test_nobody_takes_the_name_of_somebody_else_of_their_club_by_themselves(ana, home, name):
    PlayerFactory(name="Bo", club=home)
    with pytest.raises(NameAlikeError):
        people.rename_player(actor=person(ana), player=ana, name=name)
    phone = Actor(Kind.ENTRY, entry=enter(event_of(home), ana))
    with pytest.raises(NameAlikeError):
        people.rename_player(actor=phone, player=ana, name=name)
    assert people.rename_player(actor=phone, player=ana, name="ANA").name == "ANA"
    assert people.rename_player(actor=member(home), player=ana, name=name).name == name, "there are two of that name"


def test_nobody_learns_by_their_own_name_whom_a_private_club_knows(ana, home):
    Club.objects.filter(pk=home.pk).update(is_public=False)
    bo, cy, dee = (PlayerFactory(name=name, club=home) for name in ("Bo", "Cy", "Dee"))
    old, draft = event_of(home), event_of(home, status=Event.Status.DRAFT)
    enter(event_of(home), bo)
    enter(old, PlayerFactory(name="Cyril", merged_into=cy))
    for event in (old, draft):
        enter(event, ana)
    enter(draft, dee)
    phone = Actor(Kind.ENTRY, entry=enter(event_of(home), ana))
    for name in ("Bo", "Dee", "Nobody"):
        assert people.rename_player(actor=phone, player=ana, name=name).name == name
    with pytest.raises(NameAlikeError):  # they have met
        people.rename_player(actor=phone, player=ana, name="cý")


def test_nobody_gets_the_name_of_somebody_else_in_two_steps(home):
    """LouIs looks like Louls as much as like Louis, who do not look like each other."""
    PlayerFactory(name="Louis Martin", club=home)
    cheat = PlayerFactory(name="Louls Martin", club=home)
    phone = Actor(Kind.ENTRY, entry=enter(event_of(home), cheat))
    for name in ("Louis Martin", "LouIs Martin"):
        with pytest.raises(NameAlikeError):
            people.rename_player(actor=phone, player=cheat, name=name)
    cheat.refresh_from_db()
    assert cheat.name == "Louls Martin"


def test_who_has_a_name_like_another_may_still_write_it_otherwise(home):
    PlayerFactory(name="Louis Martin", club=home)
    namesake = PlayerFactory(name="Louis Martin", club=home)
    phone = Actor(Kind.ENTRY, entry=enter(event_of(home), namesake))
    for name in ("louis martin", "Louïs Martin", "LOUIS MARTIN", "Louis Martin"):
        assert people.rename_player(actor=phone, player=namesake, name=name).name == name
    PlayerFactory(name="Louise Martin", club=home)
    with pytest.raises(NameAlikeError):
        people.rename_player(actor=phone, player=namesake, name="Louise Martin")
