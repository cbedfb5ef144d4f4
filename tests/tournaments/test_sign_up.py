"""Before the evening: sign-up ahead, places and the waiting list, check-in, no-shows, lists of names, copies."""

from __future__ import annotations

import datetime as dt
import re
import threading
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from core import mails
from core.likeness import folded, is_found, searchable
from core.models import OutgoingMail
from scoring.services.rounds import seat_next_round
from tests.factories import ClubFactory, EventFactory, MembershipFactory, PlayerFactory
from tournaments import notices, selectors
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import EntryStatusError, EventFullError, ImportInvalidError, NameTakenError, SignUpClosedError
from tournaments.models import Action, Contact, Entry, Event, Role
from tournaments.services import attendance, copying, entries, events, joining, places
from tournaments.services.people import anonymise_player

pytestmark = pytest.mark.django_db
Status = Entry.Status


@pytest.fixture
def organiser():
    return Actor(Kind.USER, user=MembershipFactory(role=Role.OWNER, club=ClubFactory(time_zone="Europe/Paris")).user)


@pytest.fixture
def event(organiser):
    """Return an event of three places in two days."""
    return ahead(organiser)


def ahead(organiser, **fields):
    club = organiser.user.memberships.get().club
    soon = timezone.now() + dt.timedelta(days=2)
    given_fields = {"sign_up_ahead": True, "most_entries": 3, "starts_at": soon, "table_min": 3, "table_max": 5}
    return EventFactory(club=club, status=Event.Status.REGISTRATION, **(given_fields | fields))


def sign_up(event, *names, **who):
    return [joining.sign_up(event=event, name=name, actor=NOBODY, **who) for name in names]


def statuses(event):
    return {entry.name: entry.status for entry in Entry.objects.filter(event=event)}


def phone(entry):
    return Actor(Kind.ENTRY, entry=Entry.objects.select_related("event__club", "player").get(pk=entry.pk))


def at(event, **ago):
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() + dt.timedelta(**ago))
    event.refresh_from_db()


# --- Sign-up ----------------------------------------------------------------------------------------------------


def test_who_signs_up_is_registered_and_the_fourth_of_three_waits(event):
    sign_up(event, "Ana", "Bo", "Cy", "Dag", "Eva")
    assert statuses(event) == {
        "Ana": "registered",
        "Bo": "registered",
        "Cy": "registered",
        "Dag": "waiting",
        "Eva": "waiting",
    }
    assert [entry.name for entry in places.line(event)] == ["Dag", "Eva"]


def test_joining_is_being_here_where_nobody_signs_up_ahead(organiser):
    event = ahead(organiser, sign_up_ahead=False)
    joining.join(event=event, code=event.join_code, name="Ana", actor=NOBODY)
    entries.add_entry(actor=organiser, event=event, name="Bo")
    assert set(statuses(event).values()) == {"checked_in"}
    with pytest.raises(SignUpClosedError):
        sign_up(event, "Cy")


def test_without_check_in_who_signs_up_is_in(organiser):
    event = ahead(organiser, check_in=False)
    sign_up(event, "Ana")
    assert statuses(event) == {"Ana": "checked_in"}


def test_a_place_that_becomes_free_goes_to_whoever_waits_longest(event):
    ana, _bo, _cy, dag, eva = sign_up(event, "Ana", "Bo", "Cy", "Dag", "Eva")
    entries.change_status(actor=phone(ana), entry=ana, status="dropped")
    assert statuses(event) | {} == {
        "Ana": "dropped",
        "Bo": "registered",
        "Cy": "registered",
        "Dag": "registered",
        "Eva": "waiting",
    }
    back = entries.change_status(actor=phone(ana), entry=ana, status="checked_in")
    assert back.status == "waiting"  # behind Eva, whose turn it is now
    assert [entry.name for entry in places.line(event)] == ["Eva", "Ana"]
    entries.change_status(actor=phone(dag), entry=dag, status="dropped")
    assert statuses(event)["Eva"] == "registered"
    assert statuses(event)["Ana"] == "waiting"
    assert eva.uid in {each.uid for each in Entry.objects.filter(event=event, status="registered")}


def test_a_higher_limit_moves_people_up_and_no_limit_everybody(organiser, event):
    sign_up(event, "Ana", "Bo", "Cy", "Dag", "Eva", "Fay")
    events.edit_event(actor=organiser, event=event, fields={"most_entries": 4})
    assert list(statuses(event).values()).count("waiting") == 2
    events.edit_event(actor=organiser, event=event, fields={"most_entries": None})
    assert "waiting" not in statuses(event).values()


def test_who_signed_up_is_in_once_nobody_checks_in_any_more(organiser, event):
    sign_up(event, "Ana", "Bo", "Cy", "Dag")
    events.edit_event(actor=organiser, event=event, fields={"check_in": False})
    assert statuses(event) == {"Ana": "checked_in", "Bo": "checked_in", "Cy": "checked_in", "Dag": "waiting"}


def test_of_two_who_want_the_last_place_one_waits(transactional_db, organiser):
    event = ahead(organiser, most_entries=1)
    both = threading.Barrier(2)

    def want(name: str) -> None:
        both.wait()
        try:
            sign_up(event, name)
        finally:
            connection.close()

    threads = [threading.Thread(target=want, args=[name]) for name in ("Ana", "Bo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses(event).values()) == ["registered", "waiting"]


def test_a_waiting_list_has_an_end(event, monkeypatch):
    monkeypatch.setattr(joining, "LEAST_WAITING", 2)
    Event.objects.filter(pk=event.pk).update(most_entries=1)
    event.refresh_from_db()
    sign_up(event, "Ana", "Bo", "Cy")
    with pytest.raises(EventFullError):
        sign_up(event, "Dag")


@pytest.mark.parametrize("status", [Event.Status.DRAFT, Event.Status.RUNNING, Event.Status.CANCELLED])
def test_nobody_signs_up_unless_registration_is_open(event, status):
    Event.objects.filter(pk=event.pk).update(status=status)
    event.refresh_from_db()
    with pytest.raises(SignUpClosedError):
        sign_up(event, "Ana")


def test_sign_up_closes_at_its_time_and_the_door_stays_open(event):
    Event.objects.filter(pk=event.pk).update(sign_up_closes_at=timezone.now() - dt.timedelta(minutes=1))
    event.refresh_from_db()
    with pytest.raises(SignUpClosedError):
        sign_up(event, "Ana")
    assert joining.join(event=event, code=event.join_code, name="Ana", actor=NOBODY).status == "checked_in"


def test_the_organiser_enters_people_beyond_the_limit(organiser, event):
    sign_up(event, "Ana", "Bo", "Cy")
    assert entries.add_entry(actor=organiser, event=event, name="Dag").status == "registered"
    assert entries.add_entry(actor=organiser, event=event, name="Eva", is_here=True).status == "checked_in"


def test_who_waits_stands_in_no_standings(organiser, event):
    from scoring.rankings.standings import store

    sign_up(event, "Ana", "Bo", "Cy", "Dag")
    assert len(store.load(event).uids) == 3


# --- Check-in ---------------------------------------------------------------------------------------------------


def test_no_shows_are_not_seated_and_one_press_takes_them_out(organiser, event):
    Event.objects.filter(pk=event.pk).update(most_entries=5)
    event.refresh_from_db()
    made = sign_up(event, "Ana", "Bo", "Cy", "Dag", "Eva", "Fay")
    attendance.check_in(actor=organiser, event=event, uids=[entry.uid for entry in made[:3]])
    current = seat_next_round(actor=organiser, event=event, seed=1)
    assert sorted(seat.entry.name for table in current.tables.all() for seat in table.seats.all()) == [
        "Ana",
        "Bo",
        "Cy",
    ]
    absent = attendance.drop_absent(actor=organiser, event=event)
    assert [entry.name for entry in absent] == ["Dag", "Eva"]
    assert statuses(event)["Fay"] == "registered"  # a place was free, and she is told; here she still has to be
    assert attendance.drop_absent(actor=organiser, event=event)[0].name == "Fay"
    assert attendance.drop_absent(actor=organiser, event=event) == []


def test_all_are_here_by_one_press(organiser, event):
    sign_up(event, "Ana", "Bo", "Cy", "Dag")
    assert len(attendance.check_in(actor=organiser, event=event)) == 3
    assert statuses(event) == {"Ana": "checked_in", "Bo": "checked_in", "Cy": "checked_in", "Dag": "waiting"}


def test_a_phone_says_that_it_is_here_shortly_before_and_at_the_door_at_any_time(event):
    ana, bo = sign_up(event, "Ana", "Bo")
    with pytest.raises(EntryStatusError, match="Check-in opens"):
        entries.change_status(actor=phone(ana), entry=ana, status="checked_in")
    entries.change_status(actor=phone(bo), entry=bo, status="checked_in", is_at_door=True)
    at(event, hours=2)
    entries.change_status(actor=phone(ana), entry=ana, status="checked_in")
    assert statuses(event) == {"Ana": "checked_in", "Bo": "checked_in"}


def test_who_waits_cannot_let_themselves_in_and_the_organiser_can(organiser, event):
    dag = sign_up(event, "Ana", "Bo", "Cy", "Dag")[3]
    at(event, hours=1)
    for status in ("checked_in", "registered"):
        with pytest.raises(EntryStatusError):
            entries.change_status(actor=phone(dag), entry=dag, status=status, is_at_door=True)
    assert entries.change_status(actor=organiser, entry=dag, status="checked_in").status == "checked_in"


def test_a_wrong_tap_is_taken_back_unless_they_sit_at_a_table(organiser, event):
    made = sign_up(event, "Ana", "Bo", "Cy")
    attendance.check_in(actor=organiser, event=event)
    assert entries.change_status(actor=organiser, entry=made[0], status="registered").status == "registered"
    entries.change_status(actor=organiser, entry=made[0], status="checked_in")
    seat_next_round(actor=organiser, event=event, seed=1)
    with pytest.raises(EntryStatusError):
        entries.change_status(actor=organiser, entry=made[0], status="registered")


def test_nobody_is_put_on_the_waiting_list(organiser, event):
    (ana,) = sign_up(event, "Ana")
    for actor in (organiser, phone(ana)):
        with pytest.raises(EntryStatusError):
            entries.change_status(actor=actor, entry=ana, status="waiting")


# --- Mail -------------------------------------------------------------------------------------------------------


@pytest.fixture
def with_mail(settings):
    settings.EMAIL_HOST = "mail.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def sent():
    mails.send_due()
    return [(message.to[0], message.subject) for message in mail.outbox]


def test_players_are_told_that_they_moved_up_and_reminded_once(event, with_mail):
    who = {"email": "dag@example.org", "origin": "https://play.example.org"}
    ana = sign_up(event, "Ana", "Bo", "Cy")[0]
    dag = sign_up(event, "Dag", **who)[0]
    entries.change_status(actor=phone(ana), entry=ana, status="dropped")
    Contact.objects.update(created_at=timezone.now() - dt.timedelta(days=1))
    assert notices.remind(timezone.now()) == 0  # in two days
    at(event, hours=20)
    assert notices.remind(timezone.now()) == 1
    assert notices.remind(timezone.now()) == 0
    assert [subject.partition(":")[0] for _to, subject in sent()] == [
        "On the waiting list",
        "A place is yours",
        "Reminder",
    ]
    assert f"https://play.example.org/me/lse_{dag.uid}" in mail.outbox[-1].body
    start = event.starts_at.astimezone(ZoneInfo("Europe/Paris"))
    assert f"{start:%H:%M}" in mail.outbox[-1].body


def test_a_cancelled_event_is_told_and_its_addresses_are_forgotten(organiser, event, with_mail):
    sign_up(event, "Ana", email="ana@example.org")
    events.change_status(actor=organiser, event=event, status="cancelled")
    assert [subject.partition(":")[0] for _to, subject in sent()] == ["You are signed up", "Cancelled"]
    notices.forget()
    assert not Contact.objects.exists()


def test_an_address_goes_with_the_person_and_gets_no_flood(organiser, event, with_mail):
    (ana,) = sign_up(event, "Ana", email="ana@example.org")
    anonymise_player(actor=organiser, player=ana.player)
    assert not Contact.objects.exists()
    events.edit_event(actor=organiser, event=event, fields={"most_entries": 100})
    sign_up(event, *(f"Player {number}" for number in range(15)), email="victim@example.org", confirm_alike=True)
    assert OutgoingMail.objects.filter(to="victim@example.org").count() == mails.MOST_A_DAY


@pytest.fixture
def crowds(event, monkeypatch):
    """The event has room for everybody, and they may come at once."""
    monkeypatch.setattr(joining, "MOST_A_MINUTE", 1000)
    Event.objects.filter(pk=event.pk).update(most_entries=None)
    event.refresh_from_db()
    return event


def come(event, number, *, first=0, **who):
    """Sign so many people up, each with an address of their own."""
    for each in range(first, first + number):
        sign_up(event, f"Player {each:03}", email=f"player{each}@example.org", confirm_alike=True, **who)


def mailed(event):
    assert Contact.objects.filter(entry__event=event).count() == OutgoingMail.objects.count()
    return OutgoingMail.objects.count()


def test_everybody_of_a_large_event_is_mailed_and_beyond_that_nobody(crowds, with_mail, monkeypatch):
    come(crowds, 200)
    assert mailed(crowds) == 200
    monkeypatch.setattr(notices, "FOR_EVENT", 203)
    come(crowds, 5, first=200)
    assert mailed(crowds) == 203
    assert Entry.objects.filter(event=crowds).count() == 205, "they are in, with an address that is left out"


def test_one_sender_has_few_addresses_mailed_and_uses_up_nobody_elses(crowds, with_mail, monkeypatch):
    monkeypatch.setattr(notices, "FOR_EVENT", notices.FROM_SENDER + 1)
    come(crowds, notices.FROM_SENDER + 5, sender="192.0.2.1")
    assert mailed(crowds) == notices.FROM_SENDER
    come(crowds, 1, first=900, sender="192.0.2.2")
    assert mailed(crowds) == notices.FROM_SENDER + 1


def test_no_name_in_a_mail_is_a_link(event, with_mail):
    event.club.name = "www.club.example"
    event.club.save()
    Event.objects.filter(pk=event.pk).update(name="Win at prize.example")
    event.refresh_from_db()
    sign_up(event, "Locked: https://evil.example/unlock", email="ana@example.org", origin="https://play.example.org")
    sent()
    (message,) = mail.outbox
    assert message.subject == "You are signed up: Win at prize. example"
    assert message.body.startswith("Locked: https: / /evil. example/unlock, you are signed up for ")
    assert re.findall(r"\S+//\S+|\w\.\w+", message.body.partition("https://play")[0]) == []


def test_without_mail_no_address_is_kept(event, settings):
    settings.EMAIL_HOST = ""
    sign_up(event, "Ana", email="ana@example.org")
    assert not Contact.objects.exists()


# --- Lists of names ---------------------------------------------------------------------------------------------


def test_a_list_finds_known_people_by_their_folded_names_and_passes_over_who_is_in(organiser, event):
    penelope = PlayerFactory(name="Pénélope", club=event.club)
    made = attendance.add_names(actor=organiser, event=event, names=["penelope", "  Bo ", "", "Cy", "bo"])
    assert [entry.name for entry in made.entries] == ["Pénélope", "Bo", "Cy"]
    assert made.entries[0].player == penelope
    assert made.here_already == ["bo"]
    assert set(statuses(event).values()) == {"registered"}
    again = attendance.add_names(actor=organiser, event=event, names=["PENELOPE", "Dag"])
    assert (again.here_already, [entry.name for entry in again.entries]) == (["PENELOPE"], ["Dag"])


def test_a_list_with_a_name_that_is_none_enters_nobody_and_says_which_line(organiser, event):
    with pytest.raises(ImportInvalidError) as refused:
        attendance.add_names(actor=organiser, event=event, names=["Ana", "x" * 61, "B\u202eo"])
    assert [error["path"] for error in refused.value.errors] == [["names", 1], ["names", 2]]
    assert not Entry.objects.filter(event=event).exists()


def test_a_list_that_is_too_long_is_refused_before_anything_in_it_is_looked_at(organiser, event, monkeypatch):
    monkeypatch.setattr(attendance, "clean_name", lambda line: pytest.fail("looked at"))
    with pytest.raises(ImportInvalidError) as refused:
        attendance.add_names(actor=organiser, event=event, names=["Ana"] * (attendance.MOST_NAMES + 1))
    assert [error["code"] for error in refused.value.errors] == ["too-many-lines"]


def test_names_of_a_list_are_looked_at_before_anything_is_locked(organiser, event, monkeypatch):
    done, clean, lock = [], attendance.clean_name, attendance._lock
    monkeypatch.setattr(attendance, "clean_name", lambda line: done.append("cleaned") or clean(line))
    monkeypatch.setattr(attendance, "_lock", lambda *args: done.append("locked") or lock(*args))
    attendance.add_names(actor=organiser, event=event, names=["Ana"])
    assert done == ["cleaned", "locked"]


def test_a_long_list_costs_no_more_statements_than_a_short_one(organiser, event, django_assert_max_num_queries):
    """On SQLite one writer holds up all others: what is done for each name is done while everybody waits."""
    with CaptureQueriesContext(connection) as short:
        attendance.add_names(actor=organiser, event=event, names=["Ana", known_to(event, "Bo").name])
    known = [known_to(event, f"Known {number}").name for number in range(50)]
    names = [*known, *(f"New {number}" for number in range(50))]
    with django_assert_max_num_queries(len(short)):
        made = attendance.add_names(actor=organiser, event=event, names=names)
    assert [entry.name for entry in made.entries] == names
    assert Action.objects.filter(event=event, verb="entered").count() == 102
    assert {each.facts["name"] for each in Action.objects.filter(event=event)} == {"Ana", "Bo", *names}
    assert event.club.players.count() == 102


def known_to(event, name):
    player = PlayerFactory(name=name, club=event.club)
    event.club.affiliations.get_or_create(player=player)
    return player


def test_two_people_of_one_name_are_nobody_the_list_could_mean(organiser, event):
    for _ in range(2):
        PlayerFactory(name="Ana", club=event.club)
    (entry,) = attendance.add_names(actor=organiser, event=event, names=["Ana"]).entries
    assert entry.player.name == "Ana"
    with pytest.raises(NameTakenError):
        entries.add_entry(actor=organiser, event=event, name="ana")


@pytest.mark.parametrize(
    ("typed", "is_there"),
    [("penelope", True), ("PÉN", True), ("dup", True), ("penelope du", True), ("elope", False), ("du pont", False)],
)
def test_a_search_folds_accents_and_takes_beginnings_of_words(event, typed, is_there):
    player = PlayerFactory(name="Pénélope Dupont-Łuc", club=event.club)
    assert (player in selectors.known_players(event.club, typed)) is is_there


NAMES = st.text(st.sampled_from("aAbiIıİsſßﬁÉ1²+,_-'’. K"), max_size=6)


@given(NAMES, NAMES)
def test_the_database_searches_as_names_are_compared_here(name, typed):
    if wanted := searchable(typed):
        assert (wanted in searchable(name)) is is_found(name, typed)
        assert (wanted == searchable(name)) is (folded(name) == folded(typed))


@given(st.text(st.characters(categories=["L"], max_codepoint=0x24F), min_size=1, max_size=12))
def test_every_name_is_found_by_itself_and_by_its_folded_form(name):
    assert is_found(name, name)
    assert is_found(name, folded(name))
    assert folded(folded(name)) == folded(name)


# --- Copies -----------------------------------------------------------------------------------------------------


def test_a_copy_has_the_settings_and_nobody_and_keeps_the_hour_over_the_change_of_clocks(organiser):
    before = dt.datetime(2026, 10, 21, 17, tzinfo=dt.UTC)  # nineteen o'clock in Paris, in summer
    closes = before - dt.timedelta(hours=2)
    event = ahead(organiser, starts_at=before, sign_up_closes_at=closes, tiebreaks=["wins"], rounds_planned=7)
    sign_up_name = entries.add_entry(actor=organiser, event=event, name="Ana")
    made = copying.copy_event(
        actor=organiser, event=event, starts_at=copying.next_start(event, before + dt.timedelta(hours=3)), times=3
    )
    zone = ZoneInfo("Europe/Paris")
    assert [f"{copy.starts_at.astimezone(zone):%d.%m. %H:%M}" for copy in made] == [
        "28.10. 19:00",
        "04.11. 19:00",
        "11.11. 19:00",
    ]
    assert {copy.starts_at - copy.sign_up_closes_at for copy in made} == {dt.timedelta(hours=2)}
    assert {(copy.rounds_planned, *copy.tiebreaks, copy.status, copy.entries.count()) for copy in made} == {
        (7, "wins", "draft", 0)
    }
    assert len({copy.name for copy in made}) == len({copy.join_code for copy in made} | {event.join_code}) - 1 == 3
    assert sign_up_name.event == event


def test_the_next_time_of_an_evening_lies_ahead(organiser):
    event = ahead(organiser, starts_at=dt.datetime(2026, 1, 7, 18, tzinfo=dt.UTC))
    now = dt.datetime(2026, 7, 1, 12, tzinfo=dt.UTC)
    following = copying.next_start(event, now)
    assert now < following <= now + dt.timedelta(days=7)
    assert following.astimezone(ZoneInfo("Europe/Paris")).hour == 19
