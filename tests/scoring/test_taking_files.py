"""Files that come in: what costs is done before anything is locked, and what changes meanwhile is noticed."""

from __future__ import annotations

import json
from functools import partial

import pytest
from django.db import connection

from api.files import read
from core.transactions import anew_after
from scoring import rules
from scoring.errors import FileInvalidError, FileOvertakenError
from scoring.models import Placing, Report
from scoring.services import files
from tests.api.files import FILES, file_of, organiser_of, played_own
from tests.engines.custom.test_definition import HARBOUR
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory
from tests.faults.phones import together
from tests.scoring.large_files import large_file
from tournaments.errors import ForbiddenError
from tournaments.models import Club, Event, Membership, Player
from tournaments.services import merging
from tournaments.services.games import define_game, redefine_game, remove_game
from tournaments.services.seasons import create_season

KEYS = [{}, {"Idempotency-Key": "a key of some length"}]


def as_read(file):
    """Return a file as it comes from an upload."""
    return read(json.dumps(file).encode())


def club_of(*events, **more):
    """Return the file of a club."""
    club = {"slug": "there", "name": "There"}
    return {"format": files.CLUB_FORMAT, "club": club, "people": [], "seasons": [], "events": list(events), **more}


@pytest.fixture
def there(db):
    """A club without anything: the club, and its owner as actor and caller."""
    club = ClubFactory(slug="there")
    return club, *organiser_of(club)


# --- The lock -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", KEYS)
@pytest.mark.parametrize("is_club", [False, True])
def test_sheets_are_judged_before_anything_is_locked(monkeypatch, is_club, headers):
    _, caller = organiser_of(ClubFactory(slug="there"))
    seen, judge, minimal = [], rules.judge_sitting, rules.minimal

    def noting(act):
        def act_and_note(*given):
            seen.append(connection.in_atomic_block)
            return act(*given)

        return act_and_note

    monkeypatch.setattr(rules, "judge_sitting", noting(judge))
    monkeypatch.setattr(rules, "minimal", noting(minimal))
    file = large_file(people=8, rounds=2)
    answer = caller.post(FILES.format(slug="there"), club_of(file) if is_club else file, headers=headers)
    assert answer.status_code in {200, 201}, answer.json()
    assert seen == [False] * 8
    assert Placing.objects.count() == 16


def statements_while_locked(caller, file, headers):
    """Return how many statements the longest transaction has in which a file is taken."""
    counts = [0]

    def count(execute, sql, *more):
        answer = execute(sql, *more)
        if connection.in_atomic_block and not sql.startswith("BEGIN"):
            counts[-1] += 1
        else:
            counts.append(0)
        return answer

    with connection.execute_wrapper(count):
        answer = caller.post(FILES.format(slug="there"), file, headers=headers)
    assert answer.status_code in {200, 201}, answer.json()
    return max(counts)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", KEYS)
def test_a_larger_file_is_stored_by_as_many_statements(headers):
    _, caller = organiser_of(ClubFactory(slug="there"))
    small = statements_while_locked(caller, large_file(people=9, rounds=2), headers)
    other = {name: f"{value} again" for name, value in headers.items()}
    assert small == statements_while_locked(caller, large_file(people=45, rounds=6), other) < 60


@pytest.mark.django_db(transaction=True)
def test_events_of_a_club_are_stored_one_by_one():
    _, caller = organiser_of(ClubFactory(slug="there"))
    alone = statements_while_locked(caller, large_file(people=4, rounds=1), {})
    many = club_of(*(large_file(people=4, rounds=1) for _ in range(4)))
    assert statements_while_locked(caller, many, {}) == alone
    assert Event.objects.count() == 5


# --- What changes while a file is judged --------------------------------------------------------------------------


def test_one_file_judged_twice_at_once_is_one_event(there):
    club, actor, _ = there
    file = as_read(large_file(people=4, rounds=1))
    first, second = (files.judge_event(actor=actor, club=club, file=file) for _ in range(2))
    taken, again = files.take_judged(first), files.take_judged(second)
    assert (taken.is_new, again.is_new) == (True, False)
    assert taken.event == again.event == Event.objects.get()
    assert Player.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_one_file_sent_to_two_clubs_at_once_is_an_event_in_each():
    clubs = [ClubFactory(slug=slug) for slug in ("here", "there")]
    sent = [(club, organiser_of(club)[0]) for club in clubs] * 2
    file = as_read(large_file(people=8, rounds=2))
    acts = [partial(files.import_event, actor=actor, club=club, file=file) for club, actor in sent]
    taken = together(acts)
    assert sorted(each.is_new for each in taken) == [False, False, True, True]
    assert {each.event.club for each in taken} == set(clubs)
    assert Event.objects.count() == 2
    assert Player.objects.count() == 16
    assert Placing.objects.count() == 32


def test_whoever_lost_the_role_while_the_file_was_judged_takes_nothing(there):
    club, actor, _ = there
    judged = files.judge_event(actor=actor, club=club, file=as_read(large_file(people=4, rounds=1)))
    Membership.objects.filter(club=club, user=actor.user).delete()
    with pytest.raises(ForbiddenError):
        files.take_judged(judged)
    assert not Event.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize("kind", ["people", "entries"])
def test_an_id_that_is_taken_while_the_file_is_judged_is_replaced(there, kind):
    club, actor, _ = there
    file = as_read(large_file(people=4, rounds=1))
    uid, judged = file[kind][0]["id"], []

    def judge_and_be_overtaken():
        judged.append(files.judge_event(actor=actor, club=club, file=file))
        if len(judged) == 1:
            PlayerFactory(uid=uid, home=ClubFactory())
        return files.take_judged(judged[-1])

    taken = anew_after(FileOvertakenError, judge_and_be_overtaken)
    assert (len(judged), taken.is_new, taken.refused) == (2, True, [])
    assert not Event.objects.filter(entries__player__uid=uid).exists()
    assert not taken.event.entries.filter(uid=uid).exists()
    labels = set(taken.event.entries.values_list("player__uid", flat=True))
    assert set(Report.objects.get().sheet["seats"]) == labels
    assert Placing.objects.filter(event=taken.event).count() == 4


def test_a_person_who_is_at_home_elsewhere_since_the_file_was_judged_is_not_entered(there):
    club, actor, _ = there
    file = as_read(large_file(people=4, rounds=1))
    here = PlayerFactory(uid=file["people"][0]["id"], home=club)
    judged = files.judge_event(actor=actor, club=club, file=file)
    elsewhere = PlayerFactory(home=ClubFactory())
    merging.merge(*merging.lock_both(here, elsewhere), by=actor)
    with pytest.raises(FileOvertakenError):
        files.take_judged(judged)
    files.import_event(actor=actor, club=club, file=file)
    assert not elsewhere.entries.exists()


def test_people_who_are_one_person_here_by_now_are_not_entered_twice(there):
    club, actor, _ = there
    file = as_read(large_file(people=4, rounds=1))
    first, second = (PlayerFactory(uid=each["id"], home=club) for each in file["people"][:2])
    merging.merge(*merging.lock_both(first, second), by=actor)
    with pytest.raises(FileInvalidError):
        files.import_event(actor=actor, club=club, file=file)
    assert not Event.objects.exists()


def test_a_season_that_is_made_while_the_file_is_judged_has_the_event(there):
    club, actor, _ = there
    file = large_file(people=4, rounds=1)
    file["event"]["season"] = "Autumn"
    judged = files.judge_event(actor=actor, club=club, file=as_read(file))
    season = create_season(actor=actor, club=club, fields={"name": "Autumn"})
    with pytest.raises(FileOvertakenError):
        files.take_judged(judged)
    assert files.import_event(actor=actor, club=club, file=as_read(file)).event.season == season


@pytest.fixture
def harbour(there):
    """The file of an event of another club's own game."""
    club = ClubFactory(slug="here")
    actor, _ = organiser_of(club)
    define_game(actor=actor, club=club, definition=HARBOUR)
    return as_read(file_of(played_own(club, actor, HARBOUR)))


def test_a_game_of_the_same_name_that_is_made_while_the_file_is_judged_stays_another(there, harbour):
    club, actor, _ = there
    judged = files.judge_event(actor=actor, club=club, file=harbour)
    theirs = define_game(actor=actor, club=club, definition={**HARBOUR, "winner": "fewest"})
    with pytest.raises(FileOvertakenError):
        files.take_judged(judged)
    assert list(club.games.all()) == [theirs]
    taken = files.import_event(actor=actor, club=club, file=harbour)
    assert (taken.event.game_slug, taken.refused) == ("custom:harbour-2", [])
    assert taken.games == [("custom:harbour", "custom:harbour-2", 1)]
    assert Report.objects.get(table__round__event=taken.event).sheet["game"] == "custom:harbour-2"


def test_an_event_keeps_the_version_it_was_judged_by(there, harbour):
    club, actor, _ = there
    game = define_game(actor=actor, club=club, definition=HARBOUR)
    del harbour["event"]["game_version"]
    judged = files.judge_event(actor=actor, club=club, file={**harbour, "definitions": []})
    redefine_game(actor=actor, game=game, changes={"minutes": 45})
    assert files.take_judged(judged).event.game_version == 1


def test_a_game_that_is_removed_while_the_file_is_judged_is_missed(there, harbour):
    club, actor, _ = there
    game = define_game(actor=actor, club=club, definition=HARBOUR)
    file = {**harbour, "definitions": []}
    judged = files.judge_event(actor=actor, club=club, file=file)
    remove_game(actor=actor, game=game)
    with pytest.raises(FileOvertakenError):
        files.take_judged(judged)
    with pytest.raises(FileInvalidError):
        files.import_event(actor=actor, club=club, file=file)


# --- A whole club -------------------------------------------------------------------------------------------------


def test_a_club_whose_last_event_contradicts_itself_is_refused_whole(there):
    club, _, caller = there
    wrong = large_file(people=4, rounds=1)
    wrong["rounds"][0]["tables"][0]["final_at"] = None
    person = {"id": "7kx2m9qd4w8zr3tb", "name": "Ana"}
    season = {"name": "Autumn"}
    file = club_of(large_file(people=4, rounds=1), wrong, people=[person], seasons=[season])
    answer = caller.post(FILES.format(slug="there"), file)
    assert (answer.status_code, answer.json()["code"]) == (422, "file-invalid")
    assert not Event.objects.exists()
    assert not Player.objects.exists()
    assert not club.seasons.exists()


def test_a_club_with_a_season_that_makes_no_sense_is_refused_whole(there):
    club, _, caller = there
    season = {"name": "Autumn", "starts_on": "2026-02-01", "ends_on": "2026-01-01"}
    answer = caller.post(FILES.format(slug="there"), club_of(large_file(people=4, rounds=1), seasons=[season]))
    assert answer.status_code == 422, answer.json()
    assert not Event.objects.exists()
    assert not Player.objects.filter(home=club).exists()


def test_the_file_of_a_club_goes_on_where_it_ended(there):
    _, actor, caller = there
    one, two = (large_file(people=4, rounds=1) for _ in range(2))
    files.import_event(actor=actor, club=Club.objects.get(), file=as_read(one))
    answer = caller.post(FILES.format(slug="there"), club_of(one, two))
    assert [each["taken"]["tables"] for each in answer.json()["events"]] == [0, 1]
    assert Event.objects.count() == 2


def test_the_file_of_a_club_is_answered_again_by_its_key(there):
    club, actor, caller = there
    file, headers = club_of(large_file(people=4, rounds=1)), KEYS[1]
    first, again = (caller.post(FILES.format(slug="there"), file, headers=headers) for _ in range(2))
    assert first.json() == again.json()
    assert first.json()["events"][0]["taken"]["tables"] == 1
    other = caller.post(FILES.format(slug="there"), club_of(large_file(people=4, rounds=1)), headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-mismatch")
    assert Event.objects.count() == 1
    MembershipFactory(club=club, role="owner")
    Membership.objects.filter(club=club, user=actor.user).delete()
    assert caller.post(FILES.format(slug="there"), file, headers=headers).status_code == 403
