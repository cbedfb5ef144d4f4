"""The pages of the games: rules, and the score sheet to try without an account or a script."""

from __future__ import annotations

import gzip
import re

import pytest
from django.test import Client

from engines import GAMES
from tests.engines.games import played, renamed
from tests.web.markup import tags
from tests.web.phone.sheets.filling import form_of, rendered, submitted
from tests.web.test_design import STATIC


@pytest.mark.parametrize("slug", GAMES)
def test_game_is_explained_and_can_be_tried(client: Client, slug: str) -> None:
    html = client.get(f"/games/{slug}/").content.decode()
    assert "The game in brief" in html
    assert "The report" not in html
    assert f'data-sheet="{slug}"' in html


@pytest.mark.parametrize("slug", GAMES)
def test_french_readers_get_the_same_rules_in_french(client: Client, slug: str) -> None:
    english, french = (
        client.get(f"/games/{slug}/", headers={"accept-language": language}).content.decode()
        for language in ("en", "fr")
    )
    assert "Le jeu en bref" in french
    assert "<code>not-an-object</code>" not in french, "how a sheet is judged in detail is for programmers"
    assert numbers_in_tables(french) == numbers_in_tables(english) != []


def numbers_in_tables(html: str) -> list[str]:
    return re.findall(r"<td[^>]*>([\d, ]+)</td>", html)


@pytest.mark.parametrize("slug", GAMES)
def test_first_visit_to_the_largest_table_is_light(client: Client, slug: str) -> None:
    html = client.get(f"/games/{slug}/?people=99").content.decode()
    files = with_imports(set(re.findall(r"/static/([\w./-]+)", html)))
    fonts = {name for name in files if name.endswith(".woff2")}
    compressed = sum(len(gzip.compress((STATIC / name).read_bytes())) for name in files - fonts)
    assert f"phone/sheets/{slug}.js" in files
    assert "phone/sheets/queue.js" in files
    assert len(html.encode()) + compressed < 100_000
    assert len(html.encode()) + compressed + sum((STATIC / name).stat().st_size for name in fonts) < 180_000


def with_imports(files: set[str]) -> set[str]:
    scripts = [(STATIC / name).read_text() for name in files if name.endswith(".js")]
    imported = {f"phone/sheets/{name}" for text in scripts for name in re.findall(r'from "\./([a-z-]+\.js)"', text)}
    return files if imported <= files else with_imports(files | imported)


def test_all_games_are_listed(client: Client) -> None:
    links = {tag.attributes["href"] for tag in tags(client.get("/games/").content.decode(), "a")}
    assert {f"/games/{slug}/" for slug in GAMES} <= links


def test_unknown_game_is_not_found(client: Client) -> None:
    assert client.get("/games/chess/").status_code == 404


@pytest.mark.parametrize(
    ("query", "seats"),
    [("", 4), ("people=5", 5), ("people=99", 5), ("people=0", 2), ("people=²", 4), ("variant=solo&people=3", 2)],
)
def test_variant_and_number_of_players_can_be_chosen(client: Client, query: str, seats: int) -> None:
    html = client.get(f"/games/dix/?{query}").content.decode()
    assert html.count("data-total=") == seats


@pytest.mark.parametrize("slug", GAMES)
def test_right_sheet_is_judged_without_a_script(client: Client, slug: str) -> None:
    variant = GAMES[slug].variants[0]
    report = played(GAMES[slug], variant, variant.people[1]).report
    address = f"/games/{slug}/?people={len(report['seats'])}"
    html = client.post(address, submitted(rendered(form_of(report))).dict()).content.decode()
    assert "This sheet is right." in html
    assert "Player 1: " in html


def test_wrong_sheet_is_told_beside_the_field(client: Client) -> None:
    variant = GAMES["dix"].variants[0]
    data = submitted(rendered(form_of(played(GAMES["dix"], variant, 2).report)))
    data["hands.seat-2.coins"] = "11"
    html = client.post("/games/dix/?people=2", data.dict()).content.decode()
    spot = html.partition('data-finding-for="hands.seat-2.coins"')[2].partition("</p>")[0]
    assert "Player 2: 11 coins are too many" in spot
    field = next(tag for tag in tags(html, "input") if tag.attributes.get("name") == "hands.seat-2.coins")
    assert field.attributes["aria-invalid"] == "true"
    assert field.attributes["aria-describedby"] == "finding-hands.seat-2.coins"


def test_empty_sheet_names_what_is_missing(client: Client) -> None:
    html = client.post("/games/dice-run/", {}).content.decode()
    assert html.count("is missing.") == 4


def test_names_stand_for_labels_everywhere(client: Client) -> None:
    report = renamed(played(GAMES["dix"], GAMES["dix"].variants[0], 2).report, {"seat-1": "k3v9", "seat-2": "p0q2"})
    form = form_of(report, judged=True)
    assert form.verdict
    assert all("k3v9" not in sentence and "p0q2" not in sentence for sentence in form.verdict["explanations"])
