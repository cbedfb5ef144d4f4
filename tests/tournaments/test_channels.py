"""Channels of Discord and Slack are told in words, once of a round and once of final standings, by real receivers."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.urls import reverse

from scoring.models import StandingRow
from scoring.services.announcements import announce_standings
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, WebhookFactory
from tests.tournaments.receivers import receiver
from tests.web.leagues import League, catch_up
from tournaments.actors import Actor, Kind
from tournaments.errors import WebhookInvalidError
from tournaments.models import Delivery, Player, Role, Webhook
from tournaments.services import events, rounds, webhooks
from tournaments.services.people import anonymise_player
from tournaments.webhooks import delivery, texts

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
SAID = ["round.seated", "standings.final"]


@pytest.fixture
def there(settings, monkeypatch):
    """A receiver on this machine."""
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    settings.PUBLIC_URL = "https://scores.example.org"
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)
    with receiver() as running:
        yield running


@pytest.fixture
def league():
    names = ["Zoé", "@everyone", "[free](https://evil.example)", "<!channel> *bold*"]
    return League(ClubFactory(), [PlayerFactory(name=name) for name in names])


def channel(league, there, form, language="en"):
    return WebhookFactory(club=league.club, url=there.url, form=form, language=language, types=SAID)


def sent(there):
    delivery.work()
    return [(headers, json.loads(body)) for headers, body in there.got]


def test_discord_is_told_of_a_round_and_of_final_standings_and_nobody_is_mentioned(there, league):
    channel(league, there, "discord")
    event = league.evening(name="Tuesday *night*")
    (headers, seated), (_headers, final) = sent(there)
    assert seated["content"].startswith("Tuesday \\*night\\*: Round 1 is seated, at 1 table.\nTable 1: ")
    assert "\\@everyone" in seated["content"]
    assert "\\[free\\]\\(https: / /evil. example\\)" in seated["content"]
    assert seated["content"].endswith(f"\nhttps://scores.example.org/e/{event.uid}/")
    assert (seated["allowed_mentions"], seated["flags"]) == ({"parse": []}, 4)
    assert "webhook-signature" not in headers
    first = StandingRow.objects.select_related("entry").get(event=event, place=1)
    assert "is over. The final standings:\n1. " in final["content"]
    assert f" · {round(first.points * 100 / 840)}\n" in final["content"]


def test_slack_is_told_in_its_own_words_and_language(there, league):
    channel(league, there, "slack", "fr")
    league.evening()
    (_headers, seated), (_other, final) = sent(there)
    assert "&lt;!channel&gt; *bold*" in seated["text"]
    assert "Table 1\u00a0: " in seated["text"]
    assert "Classement final" in final["text"]
    assert (seated["mrkdwn"], seated["unfurl_links"]) == (False, False)


def test_a_round_and_final_standings_are_told_once_whatever_happens_to_them(there, league):
    webhook = channel(league, there, "discord")
    event = league.evening(is_over=False)
    current = event.rounds.get(number=2)
    for _ in range(2):
        webhooks.announce_round(current, "round.seated", tables=1)
    assert Delivery.objects.filter(webhook=webhook, type="round.seated").count() == 2
    league.report(current.tables.first())
    rounds.change_status(actor=league.organiser, event=event, number=2, status="closed")
    event.refresh_from_db()
    events.change_status(actor=league.organiser, event=event, status="finished")
    catch_up()
    for _ in range(2):
        announce_standings(event.uid)
    assert Delivery.objects.filter(webhook=webhook, type="standings.final").count() == 1


def test_standings_of_long_ago_are_no_news_and_a_program_gets_them_as_data(there, league, monkeypatch):
    program = WebhookFactory(club=league.club, url=there.url, types=["standings.final"])
    event = league.evening()
    (message,) = program.deliveries.all()
    assert message.payload["data"]["event"] == event.uid
    assert message.payload["data"]["standings"][0]["rank"] == 1
    program.deliveries.all().delete()
    monkeypatch.setattr("scoring.services.announcements.NEWS", dt.timedelta())
    announce_standings(event.uid)
    assert not program.deliveries.exists()


def test_a_message_that_fails_is_sent_again_and_a_long_one_is_cut(there, league):
    webhook = channel(league, there, "discord")
    there.status = 429
    webhooks.ping(actor=Actor(Kind.USER, user=MembershipFactory(club=league.club).user), webhook=webhook)
    assert sent(there)[0][1]["content"] == "This is a test. News of the club will appear here."
    waiting = webhook.deliveries.get()
    assert (waiting.failure, waiting.next_attempt_at is not None) == ("status", True)
    event = league.evening()
    text = texts.composed("x", ["y" * 60] * 100, event)
    assert len(text) < 2000
    assert "…" in text


def test_a_former_name_is_not_in_what_a_channel_was_told(there, league):
    channel(league, there, "slack")
    league.evening()
    sent(there)
    Player.objects.update(home=league.club)
    zoe = Player.objects.get(name="Zoé")
    assert all("Zoé" in each.payload["data"]["text"] for each in Delivery.objects.all())
    owner = Actor(Kind.USER, user=MembershipFactory(club=league.club, role=Role.OWNER).user)
    anonymous = anonymise_player(actor=owner, player=zoe)
    for each in Delivery.objects.all():
        assert "Zoé" not in each.payload["data"]["text"]
        assert anonymous.name in each.payload["data"]["text"]


def test_a_channel_hears_only_what_has_words_and_never_at_a_private_address(league, settings):
    owner = Actor(Kind.USER, user=MembershipFactory(club=league.club, role=Role.OWNER).user)
    for url, types in (("https://127.0.0.1/x", SAID), ("https://discord.com/api/webhooks/1/x", ["result.final"])):
        with pytest.raises(WebhookInvalidError):
            webhooks.create_webhook(actor=owner, club=league.club, url=url, types=types, form="discord")
    assert not Webhook.objects.exists()


def test_an_owner_sets_a_channel_up_on_the_page_and_nobody_reads_its_address_again(client, there, league):
    owner = MembershipFactory(club=league.club, role=Role.OWNER).user
    address = reverse("web:webhooks", args=[league.club.slug])
    client.force_login(league.organiser.user, BACKEND)
    secret = there.url + "&token=" + "s" * 60
    assert client.post(address, {"form": "slack", "channel": secret}).status_code == 403
    client.force_login(owner, BACKEND)
    assert "https://" in client.post(address, {"form": "slack", "channel": "ftp://x"}).content.decode()
    assert client.post(address, {"form": "slack", "channel": secret}).status_code == 302
    webhook = Webhook.objects.get()
    assert (webhook.form, webhook.language, webhook.types, webhook.url) == ("slack", "en", SAID, secret)
    assert sent(there)[0][1]["text"].startswith("This is a test.")
    page = reverse("web:webhook", args=[league.club.slug, webhook.uid])
    api = reverse("api:webhook", args=[league.club.slug, webhook.uid])
    for seen in (address, page, api):
        answer = client.get(seen)
        assert answer.status_code == 200
        assert "s" * 20 not in answer.content.decode()
    assert client.get(api).json()["form"] == "slack"
