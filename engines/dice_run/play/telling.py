"""What a move of Dice Run does, in English and French. Which moves there are is said in `rules`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engines.base import Words
from engines.dice_run.pieces import ABOUT_FACE, ACCIDENT, COMEBACK, GAP, JOKER, SPRINT, SWAP, VALUES
from engines.dice_run.play import moves
from engines.dice_run.play.moves import Move
from engines.dice_run.play.state import DiceRunState

COLOUR_WORDS: Mapping[str, Words] = {
    "b": Words("blue", "bleu"),
    "g": Words("green", "vert"),
    "p": Words("pink", "rose"),
    "r": Words("red", "rouge"),
    "v": Words("violet", "violet"),
}
"""The colours of the first edition; a letter that is not here is said as it is."""
CARD_WORDS: Mapping[str, Words] = {
    JOKER: Words("Joker", "Joker"),
    SWAP: Words("Swap", "Échange"),
    SPRINT: Words("Sprint", "Sprint"),
    COMEBACK: Words("Comeback", "Remontée"),
    ABOUT_FACE: Words("About-face", "Volte-face"),
    GAP: Words("Gap", "Écart"),
    ACCIDENT: Words("Accident", "Accident"),
}


def die_words(die: str) -> Words:
    """Say a die or an objective card: `b6` is "blue 6"."""
    colour = COLOUR_WORDS.get(die[0], Words(die[0], die[0]))
    return Words(f"{colour.en} {die[1]}", f"{die[1]} {colour.fr}")


def _features(feature: str) -> Words:
    if feature in VALUES:
        return Words(f"all {feature}s", f"tous les {feature}")
    if colour := COLOUR_WORDS.get(feature):
        return Words(f"all {colour.en} dice", f"tous les dés {colour.fr}s")
    return Words(f"all dice of {feature}", f"tous les dés de {feature}")


def card_words(card: str) -> Words:
    """Say a movement card."""
    if known := CARD_WORDS.get(card):
        return known
    return COLOUR_WORDS.get(card, Words(card, card))


def _listed(each: Iterable[Words]) -> Words:
    every = list(each)
    return Words(", ".join([one.en for one in every]), ", ".join([one.fr for one in every]))


def _sprint(_state: DiceRunState, move: moves.Sprint) -> Words:
    return Words(
        "Sprint: {dice} break away from the front group.", "Sprint : {dice} s’échappent du groupe de tête."
    ).filled(dice=_listed(map(die_words, move.dice)))


def _about_face(_state: DiceRunState, move: moves.AboutFace) -> Words:
    return Words(
        "About-face: all {value}s of group {group} turn to {other}.",
        "Volte-face : tous les {value} du groupe {group} passent sur {other}.",
    ).filled(value=move.value, group=move.group, other=7 - move.value)


def _objective(_state: DiceRunState, move: moves.PlayObjective) -> Words:
    first, second = (_features(feature) for feature in (move.card if move.colour_first else move.card[::-1]))
    return Words(
        "Show the objective {card}: {first} advance, then {second}. It counts for this stage.",
        "Montrer l’objectif {card} : {first} avancent, puis {second}. Il compte pour cette étape.",
    ).filled(card=die_words(move.card), first=first, second=second)


def _start(state: DiceRunState, move: moves.StarterRoll) -> Words:
    total = sum(int(after[1]) for _, after in move.dice)
    return Words("{seat} throws {total} for the first turn.", "{seat} lance {total} pour commencer.").filled(
        seat=state.seats[state.turn], total=total
    )


_TELL: Mapping[type, Callable[[DiceRunState, Any], Words]] = {
    moves.Roll: lambda _state, move: Words("Dice thrown: {count}.", "Dés lancés : {count}.").filled(
        count=len(move.dice)
    ),
    moves.DealObjectives: lambda state, move: Words(
        "{seat} gets the objectives {cards}.", "{seat} reçoit les objectifs {cards}."
    ).filled(seat=state.seats[state.turn], cards=_listed(map(die_words, move.cards))),
    moves.DealHand: lambda state, move: Words(
        "{seat} gets the cards {cards}.", "{seat} reçoit les cartes {cards}."
    ).filled(seat=state.seats[state.turn], cards=_listed(map(card_words, move.cards))),
    moves.Split: lambda _state, move: Words(
        "The pile is split into packs of {sizes} cards.", "La pioche fait des paquets de {sizes} cartes."
    ).filled(sizes=", ".join(map(str, move.sizes))),
    moves.StarterRoll: _start,
    moves.Draw: lambda state, move: Words("{seat} draws {card}.", "{seat} pioche {card}.").filled(
        seat=state.seats[state.turn], card=card_words(move.card)
    ),
    moves.Advance: lambda _state, move: Words("Card: {dice} advance.", "Carte : {dice} avancent.").filled(
        dice=_features(move.card)
    ),
    moves.Joker: lambda _state, move: Words("Joker: {dice} advance.", "Joker : {dice} avancent.").filled(
        dice=_features(move.feature)
    ),
    moves.Swap: lambda _state, move: Words(
        "Swap: groups {group} and {next} change places.", "Échange : les groupes {group} et {next} changent de place."
    ).filled(group=move.group, next=move.group + 1),
    moves.Sprint: _sprint,
    moves.Comeback: lambda _state, _move: Words(
        "Comeback: the last group moves up to second place.",
        "Remontée : le dernier groupe passe en deuxième position.",
    ),
    moves.AboutFace: _about_face,
    moves.LayGap: lambda _state, move: Words(
        "Gap: lies between groups {group} and {next}.", "Écart : se place entre les groupes {group} et {next}."
    ).filled(group=move.group, next=move.group + 1),
    moves.Accident: lambda _state, move: Words(
        "Accident: the {die} falls back to the last group.", "Accident : le {die} recule jusqu’au dernier groupe."
    ).filled(die=die_words(move.die)),
    moves.PlayObjective: _objective,
    moves.Reroll: lambda _state, move: Words(
        "Lay {card} face down and throw the dice of group {group} again.",
        "Poser {card} face cachée et relancer les dés du groupe {group}.",
    ).filled(card=card_words(move.card), group=move.group),
    moves.Discard: lambda _state, move: Words(
        "Discard {card}, as no card can be applied.", "Défausser {card}, aucune carte ne pouvant servir."
    ).filled(card=card_words(move.card)),
    moves.Choose: lambda state, move: Words(
        "{seat} chooses the objective {card}.", "{seat} choisit l’objectif {card}."
    ).filled(seat=state.seats[state.chooser], card=die_words(move.card)),
}

_SECRET: Mapping[type, Words] = {
    moves.DealObjectives: Words("{seat} gets four objectives.", "{seat} reçoit quatre objectifs."),
    moves.DealHand: Words("{seat} gets three cards.", "{seat} reçoit trois cartes."),
    moves.Draw: Words("{seat} draws a card.", "{seat} pioche une carte."),
    moves.Reroll: Words(
        "{seat} lays a card face down and throws the dice of group {group} again.",
        "{seat} pose une carte face cachée et relance les dés du groupe {group}.",
    ),
    moves.Choose: Words("{seat} chooses an objective.", "{seat} choisit un objectif."),
}


def tell(state: DiceRunState, move: Move, is_open: bool) -> Words:
    """Say what a move does, and unless it is open nothing that only its owner may know."""
    if not is_open and (secret := _SECRET.get(type(move))):
        seat = state.chooser if isinstance(move, moves.Choose) else state.turn
        return secret.filled(seat=state.seats[seat], group=getattr(move, "group", ""))
    return _TELL[type(move)](state, move)
