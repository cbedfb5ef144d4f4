"""The front page and the frame around every page."""

from __future__ import annotations

import re

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from engines import GAMES
from tests.factories import EventFactory, UserFactory
from tests.web.markup import tags
from web.public.demo import organiser_of_demo

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "fr")


def front(client: Client, language: str) -> str:
    response = client.get("/", headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_is_in_the_language_of_the_browser(client: Client, language: str) -> None:
    html = front(client, language)
    assert tags(html, "html")[0].attributes["lang"] == language
    assert {"en": "We keep the score", "fr": "Place au jeu"}[language] in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_a_card(client: Client, language: str) -> None:
    html = front(client, language)
    for engine in GAMES.values():
        assert f"<h3>{engine.name.into(language)}</h3>" in html
        assert engine.summary.into(language) in html


@pytest.mark.parametrize(
    ("language", "seats"),
    [
        ("en", ["2–8 players or alone", "2–5 players", "2–5 players or alone", "3–6 players"]),
        ("fr", ["2 à 8 joueurs ou en solo", "2 à 5 joueurs", "2 à 5 joueurs ou en solo", "3 à 6 joueurs"]),
    ],
)
def test_cards_say_how_many_people_can_play(client: Client, language: str, seats: list[str]) -> None:
    pills = re.findall(r'<span class="pill">\s*(.*?)\s*</span>', front(client, language))
    assert pills == seats


def test_page_leads_to_the_api_and_the_login(client: Client) -> None:
    links = {tag.attributes["href"] for tag in tags(front(client, "en"), "a")}
    assert {reverse("api:docs"), reverse("web:login")} <= links


@pytest.mark.parametrize(
    ("host", "is_told"), [("127.0.0.1:8000", True), ("localhost:8000", True), ("192.0.2.7", False)]
)
def test_page_on_this_machine_says_that_phones_cannot_open_it(client: Client, host: str, *, is_told: bool) -> None:
    with override_settings(ALLOWED_HOSTS=["*"]):
        html = client.get("/", headers={"host": host}).content.decode()
    assert ("./run --lan" in html) == is_told


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_tells_the_story_of_a_demo(client: Client, language: str) -> None:
    sam = UserFactory(email=organiser_of_demo("1a2b3c"))
    tonight = EventFactory(name="DIX tonight", game="dix", status="running", created_by=sam)
    html = front(client, language)
    assert {"en": "This is a demo", "fr": "Ceci est une démo"}[language] in html
    assert tonight.club.name in html
    leads = {tag.attributes["href"] for tag in tags(html, "a")}
    assert {f"/e/{tonight.uid}/", f"/e/{tonight.uid}/console/", f"/clubs/{tonight.club.slug}/"} <= leads


@pytest.mark.parametrize(
    ("email", "fields"),
    [
        ("olga@example.org", {}),
        (organiser_of_demo("1a2b3c"), {"is_public": False}),
        (organiser_of_demo("1a2b3c"), {"status": "finished"}),
    ],
)
def test_page_tells_no_other_story(client: Client, email: str, fields: dict[str, object]) -> None:
    EventFactory(**{"status": "running", "created_by": UserFactory(email=email), **fields})
    assert "This is a demo" not in front(client, "en")


def test_page_loads_no_script(client: Client) -> None:
    assert not tags(front(client, "en"), "script")


def test_skip_link_leads_to_the_content(client: Client) -> None:
    html = front(client, "en")
    first = tags(html, "a")[0].attributes
    assert first["href"] == "#" + tags(html, "main")[0].attributes["id"]


def test_language_switch_is_a_plain_form() -> None:
    client = Client(enforce_csrf_checks=True)
    html = client.get("/?from=poster", headers={"accept-language": "en"}).content.decode()
    form = tags(html, "form")[0].attributes
    fields = {tag.attributes["name"]: tag.attributes["value"] for tag in tags(html) if tag.name in {"input", "button"}}
    response = client.post(form["action"], fields, headers={"accept-language": "en"})
    assert (response.status_code, response.headers["Location"]) == (302, "/?from=poster")
    assert tags(front(client, "en"), "html")[0].attributes["lang"] == "fr"
