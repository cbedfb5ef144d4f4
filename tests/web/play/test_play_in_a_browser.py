"""A person plays each solo game to its end on a phone, through a broken connection and a reload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from play.models import SoloGame
from play.services import challenges, games
from play.services.games import Phone
from tests.play.people import answer, play_on

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)


PATIENCE = 30_000  # milliseconds on a machine busy with other tests


def press(page: Page, move: str) -> None:
    """Make a move as a thumb does."""
    if move.startswith("keep"):
        for place, face in enumerate(move.split()[1:]):
            if face != "-":
                page.locator(f"[name=kept][value='{place}']").check()
        page.get_by_role("button", name="Throw the others").click()
    elif (button := page.locator(f".moves button[value='{move}']")).count():
        button.click()
    elif page.locator(f"option[value='{move}']").count():
        form = page.locator("form", has=page.locator(f"option[value='{move}']"))
        form.get_by_role("combobox").select_option(move)
        form.get_by_role("button").click()
    else:  # one of so many payments that not all are listed
        page.get_by_text("Write a move yourself").click()
        form = page.locator("form", has=page.locator("#written"))
        form.get_by_role("textbox").fill(move)
        form.get_by_role("button").click()


def play_to_the_end(page: Page, lose_at: int) -> SoloGame:
    """Play until the game is over; after some moves the connection is lost, a move waits, and the page is reloaded."""
    for number in range(400):
        game = SoloGame.objects.get(name="Ana")
        if game.is_over:
            return game
        move = answer(game.record)
        if number == lose_at:
            page.context.set_offline(True)
            press(page, move)
            expect(page.locator("[data-state]")).to_contain_text("No connection")
            assert len(SoloGame.objects.get(pk=game.pk).moves) == len(game.moves)
            page.context.set_offline(False)
            page.reload()
        else:
            press(page, move)
        shown = page.locator(f".moves [name=number][value='{len(game.moves)}']")
        expect(shown).to_have_count(0, timeout=PATIENCE)  # another position, or none
        assert SoloGame.objects.get(pk=game.pk).moves[len(game.moves)] == move
    raise AssertionError("the game has no end")


@pytest.mark.parametrize("slug", ["ten-phases", "dix"])
def test_challenge_is_played_on_a_phone_through_a_broken_connection(phone: Page, slug: str) -> None:
    today = challenges.challenge_of(game=slug)
    other = play_on(games.start_challenge(phone=Phone("the phone of Bo"), challenge=today, name="Bo"))
    phone.goto(f"/games/{slug}/")
    phone.get_by_role("link", name="Play", exact=True).click()
    phone.get_by_role("link", name="Challenge of the day").click()
    expect(phone.get_by_role("link", name="Bo", exact=True)).to_have_count(0)
    phone.get_by_label("Your name on the board").fill("Ana")
    phone.get_by_role("button", name="Begin").click()
    game = play_to_the_end(phone, lose_at=5)
    expect(phone.locator("[data-score]")).to_have_text(str(game.score))
    phone.get_by_role("link", name="Look at it move by move").click()
    expect(phone.get_by_text(f"Move 0 of {len(game.moves)}")).to_be_visible()
    phone.get_by_role("link", name="Next move").click()
    expect(phone.get_by_text(f"Move 1 of {len(game.moves)}")).to_be_visible()
    phone.keyboard.press("End")
    expect(phone.locator("[data-total]").first).to_have_text(str(game.score))
    phone.goto(f"/challenge/{slug}/")
    expect(phone.get_by_role("link", name="Ana", exact=True)).to_be_visible()
    phone.get_by_role("link", name="Bo", exact=True).click()
    expect(phone.get_by_text(f"Move {len(other.moves)} of {len(other.moves)}")).to_be_visible()
    assert [row.game.name for row in challenges.ranked(challenges.board_of(today))] == sorted(
        ["Ana", "Bo"], key=lambda name: (not won(name), -score(name), name != "Bo")
    )


def won(name: str) -> bool:
    """Say whether somebody beat ALIX."""
    return bool(SoloGame.objects.get(name=name).is_won)


def score(name: str) -> int:
    """Return what somebody has."""
    return SoloGame.objects.get(name=name).score or 0
