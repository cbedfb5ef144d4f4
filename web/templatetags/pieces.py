"""Tags that draw the pieces of the games: dice and cards, each with its name for those who cannot see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

register = template.Library()

STAR = "★"


def _colours(game: str) -> Mapping[str, str]:
    """Return the names of a game's colours by their letters."""
    blue = {"d": pgettext("piece", "dark blue"), "l": pgettext("piece", "light blue")}
    return {
        "b": pgettext("piece", "blue"),
        "g": pgettext("piece", "green"),
        "o": pgettext("piece", "orange"),
        "p": pgettext("piece", "pink"),
        "r": pgettext("piece", "red"),
        "v": pgettext("piece", "violet"),
    } | (blue if game == "sixmix" else {})


@register.filter
def colour_name(letter: str, game: str) -> str:
    """Say a colour of a game."""
    return _colours(game).get(letter, letter)


def _said(game: str, colour: str, number: object) -> str:
    return f"{_colours(game).get(colour, colour)} {number}"


def _piece(kind: str, hue: str, said: str, shown: object, letter: str) -> SafeString:
    small = format_html("<small>{}</small>", letter) if letter else ""
    return format_html('<span class="{} hue-{}" role="img" aria-label="{}">{}{}</span>', kind, hue, said, shown, small)


@register.simple_tag
def number_die(face: Mapping[str, Any] | None) -> SafeString:
    """Draw a die of 10 Phases: its number on its colour, a star for a joker, an empty place for one in the cup."""
    if face is None:
        return format_html('<span class="die in-cup" role="img" aria-label="{}"></span>', _("in the cup"))
    number = face["number"] or STAR
    said = _said("ten-phases", face["colour"], face["number"] or pgettext("piece", "joker"))
    return _piece("die", face["colour"], said, number, face["colour"])


@register.simple_tag
def pip_die(game: str, colour: str, number: object) -> SafeString:
    """Draw a die with pips."""
    return format_html(
        '<svg class="pips hue-{}" role="img" aria-label="{}"><use href="{}#die-{}"/></svg>',
        colour,
        _said(game, colour, number),
        static("play/pieces.svg"),
        number,
    )


@register.simple_tag
def dix_card(card: str) -> SafeString:
    """Draw a card of DIX: a number of a colour, a joker, or money."""
    kind, face = card[0], card[1:]
    if kind == "$":
        hue, shown, said = "money", face, _("money {number}").format(number=face)
    elif card == "*#":
        hue, shown, said = "any", STAR, _("joker for everything")
    elif face == "*":
        hue, shown, said = "any", f"{STAR}{kind}", _("joker {number}").format(number=kind)
    elif face == "#":
        hue, shown, said = kind, STAR, _said("dix", kind, pgettext("piece", "joker"))
    else:
        hue, shown, said = kind, face, _said("dix", kind, face)
    return _piece("playing-card", hue, said, shown, hue if len(hue) == 1 else "")


@register.simple_tag
def run_card(card: str | None) -> SafeString:
    """Draw a movement card of Dice Run; its back where it is not known."""
    if card is None:
        return format_html('<span class="playing-card back" role="img" aria-label="{}"></span>', _("a card face down"))
    names = {
        "joker": pgettext("card", "Joker"),
        "swap": pgettext("card", "Swap"),
        "sprint": pgettext("card", "Sprint"),
        "comeback": pgettext("card", "Comeback"),
        "about-face": pgettext("card", "About-face"),
        "gap": pgettext("card", "Gap"),
        "accident": pgettext("card", "Accident"),
    }
    if card in names:
        return format_html('<span class="playing-card act">{}</span>', names[card])
    if card.isdigit():
        return format_html('<span class="playing-card hue-any" role="img" aria-label="{0}">{0}</span>', card)
    said = _colours("dice-run").get(card, card)
    return format_html('<span class="playing-card hue-{0}" role="img" aria-label="{1}">{0}</span>', card, said)


@register.simple_tag
def objective_card(card: str | None) -> SafeString:
    """Draw an objective card of Dice Run: the die it is about."""
    if card is None:
        return format_html('<span class="playing-card back" role="img" aria-label="{}"></span>', _("a card face down"))
    return format_html('<span class="playing-card goal">{}</span>', pip_die("dice-run", card[0], card[1]))
