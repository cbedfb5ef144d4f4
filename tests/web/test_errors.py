"""Error pages: friendly, in both languages, and independent of what may be broken."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from tests.web.markup import tags

PAGES = ("400", "403", "403_csrf", "404", "413", "500", "503")


def test_unknown_address_gets_the_friendly_page(client: Client) -> None:
    response = client.get("/no/such/page/", headers={"accept-language": "fr"})
    html = response.content.decode()
    assert response.status_code == 404
    assert "Page introuvable" in html
    assert tags(html, "html")[0].attributes["lang"] == "fr"


def test_form_without_its_token_gets_an_explanation() -> None:
    response = Client(enforce_csrf_checks=True).post("/i18n/setlang/", {"language": "fr"})
    assert response.status_code == 403
    assert "Your form was not sent" in response.content.decode()


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("page", PAGES)
def test_page_needs_no_request_no_context_and_no_database(page: str, language: str) -> None:
    with translation.override(language):
        html = render_to_string(f"{page}.html")
    status = page[:3]
    dice = [tag.attributes["href"].partition("#")[2] for tag in tags(html, "use")]
    assert dice == [f"die-{digit}" for digit in status]
    assert f'<span class="sr-only">{status}</span>' in html
    assert len(tags(html, "h1")) == 1
    assert "/" in {tag.attributes["href"] for tag in tags(html, "a")}


def test_page_of_a_slow_request_has_no_dice_for_an_eight() -> None:
    html = render_to_string("408.html")
    assert "That took too long" in html
    assert tags(html, "use") == []
