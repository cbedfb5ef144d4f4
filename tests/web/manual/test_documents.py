"""Documents in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

DOCS = Path(__file__).resolve().parents[3] / "docs"
TRANSLATED = sorted(path.relative_to(DOCS / "fr").as_posix() for path in (DOCS / "fr").rglob("*.md"))


@pytest.mark.parametrize("name", TRANSLATED)
def test_french_readers_get_a_document_in_french_and_may_read_the_original(client: Client, name: str) -> None:
    french = {"accept-language": "fr"}
    answer = client.get(f"/docs/{name}", headers=french, follow=True)
    assert answer.redirect_chain == [(f"/docs/fr/{name}", 302)]
    page = answer.content.decode()
    assert '<article class="document flow" lang="fr">' in page
    assert f'href="/docs/{name}?original"' in page
    assert 'lang="en">' in client.get(f"/docs/{name}?original", headers=french).content.decode()
    assert client.get(f"/docs/{name}", headers={"accept-language": "en"}).status_code == 200


@pytest.mark.parametrize("name", TRANSLATED)
def test_translation_has_the_sections_and_the_steps_of_the_original(name: str) -> None:
    original, french = ((folder / name).read_text() for folder in (DOCS, DOCS / "fr"))
    for pattern in (r"^#+ ", r"^\d+\. ", r"^ *\|"):
        assert len(re.findall(pattern, french, re.MULTILINE)) == len(re.findall(pattern, original, re.MULTILINE))
