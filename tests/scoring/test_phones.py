"""Phones in pockets are told what their page says: each occasion once, while it is news, in their language."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from celery import current_app
from django.utils import timezone, translation

from core import publishing
from scoring import tasks
from scoring.exports import everything_about
from scoring.services import phones
from scoring.services.reports import confirm_report, submit_report, withdraw_report
from tests.factories import ContactFactory, EntryFactory, EventFactory, MembershipFactory, PushSubscriptionFactory
from tests.scoring.evenings import evening, table_in
from tests.tournaments.browsers import browser
from tests.web.phones import link_of
from tournaments.actors import Actor, Kind
from tournaments.errors import ForbiddenError, PushOffError, SubscriptionInvalidError
from tournaments.models import Action, Entry, Event, PushMessage, PushSubscription, Round, Table
from tournaments.push import delivery
from tournaments.services import calls, entries, people, rounds, tables
from tournaments.services.history import allow_rewriting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("local")]

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def phone():
    """A browser on this machine, with its push service."""
    with browser() as running:
        yield running


def player_of(entry):
    return Actor(Kind.ENTRY, entry=entry)


def subscribe(entry, phone):
    own = phones.Browser(endpoint=phone.service.url, **phone.keys)
    return phones.subscribe(actor=player_of(entry), entry=entry, browser=own)[0]


def tell():
    """Do what the worker does: look at every event that changed, and send."""
    tasks.notify()
    delivery.work()


def seat_round(organiser, event, *tables):
    return rounds.open_round(actor=organiser, event=event, plan=rounds.Plan(tables=tables))


@pytest.fixture
def tonight():
    return evening(game="dice-run", seats=3, table_max=4)


# --- Occasions ----------------------------------------------------------------------------------------------------


def test_seat_is_told_once_and_a_new_one_again(phone):
    event = EventFactory(game="dice-run", table_min=3, table_preferred=3, table_max=4)
    organiser = Actor(Kind.USER, user=MembershipFactory(club=event.club, role="organiser").user)
    three = EntryFactory.create_batch(3, event=event)
    subscribe(three[1], phone)
    tell()
    assert phone.titles == [], "that they have a place the page said when they subscribed"
    seat_round(organiser, event, three)
    tell()
    rounds.start(actor=organiser, current=Round.objects.get())
    tell()
    assert phone.titles == ["Table 1, seat 2"]
    assert phone.read[0] == {
        "title": "Table 1, seat 2",
        "body": event.name,
        "lang": "en",
        "tag": f"{event.uid}-seat",
        "url": f"/e/{event.uid}/me/",
    }
    tables.reorder(actor=organiser, table=Table.objects.get(), entries=[three[i].uid for i in (1, 0, 2)])
    tell()
    assert phone.titles[1:] == ["Table 1, seat 1"]


def test_draft_of_a_seating_is_told_to_nobody(phone):
    event = EventFactory(game="dice-run", table_min=3, table_preferred=3, table_max=4)
    organiser = Actor(Kind.USER, user=MembershipFactory(club=event.club, role="organiser").user)
    three = EntryFactory.create_batch(3, event=event)
    subscribe(three[0], phone)
    rounds.open_round(actor=organiser, event=event, plan=rounds.Plan(tables=[three], is_draft=True))
    tell()
    assert phone.titles == []
    rounds.change_status(actor=organiser, event=event, number=1, status=Round.Status.SEATED)
    tell()
    assert phone.titles == ["Table 1, seat 1"]


def test_each_nudge_is_told(phone, tonight):
    subscribe(tonight.entries[0], phone)
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    allow_rewriting()
    Action.objects.filter(verb="table-nudged").update(at=timezone.now() - dt.timedelta(minutes=2))
    tell()
    tell()
    assert phone.titles == ["The organiser asks for your result."]
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    tell()
    assert len(phone.titles) == 2


def test_confirmation_is_asked_of_the_others_and_not_of_who_sent_the_sheet(phone, tonight):
    first, second, _third = tonight.players
    subscribe(second.entry, phone)
    with browser() as own:
        subscribe(first.entry, own)
        report = submit_report(actor=first, table=tonight.table, sheet=tonight.sheet())
        tell()
        assert own.titles == []
    assert phone.titles == ["Your confirmation is needed."]
    confirm_report(actor=second, report=report)
    tell()
    assert len(phone.titles) == 1


def test_sheet_that_is_taken_back_brings_no_second_message_of_the_seat(phone, tonight):
    first, second, _third = tonight.players
    subscribe(second.entry, phone)
    report = submit_report(actor=first, table=tonight.table, sheet=tonight.sheet())
    tell()
    withdraw_report(actor=first, report=report)
    tell()
    assert phone.titles == ["Your confirmation is needed."]


def test_answered_call_is_told_and_so_is_the_next(phone, tonight):
    player = tonight.players[0]
    subscribe(player.entry, phone)
    for number in (1, 2):
        call, _ = calls.call_organiser(actor=player, table=tonight.table, kind="question")
        tell()
        calls.answer(actor=tonight.organiser, call=call, status="coming")
        tell()
        assert phone.titles == ["The organiser is coming."] * number
        calls.answer(actor=tonight.organiser, call=call, status="done")
        tell()


def test_change_of_seats_is_asked_of_the_other(phone, tonight):
    there = EntryFactory.create_batch(3, event=tonight.event)
    table_in(tonight.table.round, there, number=2)
    subscribe(there[0], phone)
    calls.call_organiser(actor=tonight.players[0], table=tonight.table, kind="seats", other=there[0])
    tell()
    assert phone.titles == ["Somebody says that two players changed seats."]


def test_whoever_moves_up_from_the_waiting_list_is_told_so(phone):
    event = EventFactory(status=Event.Status.REGISTRATION, sign_up_ahead=True, most_entries=1)
    inside = EntryFactory(event=event, status=Entry.Status.REGISTERED)
    waiting = EntryFactory(event=event, status=Entry.Status.WAITING, waiting_since=timezone.now())
    subscribe(waiting, phone)
    tell()
    assert phone.titles == []
    entries.change_status(actor=player_of(inside), entry=inside, status=Entry.Status.DROPPED)
    tell()
    assert phone.titles == ["You have a place"]


def test_table_says_where_it_stands(phone, tonight):
    tables.label(actor=tonight.organiser, table=tonight.table, label="Window", room="Cellar")
    subscribe(tonight.entries[0], phone)
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    tell()
    assert phone.read[0]["body"] == f"Window · Cellar · {tonight.event.name}"


def test_phone_and_page_are_told_by_the_same_words(client, phone, tonight):
    first, second, _third = tonight.players
    subscribe(second.entry, phone)
    submit_report(actor=first, table=tonight.table, sheet=tonight.sheet())
    tell()
    page = client.get(f"/me/{link_of(second.entry)}/", follow=True).content.decode()
    occasion = PushMessage.objects.get(kind="confirm").occasion
    assert f'data-call="{occasion}">{phone.titles[0]}<' in page


# --- How ----------------------------------------------------------------------------------------------------------


def test_phone_is_told_in_its_own_language(phone, tonight):
    with translation.override("fr"):
        subscribe(tonight.entries[0], phone)
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    tell()
    assert (phone.titles, phone.read[0]["lang"]) == (["L’organisateur demande votre résultat."], "fr")


def test_every_phone_of_a_player_is_told_and_nobody_elses(phone, tonight):
    with browser() as other, browser() as stranger:
        subscribe(tonight.entries[0], phone)
        subscribe(tonight.entries[0], other)
        subscribe(EntryFactory(event=tonight.event), stranger)
        tables.nudge(actor=tonight.organiser, table=tonight.table)
        tell()
        assert len(phone.titles) == len(other.titles) == 1
        assert stranger.titles == []


def test_message_holds_neither_a_name_nor_a_link(phone, tonight):
    entry = tonight.entries[0]
    subscribe(entry, phone)
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    tell()
    told = json.dumps(phone.read)
    assert "lse_" not in told
    assert entry.name not in told
    assert link_of(entry) not in json.dumps(list(PushMessage.objects.values_list("text", flat=True)))


def test_phone_that_players_share_says_whose_each_message_is_and_shows_all_of_them(phone, tonight):
    first, second, _third = tonight.entries
    for entry in (first, second):
        subscribe(entry, phone)
    with browser() as own:
        subscribe(first, own)
        tables.nudge(actor=tonight.organiser, table=tonight.table)
        tell()
        assert [each["body"] for each in own.read] == [tonight.event.name], "a phone of one's own needs no name"
    assert {each["body"].partition(" · ")[0] for each in phone.read} == {first.name, second.name}
    assert len({each["tag"] for each in phone.read}) == len(phone.read) == 2, "none takes the place of the other"


def test_what_happened_long_ago_is_told_to_nobody(phone, tonight):
    subscribe(tonight.entries[0], phone)
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    tables.reorder(
        actor=tonight.organiser, table=tonight.table, entries=[entry.uid for entry in reversed(tonight.entries)]
    )
    allow_rewriting()
    Action.objects.update(at=timezone.now() - HOUR)
    tell()
    assert phone.titles == []
    calls.answer(
        actor=tonight.organiser,
        call=calls.call_organiser(actor=tonight.players[0], table=tonight.table, kind="question")[0],
        status="coming",
    )
    tell()
    assert phone.titles == ["The organiser is coming."], "what was too old stays known"


def test_change_is_published_once_committed_and_costs_nothing_where_no_phone_listens(
    phone, tonight, monkeypatch, django_capture_on_commit_callbacks
):
    published = []
    monkeypatch.setattr(publishing, "publish", lambda *message: published.append(message))
    with django_capture_on_commit_callbacks(execute=True):
        tables.label(actor=tonight.organiser, table=tonight.table, label="Window")
    assert published == []
    subscribe(tonight.entries[0], phone)
    with django_capture_on_commit_callbacks(execute=True):
        tables.nudge(actor=tonight.organiser, table=tonight.table)
    assert published == [("scoring.tasks.notify", tonight.event.pk)]
    with django_capture_on_commit_callbacks(execute=True):
        tasks.notify(tonight.event.pk)
    assert published[1:] == [("tournaments.tasks.push",)]


def test_broker_that_is_away_fails_no_request_and_the_schedule_finds_what_changed(
    phone, tonight, monkeypatch, django_capture_on_commit_callbacks
):
    def away(*_args, **_kwargs):
        raise OSError("no broker")

    monkeypatch.setattr(current_app, "send_task", away)
    monkeypatch.setattr(publishing.breaker, "silent_until", 0.0)
    subscribe(tonight.entries[0], phone)
    with django_capture_on_commit_callbacks(execute=True):
        tables.nudge(actor=tonight.organiser, table=tonight.table)
    assert phones.unseen() == [tonight.event.pk]
    tell()
    assert phone.titles == ["The organiser asks for your result."]
    assert phones.unseen() == []


def test_look_takes_the_same_number_of_statements_for_any_number_of_phones(
    phone, tonight, django_assert_max_num_queries
):
    subscribe(tonight.entries[0], phone)
    others = [EntryFactory.create_batch(3, event=tonight.event) for _ in range(7)]
    for number, at_table in enumerate(others, 2):
        table_in(tonight.table.round, at_table, number=number)
    for entry in [*tonight.entries, *(entry for at_table in others for entry in at_table)]:
        PushSubscriptionFactory(entry=entry)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    with django_assert_max_num_queries(12):
        assert phones.look(tonight.event.pk, timezone.now()) > 20


def test_two_looks_at_once_tell_once(phone, tonight, monkeypatch):
    subscribe(tonight.entries[0], phone)
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    notifications_of = phones.notifications_of

    def while_another_looks(event, entries):
        monkeypatch.setattr(phones, "notifications_of", notifications_of)
        found = notifications_of(event, entries)
        phones.look(event.pk, timezone.now())
        return found

    monkeypatch.setattr(phones, "notifications_of", while_another_looks)
    phones.look(tonight.event.pk, timezone.now())
    delivery.work()
    assert phone.titles == ["The organiser asks for your result."]
    assert PushMessage.objects.filter(kind="nudge").count() == 1


def test_what_is_over_is_not_told_again_by_a_look_that_another_overtook(phone, tonight, monkeypatch):
    player = tonight.players[0]
    subscribe(player.entry, phone)
    call, _ = calls.call_organiser(actor=player, table=tonight.table, kind="question")
    calls.answer(actor=tonight.organiser, call=call, status="coming")
    tell()
    notifications_of = phones.notifications_of

    def overtaken(event, entries):
        monkeypatch.setattr(phones, "notifications_of", notifications_of)
        found = notifications_of(event, entries)
        calls.answer(actor=tonight.organiser, call=call, status="done")
        phones.look(event.pk, timezone.now())
        return found

    monkeypatch.setattr(phones, "notifications_of", overtaken)
    phones.look(tonight.event.pk, timezone.now())
    delivery.work()
    assert phone.titles == ["The organiser is coming."]


# --- Subscribing --------------------------------------------------------------------------------------------------


def test_browser_that_subscribes_again_is_one(phone, tonight):
    first = subscribe(tonight.entries[0], phone)
    phone.auth = b"0123456789abcdef"
    again = subscribe(tonight.entries[0], phone)
    assert first.pk == again.pk
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    tell()
    assert len(phone.titles) == 1, "encrypted for the keys that it has now"


def test_sixth_phone_takes_the_place_of_the_oldest(phone, tonight):
    entry = tonight.entries[0]
    oldest, *others = (PushSubscriptionFactory(entry=entry) for _ in range(PushSubscription.MOST))
    new = subscribe(entry, phone)
    assert list(entry.push_subscriptions.order_by("pk")) == [*others, new]
    assert oldest not in entry.push_subscriptions.all()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://127.0.0.1/x",
        "https://127.1/x",
        "https://[::1]/x",
        "https://10.0.0.8/x",
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost/x",
        "https://router/x",
        "https://user:word@push.example.org/x",
        "ftp://push.example.org/x",
        "javascript:alert(1)",
        "https://push.example.org/" + "x" * 1000,
        "https://push.example.org/ü",
        "",
    ],
)
def test_address_that_is_private_or_none_is_refused(endpoint, phone, tonight, settings):
    settings.WEBHOOKS_ALLOW_PRIVATE = False
    own = phones.Browser(endpoint=endpoint, **phone.keys)
    with pytest.raises(SubscriptionInvalidError) as refused:
        phones.subscribe(actor=tonight.players[0], entry=tonight.entries[0], browser=own)
    assert refused.value.errors[0]["path"] == ["endpoint"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p256dh", "nonsense"),
        ("p256dh", "B" * 87),
        ("p256dh", "é"),
        ("auth", "AAAA"),
        ("auth", ""),
        ("auth", "?" * 22),
    ],
)
def test_keys_that_are_none_are_refused(name, text, phone, tonight):
    own = phones.Browser(**{"endpoint": phone.service.url, **phone.keys, name: text})
    with pytest.raises(SubscriptionInvalidError) as refused:
        phones.subscribe(actor=tonight.players[0], entry=tonight.entries[0], browser=own)
    assert refused.value.errors[0]["path"] == ["keys", name]


def test_only_the_own_phone_subscribes(phone, tonight):
    own = phones.Browser(endpoint=phone.service.url, **phone.keys)
    for actor in (tonight.organiser, tonight.players[1], tonight.slip):
        with pytest.raises(ForbiddenError):
            phones.subscribe(actor=actor, entry=tonight.entries[0], browser=own)


def test_service_that_sends_none_says_so(phone, tonight, settings):
    settings.WEB_PUSH = False
    with pytest.raises(PushOffError):
        subscribe(tonight.entries[0], phone)
    PushSubscriptionFactory(entry=tonight.entries[0])
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    assert (phones.unseen(), phones.look(tonight.event.pk, timezone.now())) == ([], 0)


def test_phone_hears_nothing_after_the_link_was_renewed(phone, tonight):
    subscribe(tonight.entries[0], phone)
    entries.renew_link(actor=tonight.organiser, entry=tonight.entries[0])
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    tell()
    assert phone.titles == []


def test_whoever_is_made_anonymous_has_no_phone_left(phone, tonight):
    owner = Actor(Kind.USER, user=MembershipFactory(club=tonight.event.club, role="owner").user)
    entry = tonight.entries[0]
    type(entry.player).objects.filter(pk=entry.player_id).update(home=tonight.event.club)
    entry.player.refresh_from_db()
    subscribe(entry, phone)
    people.anonymise_player(actor=owner, player=entry.player)
    assert not PushSubscription.objects.exists()


def test_export_of_a_person_names_their_phones(phone, tonight):
    subscribe(tonight.entries[0], phone)
    (told,) = everything_about(tonight.entries[0].player)["events"]["phones"]
    assert (told["address"], told["event"]) == (phone.service.url, tonight.event.uid)


def test_export_for_the_home_club_has_no_address_of_the_person(tonight):
    """Who left an address for news of an event was told that nobody sees it."""
    entry = tonight.entries[0]
    PushSubscriptionFactory(entry=entry, endpoint="https://push.example.org/send/secret")
    ContactFactory(entry=entry, email="ana@example.org")
    owner = Actor(Kind.USER, user=MembershipFactory(club=tonight.event.club, role="owner").user)
    theirs, own = everything_about(entry.player, seen_by=owner), everything_about(entry.player)
    assert [each["event"] for each in theirs["events"]["entries"]] == [tonight.event.uid]
    for address in ("ana@example.org", "push.example.org"):
        assert address not in str(theirs)
        assert address in str(own)
