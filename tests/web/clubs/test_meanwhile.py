"""What somebody else changes while a form is being taken in stays, where the form says nothing else of it."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import Client

from tests.factories import EventFactory, MembershipFactory, SeasonFactory, WebhookFactory
from tests.interleaving import meanwhile
from tournaments.models import Club, Event, Role, Season, Webhook

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return MembershipFactory(role=Role.OWNER, club__slug="meeple").club


@pytest.fixture
def owner(club):
    client = Client()
    client.force_login(club.members.get(), "django.contrib.auth.backends.ModelBackend")
    return client


def rename(client, page, model, others, **sent):
    """Send the form of a page with one field changed, while others change the row that it is of."""
    form = client.get(page).context["form"]
    shown = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False, [])}
    with meanwhile(model, partial(model.objects.update, **others)):
        answer = client.post(page, shown | sent)
    assert answer.status_code == 302, answer.context["form"].errors
    row = model.objects.get()
    for name, value in others.items():
        assert getattr(row, name) == value, name
    return row


def test_club(owner):
    others = {"is_public": False, "time_zone": "Asia/Tokyo", "mails_players": True}
    assert rename(owner, "/organise/club/meeple/settings/", Club, others, name="Dice").name == "Dice"


def test_season(owner, club):
    page = f"/organise/club/meeple/seasons/{SeasonFactory(club=club).uid}/"
    assert rename(owner, page, Season, {"best_of": 9}, name="Fall").name == "Fall"


def test_webhook(owner, club):
    page = f"/organise/club/meeple/webhooks/{WebhookFactory(club=club).uid}/"
    address = "https://example.org/new/"
    assert rename(owner, page, Webhook, {"types": ["round.seated"]}, url=address).url == address


def test_event(owner, club):
    event = EventFactory(club=club)
    sent = {"starts_at": f"{event.starts_at:%Y-%m-%dT%H:%M}", "podium_points": "5 3 2 1", "name": "Renamed"}
    others = {"is_public": False, "rounds_planned": 7}
    assert rename(owner, f"/e/{event.uid}/settings/", Event, others, **sent).name == "Renamed"
