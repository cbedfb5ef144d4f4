"""One person, whatever the number of records; and nobody, if they wish."""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import importlib
import io
import itertools
import threading

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core import computations
from core.csv import neutralise, to_csv
from core.models import StaleMark
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    KeepApartFactory,
    MembershipFactory,
    PlayerFactory,
    SeasonFactory,
    UserFactory,
)
from tests.faults.audit import chained_records
from tests.faults.stand import wait_for
from tests.faults.waiting import waiting_sessions
from tests.tournaments.events import enter, event_of, seat
from tournaments import selectors
from tournaments.actors import Actor, Kind
from tournaments.errors import (
    ConsentNeededError,
    ForbiddenError,
    MergeConflictError,
    MergeFinalError,
    PlayerGoneError,
)
from tournaments.models import Action, Affiliation, Entry, Event, KeepApart, Merge, Player, Role
from tournaments.services import imports, people
from tournaments.services.history import record
from tournaments.services.imports import MOST_LINES, import_players, sort_out, take_sorted
from tournaments.services.merging import merge_players, unmerge_player
from tournaments.services.people import anonymise_player, rename_player

pytestmark = pytest.mark.django_db


def actor_in(club, role=Role.OWNER):
    return Actor(Kind.USER, user=MembershipFactory(club=club, role=role).user)


@pytest.fixture
def club():
    return ClubFactory()


@pytest.fixture
def owner(club):
    return actor_in(club)


@pytest.fixture
def players(club):
    return [PlayerFactory(name=name, club=club) for name in ("Ana", "Anna", "Ann")]


@pytest.mark.parametrize("separator", ",;\t")
def test_no_cell_is_a_formula_whatever_separates_cells(separator):
    before = ["", " ", "a;", "a; ", '";', "a\t", "\t", "a\r", "a\n", "a;;"]
    text = to_csv(["a", "b"], [{"a": f"{each}{sign}1+2", "b": 1} for each in before for sign in "=+-@"])
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@"))]


def test_cells_are_no_formulas_and_numbers_stay_numbers():
    values = ["=1", "+1", "-a", "@a", "-1", "-2.500", "a=1", "", -3, 1.5, None]
    assert [neutralise(value) for value in values] == [
        "'=1",
        "'+1",
        "'-a",
        "'@a",
        "-1",
        "-2.500",
        "a=1",
        "",
        -3,
        1.5,
        None,
    ]
    assert to_csv(["name", "id"], [{"id": 1, "name": 'a,"b"', "more": 2}]) == 'name,id\r\n"a,""b""",1\r\n'


# --- Merging ----------------------------------------------------------------------------------------------------


def test_a_merge_leaves_entries_where_they_are_and_is_taken_back(club, owner, players):
    ana, anna, _ = players
    entry = enter(event_of(club), anna)
    merge_players(actor=owner, gone=anna, kept=ana)
    entry.refresh_from_db()
    assert entry.player == anna
    assert set(selectors.records_of(ana)) == set(selectors.records_of(entry.player)) == {ana, anna}
    assert unmerge_player(actor=owner, player=anna).merged_into is None
    assert Merge.objects.get().undone_at is not None
    merge_players(actor=owner, gone=anna, kept=ana)


@pytest.mark.parametrize("is_last_first", [True, False])
def test_a_chain_of_merges_has_depth_one_and_comes_apart_in_any_order(owner, players, is_last_first):
    ana, anna, ann = players
    merge_players(actor=owner, gone=ann, kept=anna)
    merge_players(actor=owner, gone=anna, kept=ana)
    assert set(Player.objects.filter(merged_into=ana)) == {anna, ann}
    unmerge_player(actor=owner, player=anna if is_last_first else ann)
    left = ann if is_last_first else ana
    assert set(selectors.records_of(Player.objects.get(pk=anna.pk))) == {anna, left}
    unmerge_player(actor=owner, player=ann if is_last_first else anna)
    assert not Player.objects.exclude(merged_into=None).exists()


def test_a_merge_is_taken_out_of_a_long_chain_by_as_many_statements_as_out_of_a_short_one(club, owner):
    costs, other = [], ClubFactory()
    MembershipFactory(club=other, user=owner.user, role=Role.ORGANISER)
    for length in (3, 12):
        first, *others = (PlayerFactory(club=club, home=club) for _ in range(length))
        AffiliationFactory(club=other, player=first)
        for gone, kept in itertools.pairwise([first, *others]):
            merge_players(actor=owner, gone=Player.objects.get(pk=gone.pk), kept=Player.objects.get(pk=kept.pk))
        assert all(set(each.clubs.all()) == {club, other} for each in others)
        with CaptureQueriesContext(connection) as captured:
            unmerge_player(actor=owner, player=Player.objects.get(pk=first.pk))
        costs.append(len(captured))
        assert all(set(each.clubs.all()) == {club} for each in others)
    assert costs[0] == costs[1]


def test_a_merge_of_somebody_who_joined_often_is_taken_back_by_as_many_statements(club, owner, players):
    ana, bo = players[:2]
    costs = []
    for evenings in (1, 5):
        for _ in range(evenings):
            enter(event_of(club), ana, rests_on=[ana.pk])
        merge_players(actor=owner, gone=Player.objects.get(pk=bo.pk), kept=Player.objects.get(pk=ana.pk))
        with CaptureQueriesContext(connection) as captured:
            unmerge_player(actor=owner, player=Player.objects.get(pk=bo.pk))
        costs.append(len(captured))
    assert costs[0] == costs[1]


def test_clubs_that_knew_one_record_know_the_person_until_it_is_taken_back(club, owner, players):
    other = ClubFactory()
    elsewhere = PlayerFactory(club=other)
    MembershipFactory(club=other, user=owner.user, role=Role.ORGANISER)
    merge_players(actor=owner, gone=elsewhere, kept=players[0])
    assert set(players[0].clubs.all()) == {club, other}
    assert list(selectors.known_players(other)) == [players[0]]
    unmerge_player(actor=owner, player=elsewhere)
    assert list(players[0].clubs.all()) == [club]
    assert list(selectors.known_players(other)) == [elsewhere]


def test_boards_follow_the_clubs_that_know_a_person(club, owner, players):
    """Whom a public club knows stands on the public boards, and no longer once it does not."""
    ana, other = players[0], ClubFactory()
    elsewhere = PlayerFactory(club=other)
    MembershipFactory(club=other, user=owner.user, role=Role.ORGANISER)
    enter(event_of(club), ana)
    merge_players(actor=owner, gone=elsewhere, kept=ana)
    assert ("ratings", "dix") in computations.behind()
    StaleMark.objects.all().delete()
    unmerge_player(actor=owner, player=elsewhere)
    assert ("ratings", "dix") in computations.behind()


def test_a_new_name_stands_on_boards_and_in_seasons(club, owner, players):
    ana, anna, _ann = players
    seasons = [SeasonFactory(club=club), SeasonFactory(club=club)]
    for season, player in zip(seasons, (ana, anna), strict=True):
        enter(event_of(club, season=season), player)
    merge_players(actor=owner, gone=anna, kept=ana)
    StaleMark.objects.all().delete()
    rename_player(actor=owner, player=ana, name="Anastasia")
    stale = {("season", season.uid) for season in seasons} | {("ratings", "dix")}
    assert set(StaleMark.objects.values_list("kind", "key")) == stale, "also of the record that was merged"


def test_who_met_in_an_event_are_two_people(club, owner, players):
    ana, anna, ann = players
    event = event_of(club)
    enter(event, ana)
    enter(event, ann)
    merge_players(actor=owner, gone=ann, kept=anna)
    with pytest.raises(MergeConflictError, match="DIX on Wednesday"):
        merge_players(actor=owner, gone=anna, kept=ana)


def test_who_has_two_accounts_is_asked_first(owner, players):
    Player.objects.filter(pk=players[0].pk).update(user=UserFactory())
    Player.objects.filter(pk=players[1].pk).update(user=UserFactory())
    with pytest.raises(MergeConflictError, match="account"):
        merge_players(actor=owner, gone=players[0], kept=players[1])


def test_nobody_is_merged_into_themselves_or_twice(owner, players):
    with pytest.raises(MergeConflictError):
        merge_players(actor=owner, gone=players[0], kept=players[0])
    merge_players(actor=owner, gone=players[0], kept=players[1])
    for gone, kept in [(0, 2), (2, 0)]:
        with pytest.raises(PlayerGoneError):
            merge_players(actor=owner, gone=players[gone], kept=players[kept])


def test_somebody_elses_person_is_merged_by_consent_alone(owner, players):
    elsewhere = PlayerFactory(club=ClubFactory())
    for gone, kept in [(players[0], elsewhere), (elsewhere, players[0])]:
        with pytest.raises(ConsentNeededError):
            merge_players(actor=owner, gone=gone, kept=kept)
    with pytest.raises(ForbiddenError):
        merge_players(actor=owner, gone=elsewhere, kept=PlayerFactory(club=ClubFactory()))


def while_merging(gone, kept, act, owner):
    """Begin to merge, let another do something that waits for it, finish; return what the other was refused by."""
    refused = []

    def other():
        try:
            act()
        except Exception as error:
            refused.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=other)
    with transaction.atomic():
        merge_players(actor=owner, gone=gone, kept=kept)
        thread.start()
        wait_for(waiting_sessions)
    thread.join()
    return refused


def lock_with_joins(keys):
    """Lock people as it was done once: rows that are joined stay as they were before the wait."""
    locked = Player.objects.select_for_update(of=("self",)).select_related("home", "merged_into__home")
    return {player.pk: player for player in locked.filter(pk__in=set(keys)).order_by("pk")}


in_postgresql = pytest.mark.skipif("sqlite" in str(connection.vendor), reason="rows are not locked there")


@in_postgresql
@pytest.mark.django_db(transaction=True)
def test_of_two_merges_at_once_that_would_make_a_chain_one_is_refused(owner, players):
    ana, anna, ann = players
    (refused,) = while_merging(anna, ann, lambda: merge_players(actor=owner, gone=ana, kept=anna), owner)
    assert isinstance(refused, PlayerGoneError)
    assert (refused.status, refused.facts) == (409, {"merged_into": ann.uid})
    assert chained_records().count() == 0
    merge_players(actor=owner, gone=ana, kept=ann)
    assert set(selectors.records_of(ann)) == {ana, anna, ann}


@in_postgresql
@pytest.mark.django_db(transaction=True)
def test_without_reading_again_what_was_joined_two_merges_at_once_make_a_chain(owner, players, monkeypatch):
    monkeypatch.setattr(people, "lock_people", lock_with_joins)
    ana, anna, ann = players
    assert while_merging(anna, ann, lambda: merge_players(actor=owner, gone=ana, kept=anna), owner) == []
    assert list(chained_records()) == [ana]


@in_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_record_is_merged_into_one_of_two_at_once(owner, players, monkeypatch):
    ana, anna, ann = players
    (refused,) = while_merging(ana, anna, lambda: merge_players(actor=owner, gone=ana, kept=ann), owner)
    assert isinstance(refused, PlayerGoneError)
    assert refused.facts == {"merged_into": anna.uid}
    unmerge_player(actor=owner, player=ana)
    monkeypatch.setattr(people, "lock_people", lock_with_joins)
    (failed,) = while_merging(ana, anna, lambda: merge_players(actor=owner, gone=ana, kept=ann), owner)
    assert isinstance(failed, IntegrityError), "without reading again what was joined"


@in_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_record_that_is_merged_meanwhile_is_not_renamed(owner, players):
    ana, anna, _ = players
    (refused,) = while_merging(ana, anna, lambda: rename_player(actor=owner, player=ana, name="Zoe"), owner)
    assert isinstance(refused, PlayerGoneError)
    assert Player.objects.get(pk=ana.pk).name == "Ana"


def chain(*records):
    """Lead each record to the next, as merges at once did."""
    for gone, kept in itertools.pairwise(records):
        Player.objects.filter(pk=gone.pk).update(merged_into=kept)
        Merge.objects.create(gone=gone, kept=kept)


def flatten():
    importlib.import_module("tournaments.migrations.0031_chains_of_merged_records").flatten(apps, None)


def test_an_update_leads_every_record_to_its_person(club, owner, players):
    ana, anna, ann = players
    other, season = ClubFactory(), SeasonFactory(club=club)
    last, alone = PlayerFactory(club=club), PlayerFactory(club=club, merged_into=PlayerFactory(club=club))
    AffiliationFactory(club=other, player=ana)
    enter(event_of(club, season=season), ana)
    chain(ana, anna, ann, last)
    StaleMark.objects.all().delete()
    flatten()
    assert set(selectors.records_of(last)) == {ana, anna, ann, last}
    assert set(Player.objects.exclude(merged_into=None)) == {ana, anna, ann, alone}
    assert set(last.clubs.all()) == {club, other}
    assert set(StaleMark.objects.values_list("kind", "key")) == {("ratings", "dix"), ("season", season.uid)}
    assert StaleMark.objects.get(kind="ratings").since_at is not None, "all tables are rated anew"
    unmerge_player(actor=owner, player=ann)
    assert set(selectors.records_of(ann)) == {ana, anna, ann}
    unmerge_player(actor=owner, player=anna)
    ana.refresh_from_db()
    assert ana.merged_into == anna
    anonymise_player(actor=owner, player=anna)
    ana.refresh_from_db()
    assert ana.is_anonymous
    StaleMark.objects.all().delete()
    flatten()
    assert not StaleMark.objects.exists(), "where nothing is chained nothing changes"


def test_an_update_gives_a_record_back_that_was_not_forgotten_with_its_person(owner, players):
    ana, anna, ann = players
    earlier = PlayerFactory(home=ana.home)
    chain(earlier, ana, anna, ann)
    anonymise_player(actor=owner, player=ann)
    flatten()
    ana.refresh_from_db()
    assert (ana.name, ana.merged_into) == ("Ana", None)
    assert set(selectors.records_of(ana)) == {earlier, ana}
    assert set(selectors.records_of(ann)) == {anna, ann}
    anonymise_player(actor=owner, player=ana)
    earlier.refresh_from_db()
    assert earlier.is_anonymous


def said_at(entry, days):
    """Let an entry be of another day, as a file may say."""
    Entry.objects.filter(pk=entry.pk).update(created_at=timezone.now() + dt.timedelta(days=days))


@pytest.mark.parametrize("days", [0, -30])
def test_a_merge_is_final_once_the_person_entered_again(club, owner, players, days):
    """Which of the two it was, nobody can tell; nor by the day that a file names."""
    ana, anna, _ = players
    merge_players(actor=owner, gone=anna, kept=ana)
    said_at(enter(event_of(club), ana), days)
    with pytest.raises(MergeFinalError):
        unmerge_player(actor=owner, player=anna)


def test_a_merge_is_taken_back_though_entries_from_before_are_seated_since(club, owner, players):
    """Such an entry is of one of the two records, and stays with it."""
    ana, anna, _ = players
    known = [enter(event_of(club), player) for player in (ana, anna)]
    merge_players(actor=owner, gone=anna, kept=ana)
    for entry in known:
        seat(entry)
    assert unmerge_player(actor=owner, player=anna).merged_into is None


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_merge_is_taken_back_though_an_entry_from_before_is_said_to_be_of_tomorrow(club, owner, players, is_kept):
    ana, anna, _ = players
    said_at(enter(event_of(club), ana if is_kept else anna), 1)
    merge_players(actor=owner, gone=anna, kept=ana)
    assert unmerge_player(actor=owner, player=anna).merged_into is None


@pytest.mark.parametrize(("days", "is_final"), [(-1, False), (0, True), (1, False)])
def test_a_merge_of_an_older_version_is_final_by_the_day_of_an_entry(club, owner, players, days, is_final):
    ana, anna, _ = players
    merge_players(actor=owner, gone=anna, kept=ana)
    Merge.objects.update(last_entry=None)
    said_at(enter(event_of(club), ana), days)
    with pytest.raises(MergeFinalError) if is_final else contextlib.nullcontext():
        unmerge_player(actor=owner, player=anna)


def test_what_was_not_merged_cannot_be_taken_back(owner, players):
    with pytest.raises(MergeFinalError):
        unmerge_player(actor=owner, player=players[0])


# --- Anonymising ------------------------------------------------------------------------------------------------


def test_a_name_is_gone_from_everywhere_and_nothing_else_changes(club, owner, players):
    ana, anna, ben = players
    first, second = event_of(club), event_of(club)
    entries = [enter(first, ana), enter(second, anna), enter(first, ben)]
    played = seat(entries[0])
    player = Actor(Kind.ENTRY, entry=entries[0])
    record(actor=player, event=first, verb="entry-dropped", entry=entries[0].uid, name="Ana", before="checked_in")
    record(actor=player, event=first, verb="vouched", entry=entries[2].uid, name="Ann")
    merge_players(actor=owner, gone=anna, kept=ana)
    Player.objects.filter(pk=anna.pk).update(user=UserFactory())
    KeepApartFactory(club=club, first=ana, second=ben)

    anonymous = anonymise_player(actor=owner, player=ana)

    assert anonymous.name == f"Player {ana.uid[:4]}"
    assert set(selectors.records_of(ana).values_list("name", "user")) == {(anonymous.name, None)}
    assert list(Entry.objects.order_by("pk").values_list("name", flat=True)) == [anonymous.name] * 2 + ["Ann"]
    said = list(Action.objects.filter(event=first).order_by("pk").values_list("verb", "actor", "facts__name"))
    assert said == [
        ("entry-dropped", f"player {anonymous.name}", anonymous.name),
        ("vouched", f"player {anonymous.name}", "Ann"),
        ("player-anonymised", owner.label, anonymous.name),
    ]
    assert list(Event.objects.values_list("version", flat=True)) == [2, 2], "readers are told that names changed"
    assert not KeepApart.objects.exists()
    played.refresh_from_db()
    assert (played.entry, played.position) == (entries[0], 1)
    for act in (
        lambda: anonymise_player(actor=owner, player=ana),
        lambda: rename_player(actor=owner, player=ana, name="Ana"),
        lambda: unmerge_player(actor=owner, player=anna),
    ):
        with pytest.raises(PlayerGoneError):
            act()


def test_a_neutral_name_is_nobody_elses(club, owner, players):
    ana, other, _ = players
    event = event_of(club)
    enter(event, ana)
    enter(event, other, name=f"player {ana.uid[:4]}")
    assert anonymise_player(actor=owner, player=ana).name == f"Player {ana.uid[:8]}"


def test_only_the_home_club_and_the_person_may_forget_somebody(club, players):
    later = ClubFactory()
    Affiliation.objects.create(club=later, player=players[0])
    for actor in (actor_in(later), actor_in(club, Role.ORGANISER), Actor(Kind.USER, user=UserFactory())):
        with pytest.raises(ForbiddenError):
            anonymise_player(actor=actor, player=players[0])


def test_who_forgets_themselves_leaves_no_trace_of_their_account(club, players):
    user = UserFactory()
    Player.objects.filter(pk=players[0].pk).update(user=user)
    enter(event_of(club), players[0])
    assert anonymise_player(actor=Actor(Kind.USER, user=user), player=players[0]).user is None
    assert list(Action.objects.values_list("verb", "actor", "user")) == [("player-anonymised", "nobody", None)]


# --- Importing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names", "problems"),
    [
        ("Ben\nCleo", ["Ben", "Cleo"], []),
        ("Name\nBen\n", ["Ben"], []),
        ("id,nom\n1,Ben\n2,Cleo\n", ["Ben", "Cleo"], []),
        ("id\tname\n1\tBen\n", ["Ben"], []),
        ('name\n"Doe, Jane"\n', ["Doe, Jane"], []),
        ("id,name\n1\n", [], [(2, "name-invalid")]),
        ("Doe, Jane\n", [], [(1, "columns")]),
        ('"Ben', [], [(1, "malformed-csv")]),
        ('name\n"Ben\nCleo"\nDan\n', ["Dan"], [(3, "name-invalid")]),
        ("", [], []),
        ("=1+1\n<b>\n", ["=1+1", "<b>"], []),
    ],
)
def test_files_of_many_kinds_are_read(club, owner, text, names, problems):
    found = import_players(actor=owner, club=club, text=text, is_dry_run=True)
    assert [player.name for player in found.new] == names
    assert [(problem.line, problem.code) for problem in found.problems] == problems
    assert not Player.objects.exists()


@pytest.mark.parametrize("header", [[], ["name"]])
def test_a_file_has_5000_lines_at_the_most(club, owner, header):
    lines = header + [f"Player {number}" for number in range(MOST_LINES + 1)]
    found = import_players(actor=owner, club=club, text="\n".join(lines), is_dry_run=True)
    assert [(problem.line, problem.code) for problem in found.problems] == [(len(lines), "too-many-lines")]


def test_a_long_file_costs_few_queries(club, owner, django_assert_max_num_queries):
    text = "name\n" + "\n".join(f"Player {number}" for number in range(MOST_LINES))
    with django_assert_max_num_queries(70):  # on SQLite rows are written in batches
        assert len(import_players(actor=owner, club=club, text=text, is_dry_run=False).new) == MOST_LINES
    assert club.players.count() == MOST_LINES


def test_a_file_is_sorted_out_again_when_the_club_has_changed_since(club, owner):
    file = sort_out(actor=owner, club=club, text="name\nAna\nBen\n", as_new=())
    import_players(actor=owner, club=club, text="Ana", is_dry_run=False)
    taken = take_sorted(actor=owner, file=file)
    assert ([each.name for each in taken.known], [each.name for each in taken.new]) == (["Ana"], ["Ben"])
    assert club.players.count() == 2


def test_a_file_is_sorted_out_before_anything_is_locked(club, owner, monkeypatch):
    """Judging 5,000 names takes most of a second, in which on SQLite nobody else could write."""
    seen = []
    monkeypatch.setattr(imports, "clean_name", lambda name: seen.append(len(connection.savepoint_ids)) or name)
    depth = len(connection.savepoint_ids)
    import_players(actor=owner, club=club, text="Ana\nBen", is_dry_run=False)
    assert seen == [depth, depth]
