"""From the embedded SQLite to PostgreSQL by one command: every row, and everything computed from them."""

from __future__ import annotations

import contextlib
import sqlite3

import psycopg
import pytest

from ops.sqlite_to_postgres import Content
from scoring.errors import SheetRefusedError
from scoring.models import Attempt
from scoring.services.reports import submit_report
from tests.ops.copies import address, life_of, look, manage, postgres
from tests.scoring.evenings import evening


@pytest.fixture(scope="module")
def place():
    with postgres() as folder:
        yield folder


@pytest.fixture
def embedded(filled_folder):
    return f"sqlite:///{filled_folder / 'ludoscore.sqlite3'}"


def test_everything_arrives_and_computes_to_the_same(embedded, place, tmp_path):
    before = look(tmp_path, embedded)
    code, said = manage(tmp_path, embedded, "move_to", address(place, "one"))
    assert code == 0, said
    assert "every table is the same on both sides" in said
    after = look(tmp_path, address(place, "one"))
    assert after == before
    assert life_of(tmp_path, address(place, "one")) not in {"", life_of(tmp_path, embedded)}
    assert before["audit"] == [0, 0, 0]
    for table in ("scoring_rating", "scoring_standingrow", "auth_group_permissions", "core_storedanswer"):
        assert before["tables"][table][0] > 0
    with psycopg.connect(address(place, "one")) as connection:
        made = "INSERT INTO auth_group (name) VALUES ('new') RETURNING id > (SELECT max(id) FROM auth_group)"
        assert connection.execute(made).fetchone() == (True,), "new rows get new keys"
        with pytest.raises(psycopg.errors.RestrictViolation):
            connection.execute("UPDATE tournaments_action SET verb = 'x'")

    code, said = manage(tmp_path, embedded, "move_to", address(place, "one"))
    assert code == 1
    assert "The target is not empty." in said
    assert look(tmp_path, address(place, "one")) == after


def test_nothing_stays_where_something_goes_wrong(embedded, place, tmp_path):
    url = address(place, "two")
    assert manage(tmp_path, url, "migrate", "--verbosity", "0")[0] == 0
    with psycopg.connect(url) as connection:
        connection.execute("ALTER TABLE scoring_report ADD CONSTRAINT broken CHECK (status = 'no such')")
    code, said = manage(tmp_path, embedded, "move_to", url)
    assert code == 1
    assert "Nothing was moved." in said
    assert "Traceback" not in said
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM tournaments_club").fetchone() == (0,)
        connection.execute("ALTER TABLE scoring_report DROP CONSTRAINT broken")
    assert manage(tmp_path, embedded, "move_to", url)[0] == 0, "and the next attempt succeeds"


@pytest.mark.parametrize("schema", ["public", "app"])
def test_target_that_holds_something_of_an_older_version_is_left_as_it_is(embedded, place, tmp_path, schema):
    url = address(place, "four")
    with psycopg.connect(address(place, "postgres"), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS four")
        connection.execute("CREATE DATABASE four")
    tables = "SELECT schemaname, relname FROM pg_stat_user_tables ORDER BY 1, 2"
    with psycopg.connect(url) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        connection.execute(f"SET search_path = {schema}")
        connection.execute("CREATE TABLE django_migrations (id serial, app text, name text, applied timestamptz)")
        connection.execute("CREATE TABLE core_user (email text)")
        connection.execute("INSERT INTO core_user VALUES ('you@example.org')")
    with psycopg.connect(url) as connection:
        before = connection.execute(tables).fetchall()
    code, said = manage(tmp_path, embedded, "move_to", f"{url}?options=-csearch_path%3D{schema}")
    assert (code, said) == (1, "CommandError: Nothing was moved. The target is not empty.\n")
    with psycopg.connect(url) as connection:
        assert connection.execute(tables).fetchall() == before


def test_only_postgresql_is_a_target(embedded, tmp_path):
    for url in ("mysql://user:hunter2@host/name", f"sqlite:///{tmp_path / 'other.sqlite3'}"):
        code, said = manage(tmp_path, embedded, "move_to", url)
        assert (code, "Nothing was moved." in said, "hunter2" in said) == (1, True, False)


@pytest.mark.parametrize(
    ("option", "reason"), [("foo=bar", "the option foo"), ("connect_timeout=abc", "abc"), ("sslmode=bogus", "bogus")]
)
def test_option_that_cannot_be_used_is_told_as_what_it_is(place, tmp_path, option, reason):
    code, said = manage(tmp_path, f"{address(place, 'two')}?{option}", "create_club", "Café", "--owner", "a@b.example")
    assert code == 1
    assert reason in said
    assert "after 2.00 sec" not in said
    assert "Traceback" not in said


def test_what_is_no_character_to_postgresql_moves_as_a_mark(filled_folder, place, tmp_path):
    """Older versions let SQLite keep NUL in a name, a reason or a sheet."""
    copy = tmp_path / "ludoscore.sqlite3"
    copy.write_bytes((filled_folder / "ludoscore.sqlite3").read_bytes())
    with contextlib.closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE tournaments_club SET name = 'a' || char(0) || 'b'")
        connection.execute("""UPDATE scoring_report SET sheet = '{"a\\u0000": ["\\ud800"]}'""")
    code, said = manage(tmp_path, f"sqlite:///{copy}", "move_to", address(place, "three"))
    assert code == 0, said
    with psycopg.connect(address(place, "three")) as connection:
        assert connection.execute("SELECT DISTINCT name FROM tournaments_club").fetchone() == ("a\ufffdb",)
        assert connection.execute("SELECT sheet FROM scoring_report").fetchone() == ({"a\ufffd": ["\ufffd"]},)


# As one may stand in a sheet that was refused, which is kept as it came.
NUMBERS = [-0.0, 0.1, 1e22, 1e23, -1.5e300, 2**53 + 1, 10**400]


@pytest.mark.django_db
@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_numbers_of_any_size_are_the_same_on_both_sides(number):
    tonight = evening()
    sheet = tonight.sheet() | {"players": [number]}
    with pytest.raises(SheetRefusedError):
        submit_report(actor=tonight.players[0], table=tonight.table, sheet=sheet)
    sent, arrived = Content(), Content()
    sent.add((sheet,))
    arrived.add(Attempt.objects.values_list("sheet").get())
    assert sent == arrived
