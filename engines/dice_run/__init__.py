"""Dice Run by Spartaco Albertarelli: thirty dice race in groups, players hold secret objectives. 3 to 6 players."""

from engines.base import CompleteEngine, Words
from engines.dice_run import words
from engines.dice_run.assist import Position, assist
from engines.dice_run.pieces import SLUG
from engines.dice_run.play import PLAY
from engines.dice_run.report import VARIANTS, check, minimal

__all__ = ["ENGINE"]

ENGINE = CompleteEngine(
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
    is_one_value=lambda path: path[2:] == ("podium",),
    assist_shape=Position,
    assist=assist,
    play=PLAY,
)
