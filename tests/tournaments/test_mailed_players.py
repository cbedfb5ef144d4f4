"""Players who left an address are mailed their table and their final place, if the club wants it, and once."""

from __future__ import annotations

import pytest
from django.core import mail
from django.urls import reverse

from core import mails
from core.models import OutgoingMail
from core.names import unlinked
from scoring.models import StandingRow
from scoring.services.announcements import announce_standings
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, SeatFactory
from tests.tournaments.events import enter, event_of
from tests.web.leagues import League, catch_up
from tests.web.phones import link_of
from tournaments import notices
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Contact, Entry, Event, Player, Role
from tournaments.services import entries, events, joining, proof, rounds
from tournaments.services.forgetting import Messages
from tournaments.services.people import anonymise_player, look_for

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture(autouse=True)
def _with_mail(settings, monkeypatch):
    settings.EMAIL_HOST = "mail.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)


def league(**fields):
    return League(ClubFactory(**fields), [PlayerFactory(name=name) for name in ("Ana", "Bo", "Cy", "Dag")])


def begun(ours):
    """Return an event whose second round is about to be seated; Ana left her address."""
    event = ours.evening(is_over=False)
    ana = Entry.objects.get(event=event, name="Ana")
    origin = "https://play.example.org"
    Contact.objects.create(entry=ana, email="ana@example.org", language="fr", origin=origin)
    return event


def sent():
    mails.send_due()
    return [(message.to[0], message.subject, message.body) for message in mail.outbox]


def end(ours, event):
    ours.report(event.rounds.get(number=2).tables.first())
    rounds.change_status(actor=ours.organiser, event=event, number=2, status="closed")
    event.refresh_from_db()
    events.change_status(actor=ours.organiser, event=event, status="finished")
    catch_up()


def test_a_player_is_mailed_their_table_once_and_their_final_place_once_in_their_language():
    ours = league(mails_players=True)
    event = begun(ours)
    for _ in range(2):
        notices.tell_seats(event.rounds.get(number=2))
    ((to, subject, body),) = sent()
    assert (to, subject) == ("ana@example.org", f"{event.name} : Ronde 2, table 1")
    assert body.startswith("Ana, vous jouez à la table 1\u00a0: ")
    assert "https://play.example.org/me/lse_" in body
    end(ours, event)
    announce_standings(event.uid)
    rank = StandingRow.objects.get(event=event, entry__name="Ana").rank
    assert [subject for _to, subject, _body in sent()][1:] == [f"{event.name} : place {rank} sur 4"]


def test_seating_a_round_mails_those_who_sit_in_it():
    ours = league(mails_players=True)
    event = begun(ours)
    ours.report(event.rounds.get(number=2).tables.first())
    rounds.change_status(actor=ours.organiser, event=event, number=2, status="closed")
    ours.begin(event)
    assert [subject.partition(":")[2] for _to, subject, _body in sent()] == [" Ronde 3, table 1"]


def test_nobody_is_mailed_unless_the_club_wants_it_and_mail_is_set_up(settings):
    ours = league()
    event = begun(ours)
    notices.tell_seats(event.rounds.get(number=2))
    end(ours, event)
    settings.EMAIL_HOST = ""
    other = league(mails_players=True)
    notices.tell_seats(begun(other).rounds.get(number=2))
    assert sent() == []


def test_an_owner_switches_it_on_on_the_page_and_by_the_api(client):
    owner = MembershipFactory(role=Role.OWNER)
    client.force_login(owner.user, BACKEND)
    page = reverse("web:club-settings", args=[owner.club.slug])
    told = {"name": owner.club.name, "is_public": "on", "time_zone": "UTC", "mails_players": "on"}
    assert client.post(page, told).status_code == 302
    address = reverse("api:club", args=[owner.club.slug])
    assert client.get(address).json()["mails_players"] is True
    answer = client.patch(address, {"mails_players": False}, content_type="application/json")
    assert answer.json()["mails_players"] is False


@pytest.mark.parametrize("is_taken_back", [True, False])
def test_whoever_lost_the_link_of_an_entry_is_mailed_no_other(is_taken_back):
    """A stranger joined as Ana and left an address. The link that she, or the organiser, made theirs stays theirs."""
    club = ClubFactory(mails_players=True)
    ana = PlayerFactory(name="Ana", club=club)
    before = enter(event_of(club, name="Last week", status=Event.Status.FINISHED), ana)
    event = event_of(club, status=Event.Status.RUNNING)
    entry = joining.join(
        event=event, code=event.join_code, actor=NOBODY, player=ana, email="stranger@example.org", origin="https://a"
    )
    if is_taken_back:
        proof.take_back(actor=NOBODY, entry=entry, proof=link_of(before))
    else:
        organiser = Actor(Kind.USER, user=MembershipFactory(club=club).user)
        entries.renew_link(actor=organiser, entry=entry)
    notices.tell_seats(SeatFactory(table__round__event=event, entry=entry).round)
    new = link_of(Entry.objects.get(pk=entry.pk))
    assert [to for to, _subject, _body in sent()] == ["stranger@example.org"], "that they are in"
    assert not [body for _to, _subject, body in sent() if new in body]


@pytest.mark.parametrize("name", ["play", "https", "Mr.Bo"])
def test_a_mail_that_waits_names_nobody_who_was_forgotten(name):
    """Also where somebody in another event of theirs has the name; and the link in it still works."""
    ours = league(mails_players=True)
    event = begun(ours)
    entry = Entry.objects.get(event=event, name="Bo")
    Entry.objects.filter(pk=entry.pk).update(name=name)
    Player.objects.filter(pk=entry.player_id).update(name=name, home=ours.club)
    elsewhere = enter(event_of(ours.club), entry.player, name=f"{name} 2").event
    enter(elsewhere, PlayerFactory(name=name))
    notices.tell_seats(event.rounds.get(number=2))
    owner = Actor(Kind.USER, user=MembershipFactory(club=ours.club, role=Role.OWNER).user)
    anonymous = anonymise_player(actor=owner, player=Player.objects.get(pk=entry.player_id))
    ((_to, _subject, body),) = sent()
    text, link = body.strip().rsplit("\n", 1)
    assert anonymous.name in text
    assert name not in text
    assert unlinked(name) not in text
    assert link.startswith("https://play.example.org/me/lse_")


def test_a_mail_that_was_sent_while_a_name_is_taken_out_stays_erased(monkeypatch):
    ours = league(mails_players=True)
    event = begun(ours)
    notices.tell_seats(event.rounds.get(number=2))
    Player.objects.update(home=ours.club)
    bo = Player.objects.get(name="Bo")
    owner = Actor(Kind.USER, user=MembershipFactory(club=ours.club, role=Role.OWNER).user)
    found, search = look_for(actor=owner, player=bo), Messages.search

    def slow_search(kind, them, keys):
        naming = search(kind, them, keys)
        if kind.model is OutgoingMail:
            mails.send_due()
        return naming

    monkeypatch.setattr(Messages, "search", slow_search)
    anonymise_player(actor=owner, player=bo, found=found)
    assert OutgoingMail.objects.get().body == ""
