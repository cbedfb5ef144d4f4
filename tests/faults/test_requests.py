"""Nobody's request is worth an evening: 32, 33, 35, 40, 44, 46, 49, 56 and 58, each beside phones that go on.

The control of most is the web server as it was: a thread for every request from its first byte on.
"""

from __future__ import annotations

import json
import signal
import statistics
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from uuid import uuid4

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.test import Client, RequestFactory

from api import games, root
from api.files import read
from core import brute_force, conditional, logins
from core.costly import TooManyAtOnceError
from scoring.services.files import import_event
from tests.factories import EventFactory, PlayerFactory, UserFactory
from tests.faults.counts import IS_FULL, count
from tests.faults.crowds import WITHIN, Meanwhile, endings, held, log_in
from tests.faults.phones import at_once, call, evenings, organiser_token, token_of
from tests.faults.rig_names import SLOW_START, UNBOUNDED, UNTHROTTLED
from tests.faults.stand import wait_for
from tests.faults.test_abuse import memory_of
from tests.scoring.evenings import evening
from tests.scoring.large_files import large_file
from tournaments.models import Entry
from tournaments.services.entries import add_entry

GRACE = count(2, 6)  # seconds that a body has, and a bit
HEADERS = count(4, 12)  # likewise the headers of a request
ENDLESS = (
    b"POST /api/v1/games/dix/check/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
)
HALF_A_HEADER = b"GET /api/v1/games/ HTTP/1.1\r\nHost: loc"
RIGHT = "correct horse"


# --- Slow requests ------------------------------------------------------------------------------------------------


@pytest.mark.fault(32, "bodies that never end, bodies and headers one byte a second")
def test_32_slow_requests_hold_up_nobody(stand, ledger, figures):
    seen = []
    with Meanwhile(stand.port) as others:
        for number in (8, 24, 200):
            with held(stand.port, ENDLESS, number) as bodies:
                ended = endings(bodies, 10 * GRACE)
            assert ended == {"408": number}
            seen.append(number)
        with held(stand.port, ENDLESS, 20) as dripping, held(stand.port, HALF_A_HEADER, 20) as headers:
            ended = endings(dripping + headers, 10 * HEADERS, drip=b"x")
    assert ended == {"408": 20, "closed": 20}
    assert ledger.report(evening(confirmation="trust")).status == 201
    figures.clean(
        f"{', '.join(map(str, seen))} endless and 20 dripping bodies: all 408; 20 dripping headers: closed; "
        f"{others.are_served()}"
    )


def test_32_control_a_thread_for_each_body_stops_the_service(stand):
    with stand.unbuffered() as port:
        assert call(port, "GET", "/healthz", timeout=2).status == 200
        with held(port, ENDLESS, 60), Meanwhile(port, timeout=1) as others:
            wait_for(lambda: others.statuses[0] > 0)


@pytest.mark.fault(35, "a PATCH of an own event, round or table whose body comes slowly")
def test_35_slow_change_keeps_no_other_writer_waiting(stand, ledger, figures):
    there = evening(confirmation="trust")
    token = organiser_token(there)
    event = f"/api/v1/events/{there.event.uid}/"
    doors = {event: {"name": "Renamed"}, f"{event}rounds/1/": {"extend": 1}, f"/api/v1/tables/{there.table.uid}/": {}}
    longest = 0.0
    for path, change in doors.items():
        for _ in range(4):
            call(stand.port, "PATCH", path, change, token=token)  # whatever a process does once
        with held(stand.port, patching(path, token), 12) as slow:
            answer = call(stand.port, "PATCH", path, change, token=token)
            assert answer.status in {200, 400}, answer
            longest = max(longest, answer.seconds)
            assert endings(slow, 10 * GRACE) == {"408": 12}
    assert longest < WITHIN
    assert ledger.report(there).status == 201
    figures.clean(f"12 slow changes each of event, round and table; another took {1000 * longest:.0f} ms at most")


def patching(path, token):
    """Return the beginning of a change."""
    head = f"PATCH {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    return (head + 'Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"').encode()


def test_35_control_slow_changes_keep_another_waiting(stand):
    there = evening()
    token, path = organiser_token(there), f"/api/v1/events/{there.event.uid}/"
    with stand.unbuffered() as port, held(port, patching(path, token), 60):
        # On a busy machine the server takes a while until it has given its threads to the slow ones.
        wait_for(lambda: call(port, "PATCH", path, {"name": "Renamed"}, token=token, timeout=2).status == 0)


LARGE = {"2,000 people": {"people": 2_000}, "400 tables with sheets": {"people": 200, "rounds": 8}}


def longest_write(port, act):
    """Return the seconds that something takes, and the longest that a change of an event elsewhere takes meanwhile."""
    elsewhere = evening()
    path, token = f"/api/v1/events/{elsewhere.event.uid}/", organiser_token(elsewhere)
    call(port, "PATCH", path, {"name": "Renamed"}, token=token)  # whatever a process does once
    longest, began = 0.0, time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(act)
        while not done.done():
            answer = call(port, "PATCH", path, {"name": "Renamed"}, token=token, timeout=60)
            assert answer.status == 200, answer
            longest = max(longest, answer.seconds)
        done.result()
    return time.monotonic() - began, longest


@pytest.mark.fault(35, "files of 2,000 people and of 400 tables with sheets, on SQLite")
def test_35_large_file_keeps_no_other_writer_waiting(sqlite_stand, ledger, figures):
    there = evening(confirmation="trust")
    token, path = organiser_token(there), f"/api/v1/clubs/{there.event.club.slug}/files/"
    sqlite_stand.arm(UNTHROTTLED)
    seen = []
    for name, size in LARGE.items():
        file = json.dumps(large_file(**size)).encode()

        def upload(file=file):
            answer = call(sqlite_stand.port, "POST", path, file, token=token, key=str(uuid4()), timeout=120)
            assert (answer.status, answer.body["refused"]) == (201, []), answer

        seconds, longest = longest_write(sqlite_stand.port, upload)
        # They share a processor with the file, and wait for its rows to be stored, but not for it to be judged.
        assert longest < 0.6 * seconds
        seen.append(f"{name}: {seconds:.1f} s, another writer {1000 * longest:.0f} ms at most")
    assert ledger.report(there).status == 201
    figures.clean("; ".join(seen))


@pytest.mark.fault(35, "lists of 500 names, of 500 rows with a key and of 5,000 lines, on SQLite")
def test_35_long_lists_keep_no_other_writer_waiting(sqlite_stand, ledger, figures):
    there = evening(confirmation="trust")
    token, club = organiser_token(there), there.event.club
    names = [f"Listed {number}" for number in range(500)]
    entries = [f"/api/v1/events/{EventFactory(club=club, status='registration').uid}/entries/" for _ in range(2)]
    csv = "\n".join(f"Person {number}" for number in range(5_000))
    lists = {
        "500 names": (f"{entries[0]}names/", {"names": names}),
        "500 rows": (f"{entries[1]}bulk/", {"entries": [{"name": name} for name in names]}),
        "5,000 lines": (f"/api/v1/clubs/{club.slug}/players/import/", {"csv": csv}),
    }
    sqlite_stand.arm(UNTHROTTLED)
    seen = []

    def send(path, body):
        answer = call(sqlite_stand.port, "POST", path, body, token=token, key=str(uuid4()), timeout=120)
        assert answer.status in {200, 201}, answer

    at_once(lambda name: send(f"{entries[0]}names/", {"names": [name]}), ["Ana", "Bo"])  # what a process does once
    for name, (path, body) in lists.items():
        seconds, longest = longest_write(sqlite_stand.port, partial(send, path, body))
        assert longest < WITHIN, f"{name}: another writer waited {longest:.1f} s"
        seen.append(f"{name}: {seconds:.1f} s, another writer {1000 * longest:.0f} ms at most")
    assert Entry.objects.filter(event__club=club, name__startswith="Listed ").count() == 1_000
    assert ledger.report(there).status == 201
    figures.clean("; ".join(seen))


def test_35_control_a_list_that_is_entered_one_by_one_keeps_another_waiting(sqlite_stand):
    there = evening()
    event = EventFactory(club=there.event.club, status="registration")

    def enter():
        try:
            with transaction.atomic():
                for number in range(500):
                    add_entry(actor=there.organiser, event=event, name=f"Player {number}")
        finally:
            connection.close()

    seconds, longest = longest_write(sqlite_stand.port, enter)
    assert longest > 0.6 * seconds


def test_35_control_a_file_that_is_judged_under_the_lock_keeps_another_waiting(sqlite_stand):
    there, file = evening(), read(json.dumps(large_file(people=200, rounds=8)).encode())

    def take():
        try:
            with transaction.atomic():
                import_event(actor=there.organiser, club=there.event.club, file=file)
        finally:
            connection.close()

    seconds, longest = longest_write(sqlite_stand.port, take)
    assert longest > 0.6 * seconds


@pytest.mark.fault(58, "1,100 open connections, idle or with half a header")
def test_58_idle_connections_leave_room_for_phones(stand, ledger, figures):
    before = memory_of(stand.web_workers())
    with (
        held(stand.port, b"", 550) as idle,
        held(stand.port, HALF_A_HEADER, 550) as half,
        Meanwhile(stand.port) as others,
    ):
        assert ledger.report(evening(confirmation="trust")).status == 201
        grown = memory_of(stand.web_workers()) - before
        ended = endings(idle + half, 5 * HEADERS)
    assert ended == {"closed": 1100}
    figures.clean(f"all closed in time, {max(grown, 0):.0f} MB; {others.are_served()}")


def test_58_control_with_the_defaults_of_the_server_there_is_no_room(stand):
    with stand.unbuffered() as port, held(port, b"", 1100):
        wait_for(lambda: call(port, "GET", "/healthz", timeout=2).status == 0)


# --- Large requests -----------------------------------------------------------------------------------------------

WRONG = {"game": "dix", "variant": "standard", "seats": ["a", "b"], "hands": {}}


def wrong_sheet(entries):
    """Return a sheet with so many entries that are none."""
    return WRONG | {"hands": {"a": {"cards": [{"x": 1}] * entries}}}


@pytest.mark.fault(33, "sheets with 300,000 wrong entries, to check, assist and as a report, four at a time")
def test_33_huge_sheets_are_refused_before_they_are_read(stand, ledger, figures):
    there = evening()
    stand.arm(UNTHROTTLED)
    huge, full = json.dumps({"report": wrong_sheet(300_000)}).encode(), wrong_sheet(6_000)
    doors = ("games/dix/check/", "games/dix/assist/", f"tables/{there.table.uid}/reports/")
    token = token_of(there.players[0])

    def send(body, door):
        return call(stand.port, "POST", f"/api/v1/{door}", body, token=token if "tables" in door else None)

    bodies = {"games/dix/check/": full, "games/dix/assist/": full, doors[2]: {"report": full}}
    for door in doors:
        send(bodies[door], door)  # whatever a process does once
    before = memory_of(stand.web_workers())
    with Meanwhile(stand.port) as others:
        refused = at_once(partial(send, huge), doors * count(4, 20), workers=4)
        judged = at_once(lambda door: send(bodies[door], door), doors * count(4, 20), workers=4)
    grown = memory_of(stand.web_workers()) - before
    stand.disarm(UNTHROTTLED)
    assert {answer.status for answer in refused} == {413}
    assert {answer.status for answer in judged} <= {200, 400, 422}
    for answer in judged:
        assert len(answer.body.get("errors", ())) <= 50
        assert len(json.dumps(answer.body)) < 64_000
    times = [statistics.median(answer.seconds for answer in answers) for answers in (refused, judged)]
    assert grown < 50
    assert max(times) - others.median < (0.1 if IS_FULL else 0.5)  # the bounded run has other tests beside it
    median = " and ".join(f"{1000 * each:.0f}" for each in times)
    text = f"{len(refused)} × 413, {len(judged)} × at most 50 findings, median {median} ms, {max(grown, 0):.0f} MB"
    figures.clean(f"{text}; {others.are_served()}")


def test_33_control_without_the_cap_they_are_read_and_judged(stand, monkeypatch):
    body = json.dumps(wrong_sheet(300_000)).encode()
    client, times = Client(raise_request_exception=False), []
    client.get("/api/v1/games/")  # loads what the first request loads
    for most in (64_000, 1 << 30):
        monkeypatch.setattr(games.Check, "most_bytes", most)
        began = time.perf_counter()
        client.post("/api/v1/games/dix/check/", body, content_type="application/json")
        times.append(time.perf_counter() - began)
    assert times[1] > 2 * times[0]


# --- Guesses ------------------------------------------------------------------------------------------------------


@pytest.fixture
def organiser(stand, monkeypatch):
    """Somebody with a password that costs as much as the stand's."""
    if not IS_FULL:
        monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", PBKDF2PasswordHasher.iterations // 10)
    user = UserFactory(email=f"organiser-{time.time_ns()}@example.org")
    user.set_password(RIGHT)
    user.save()
    return user.email


@pytest.mark.fault(40, "wrong passwords for the organiser from ten addresses")
def test_40_organiser_is_never_locked_out(stand, ledger, figures, organiser):
    addresses = [f"127.0.1.{number}" for number in range(1, 11)]
    began = time.monotonic()
    wrong = [log_in(stand.port, organiser, "guess", address).status for address in addresses * count(3, 10)]
    rate = len(wrong) / (time.monotonic() - began)
    assert set(wrong) == {200}
    right = [log_in(stand.port, organiser, RIGHT, address) for address in (addresses[0], "127.0.2.1")]
    assert [answer.status for answer in right] == [302, 302]
    slowest = max(answer.seconds for answer in right)
    figures.clean(
        f"{len(wrong)} wrong ones, {rate:.1f} a second, then the right one in {slowest:.1f} s, from anywhere"
    )


def test_40_control_without_slower_turns_guesses_go_on_as_fast_as_before(stand, monkeypatch):
    """Nothing but the slower turn stands between a guesser and the next password."""
    cache.clear()
    rates = []
    for most in (1 << 30, 0):
        monkeypatch.setattr(logins, "MOST_WRONG", most)
        monkeypatch.setattr(logins, "PAUSE", 0.2)
        monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 1000)
        request, began = RequestFactory().post("/login/"), time.perf_counter()
        for _ in range(3):
            with pytest.raises(PermissionDenied):
                logins.PasswordBackend().authenticate(request, "nobody@example.org", "guess")
        rates.append(3 / (time.perf_counter() - began))
    cache.clear()
    assert rates[0] > 2 * rates[1]


@pytest.mark.fault(44, "wrong codes, then a right one, from one address")
def test_44_right_code_enters_after_any_number_of_wrong_ones(stand, ledger, figures):
    event, guesses = EventFactory(), count(300, 3000)
    right = []

    def guess(number):
        code = "222222" if number % 10 else event.join_code  # in the midst of a flood of wrong ones
        status = call(stand.port, "GET", f"/api/v1/join/{code}/", address="127.0.0.44").status
        if number % 10 == 0:
            right.append(status)
        return None if number % 10 == 0 else status

    began = time.monotonic()
    with Meanwhile(stand.port) as others:
        seen = Counter(filter(None, at_once(guess, range(1, guesses + 1), workers=8)))
    minutes = 1 + (time.monotonic() - began) / 60
    assert set(right) == {200}
    assert set(seen) == {404, 429}
    # Beside other tests the server that counts for both processes may answer too late, and each counts alone.
    counts = 1 if IS_FULL else 2
    assert seen[404] <= counts * brute_force.A_MINUTE * minutes, "two processes count together"
    text = f"{seen[404]} × 404 and {seen[429]} × 429 for wrong ones, each of {len(right)} right ones among them enters"
    figures.clean(f"{text}; {others.are_served()}")


def test_44_control_who_counts_before_looking_keeps_a_right_code_out(stand, monkeypatch):
    """Nothing but looking first lets the right one in; and nothing but the day's number slows a guesser down."""
    monkeypatch.setattr(brute_force, "A_MINUTE", 0)
    request = RequestFactory().get("/")
    assert brute_force.look_up(request, lambda: "found") == "found"
    with pytest.raises(brute_force.TooManyWrongError):
        brute_force.count_failure(request)
    monkeypatch.setattr(brute_force, "A_DAY", 0)
    tried = 0
    for _ in range(50):
        with suppress(TooManyAtOnceError):
            brute_force.look_up(request, lambda: "found")
            tried += 1
    cache.clear()
    assert tried < 50


# --- Work that costs ----------------------------------------------------------------------------------------------


def logins_at_once(port, number):
    """Log in with made-up names, all at once; return the statuses, and how the pages were meanwhile."""
    with Meanwhile(port, "/login/", phones=2) as others:
        names = [f"made-up-{each}-{time.time_ns()}@example.org" for each in range(number)]
        answers = at_once(lambda name: log_in(port, name, "guess", "127.0.3.1"), names, workers=number)
    return Counter(answer.status for answer in answers), others


@pytest.mark.fault(46, "24 logins with made-up names at once")
def test_46_logins_at_once_leave_the_pages_quick(stand, ledger, figures):
    seen, others = logins_at_once(stand.port, 24)
    assert set(seen) <= {200, 429}
    assert others.median < (0.3 if IS_FULL else WITHIN)
    text = f"{seen[200]} checked, {seen[429]} × 429; pages median {1000 * others.median:.0f} ms"
    figures.clean(f"{text}; {others.are_served()}")


def test_46_control_without_turns_every_thread_hashes(stand):
    stand.arm(UNBOUNDED)
    try:
        seen, _others = logins_at_once(stand.port, 24)
    finally:
        stand.disarm(UNBOUNDED)
    assert seen == {200: 24}


@pytest.mark.fault(49, "schema, exports and badges asked for as often as eight callers can")
def test_49_what_costs_is_kept_or_refused(stand, ledger, figures):
    there = evenings(2, confirmation="trust")[0]
    player = PlayerFactory(club=there.event.club)
    stand.arm(UNTHROTTLED)
    paths = [
        "/api/v1/schema/",
        f"/api/v1/events/{there.event.uid}/entries/?format=csv",
        "/api/v1/leaderboards/dix/?format=csv",
        f"/embed/players/{player.uid}/dix.svg",
        f"/embed/clubs/{there.event.club.slug}/dix.svg",
    ]
    seen: Counter[int] = Counter()
    with Meanwhile(stand.port) as others:
        for path in paths:
            call(stand.port, "GET", path, timeout=30)
            answers = at_once(lambda each: call(stand.port, "GET", each), [path] * count(60, 300))
            seen += Counter(answer.status for answer in answers)
            statuses = {answer.status for answer in answers}
            assert statuses <= {200, 429}, (path, statuses)
    stand.disarm(UNTHROTTLED)
    figures.clean(f"{seen[200]} × 200, {seen[429]} × 429; {others.are_served()}")


def test_49_control_without_being_kept_the_schema_is_made_each_time(stand, monkeypatch):
    made, make = [], root.SchemaView._made

    def counted(*given):
        made.append(given)
        return make(*given)

    monkeypatch.setattr(root.SchemaView, "_made", counted)
    conditional.forget_all()
    client = Client()
    for _ in range(3):
        assert client.get("/api/v1/schema/").status_code == 200
    assert len(made) == 1
    monkeypatch.setattr(root, "kept", lambda key, make, work: make())
    client.get("/api/v1/schema/")
    assert len(made) == 2
    conditional.forget_all()


# --- Replacing the web processes ------------------------------------------------------------------------------------


@pytest.mark.fault(56, "rolling reload of the web processes under load, which start slowly")
def test_56_reload_refuses_nobody(stand, ledger, figures):
    old, start = set(stand.web_workers()), count(2, 6)
    stand.arm(SLOW_START, str(start))
    try:
        with Meanwhile(stand.port, phones=4, may_retry=True) as others:
            began = time.monotonic()
            stand.running["web"].send_signal(signal.SIGHUP)
            wait_for(lambda: len(new := set(stand.web_workers())) == 2 and not new & old)
            took = time.monotonic() - began
            time.sleep(0.5)
    finally:
        stand.disarm(SLOW_START)
    assert took > 2 * start, "one after the other, each when the one before was ready"
    assert ledger.report(evening(confirmation="trust")).status == 201
    figures.clean(f"2 processes that take {start} s to start; {others.are_served()}")


def test_56_control_old_processes_that_leave_before_new_ones_are_ready_leave_a_gap(stand):
    with stand.unbuffered() as port:
        stand.arm(SLOW_START, "2")
        try:
            with Meanwhile(port, phones=2, timeout=1) as others:
                stand.running["unbuffered"].send_signal(signal.SIGHUP)
                wait_for(lambda: others.statuses[0] > 0, 15)
        finally:
            stand.disarm(SLOW_START)
