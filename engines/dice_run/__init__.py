"""Dice Run by Spartaco Albertarelli: thirty dice race in groups, players hold secret objectives. 3 to 6 players."""

from engines.base import Engine, Words
from engines.dice_run import notation, rules, state, words
from engines.dice_run.assist import Position, assist
from engines.dice_run.pieces import SLUG
from engines.dice_run.players import PLAYERS
from engines.dice_run.report import VARIANTS, check, minimal
from engines.play import Play

__all__ = ["ENGINE"]

ENGINE = Engine(
    slug=SLUG,
    name=Words("Dice Run", "Dice Run"),
    summary=Words(
        "A race of thirty dice in four stages; movement cards bring the dice of your secret objective to the front.",
        "Une course de trente dés en quatre étapes ; les cartes mènent en tête les dés de votre objectif secret.",
    ),
    variants=VARIANTS,
    check=check,
    minimal=minimal,
    messages=words.MESSAGES,
    place=words.place,
    keys=words.KEYS,
    assist_shape=Position,
    assist=assist,
    play=Play(
        start=state.start,
        actor=state.actor,
        is_over=state.is_over,
        legal=rules.legal,
        apply=rules.apply,
        chance=rules.chance,
        write=notation.write,
        read=notation.read,
        report=state.report,
        turns=lambda game: game.turns,
        starter=lambda game: game.starter,
        players=PLAYERS,
        rules=words.RULES,
    ),
)
