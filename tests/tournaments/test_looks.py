"""Names that look alike are looked for by what is stored of them, however many people a club has."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.likeness import folded, look, look_folded, looks, searchable
from core.names import NameInvalidError, clean_name
from tests.factories import ClubFactory, EventFactory, MembershipFactory, PlayerFactory, UserFactory
from tests.tournaments.events import enter
from tournaments import selectors
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import NameAlikeError
from tournaments.models import Club, Player, Role
from tournaments.services import attendance, imports, joining, merging, people

pytestmark = pytest.mark.django_db


def is_name(text: str) -> bool:
    try:
        return clean_name(text) == text
    except NameInvalidError:
        return False


SEVERAL = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
# Letters that look like others, in several cases, and some that are no letters: what names are told apart by.
NAMES = st.text("aAáÀаАlI1iİıßSsẞŁłЅ𝐀ⓐǁꝎЫ🎲-'. 中", min_size=1, max_size=5).filter(is_name)


@pytest.fixture
def club():
    return ClubFactory()


@pytest.fixture
def owner(club):
    return Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.OWNER).user)


@pytest.fixture
def rows(monkeypatch):
    """Count the rows that the database hands over."""
    read, results = [], SQLCompiler.results_iter

    def counted(self, *args, **options):
        for row in results(self, *args, **options):
            read.append(row)
            yield row

    monkeypatch.setattr(SQLCompiler, "results_iter", counted)
    return read


def fill(club: Club, number: int) -> None:
    Player.objects.bulk_create(Player(name=f"Somebody {each}", home=club) for each in range(number))


def assert_stored_as_named() -> None:
    for player in Player.objects.all():
        stored = (player.search, player.look, player.look_folded)
        assert stored == (searchable(player.name), look(player.name), look_folded(player.name))


def test_every_name_has_the_looks_of_what_it_is_now(club, owner):
    made = people.create_player(actor=owner, club=club, name="Inès")
    imports.import_players(actor=owner, club=club, text="name\nÉlodie\nAnna\nAna\n", is_dry_run=False)
    joining.join(event=(event := EventFactory(club=club)), code=event.join_code, name="Joined", actor=NOBODY)
    assert_stored_as_named()
    people.rename_player(actor=owner, player=made, name="ALICE")
    people.anonymise_player(actor=owner, player=Player.objects.get(name="Élodie"))
    merging.merge_players(actor=owner, gone=Player.objects.get(name="Anna"), kept=Player.objects.get(name="Ana"))
    assert_stored_as_named()
    assert list(selectors.alike(club, looks("A1ice"))) == [made]
    assert not selectors.alike(club, looks("Inès")).exists(), "nobody has this name any more"
    assert not selectors.alike(club, looks("Élodie")).exists(), "nobody has this name any more"
    assert not selectors.alike(club, looks("Anna")).exists(), "who was merged is not found under the former name"


def test_who_is_known_already_gets_the_looks_of_their_name(club, monkeypatch):
    for name in ("Ana", "ALICE", "Łukasz", "Сара", "Zoë"):
        PlayerFactory(name=name, club=club)
    Player.objects.update(look="", look_folded="")
    migration = importlib.import_module("tournaments.migrations.0033_player_looks_filled")
    monkeypatch.setattr(migration, "AT_ONCE", 2)
    migration.fill(apps, None)
    assert_stored_as_named()


def test_who_is_known_already_gets_the_looks_that_were_overlooked(club):
    names = ["Аӏех", "ΝΙϹΟ", "ϲοϲο", "Steſan", "Ana"]
    for name in names:
        PlayerFactory(name=name, club=club)
    Player.objects.exclude(name="Ana").update(look="")
    importlib.import_module("tournaments.migrations.0035_looks_of_letters").fill(apps, None)
    assert_stored_as_named()


def test_who_is_known_already_gets_the_looks_of_drawn_letters(club):
    for name in ("O│li", "○lli", "ꓡꓲꓢꓮ", "Ana"):
        PlayerFactory(name=name, club=club)
    Player.objects.exclude(name="Ana").update(look="", look_folded="")
    importlib.import_module("tournaments.migrations.0035_looks_of_letters").fill(apps, None)
    assert_stored_as_named()


def test_who_is_known_already_gets_the_looks_of_letters_that_look_like_several(club):
    for name in ("Biǁ", "Cꝏper", "Bi‖", "Быков", "Ana"):
        PlayerFactory(name=name, club=club)
    Player.objects.exclude(name="Ana").update(look="", look_folded="")
    importlib.import_module("tournaments.migrations.0038_looks_of_several_letters").fill(apps, None)
    assert_stored_as_named()


@SEVERAL
@given(st.lists(NAMES, max_size=6), NAMES)
def test_the_database_finds_exactly_the_names_that_share_a_look(names, wanted):
    club = ClubFactory()
    for name in names:
        PlayerFactory(name=name, home=club)
    PlayerFactory(name=wanted, home=ClubFactory())
    found = selectors.alike(club, looks(wanted)).values_list("name", flat=True)
    own = selectors.own_players(club).values_list("name", flat=True)
    assert list(found) == [name for name in own if looks(name) & looks(wanted)]


@SEVERAL
@given(st.lists(NAMES, max_size=6), st.lists(NAMES, max_size=3))
def test_people_are_known_by_a_name_that_only_they_have(names, wanted):
    club = ClubFactory()
    for name in names:
        PlayerFactory(name=name, home=club)
    keys = [folded(name) for name in names]
    known = {folded(name): name for name in names if keys.count(folded(name)) == 1}
    found = attendance.own_by_name(club, wanted)
    for key in map(folded, wanted):
        assert (found[key].name if key in found else None) == known.get(key)


def test_looking_for_a_name_reads_no_more_rows_in_a_large_club(club, owner, rows):
    user = UserFactory()
    ana = PlayerFactory(name="Ana", club=club, user=user)
    event, other = EventFactory(club=club), PlayerFactory(name="Zoë", club=club)

    def work() -> tuple[int, int]:
        rows.clear()
        with CaptureQueriesContext(connection) as queries:
            with pytest.raises(NameAlikeError) as refused:
                joining.join(event=event, code=event.join_code, name="Zoe", actor=NOBODY)
            with pytest.raises(NameAlikeError):
                people.rename_player(actor=Actor(Kind.USER, user=user), player=ana, name="Zoé")
            known = attendance.own_by_name(club, ["zoe", "Nobody"])
        assert (refused.value.facts["alike"], known) == (["Zoë"], {"zoe": other})
        return len(rows), len(queries)

    before = work()
    fill(club, 300)
    assert work() == before


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by how many rows there are")
def test_sqlite_goes_through_no_more_rows_than_it_finds(club):
    plans = [selectors.names_alike(club, "Zoe"), selectors.own_players(club).filter(search__in=["zoe", "ana"])]
    steps = [step for query in plans for step in plan_of(query)]
    searched = [step for step in steps if step.startswith("SEARCH")]
    assert [step for step in steps if step.startswith("SCAN")] == []
    assert [step for step in searched if "(home_id=?)" in step] == []
    assert any("(home_id=? AND look=?)" in step for step in searched)
    assert any("(home_id=? AND look_folded=?)" in step for step in searched)
    assert any("(home_id=? AND search=?)" in step for step in searched)


def plan_of(query: QuerySet[Any, Any]) -> list[str]:
    """Return the steps of SQLite for a query."""
    with connection.cursor() as cursor:
        sql, values = query.query.sql_with_params()
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", values)
        return [str(row[3]) for row in cursor.fetchall()]


def test_many_who_look_alike_are_told_in_order_each_name_once(club):
    event = EventFactory(club=club)
    for name in ("Аna", "Ána", "Ana", "Ana", "Ánà"):
        PlayerFactory(name=name, club=club)
    enter(event, PlayerFactory(name="Anà", club=club))
    with pytest.raises(NameAlikeError) as refused:
        joining.join(event=event, code=event.join_code, name="aná", actor=NOBODY)
    everybody = selectors.own_players(club).values_list("name", flat=True)
    expected = list(dict.fromkeys(["Anà", *(name for name in everybody if looks(name) & looks("aná"))]))
    assert refused.value.facts["alike"] == expected[: joining.MOST_ALIKE]


def test_a_private_club_tells_nobody_whom_it_knows(club):
    Club.objects.update(is_public=False)
    event = EventFactory(club=Club.objects.get())
    PlayerFactory(name="Ana", club=event.club)
    assert joining.join(event=event, code=event.join_code, name="Ána", actor=NOBODY).name == "Ána"
