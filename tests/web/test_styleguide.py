"""The style guide, for developers only."""

from __future__ import annotations

from django.test import Client
from pytest_django import Settings

from tests.web.markup import tags


def test_style_guide_is_hidden_from_the_public(client: Client, settings: Settings) -> None:
    settings.DEBUG = False
    assert client.get("/styleguide/").status_code == 404


def test_style_guide_shows_both_schemes_and_a_refused_form(client: Client, settings: Settings) -> None:
    settings.DEBUG = True
    html = client.get("/styleguide/").content.decode()
    themes = {tag.attributes["data-theme"] for tag in tags(html) if "data-theme" in tag.attributes}
    assert themes == {"light", "dark"}
    assert "This field is required." in html
