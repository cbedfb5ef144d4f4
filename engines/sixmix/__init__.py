"""Sixmix: dice placed one by one in one's own and others' rows, read as six-digit numbers."""

from engines.base import Engine, Words
from engines.play import Play
from engines.sixmix import notation, state
from engines.sixmix.assist import Rows, tokens_for
from engines.sixmix.players import PLAYERS
from engines.sixmix.report import SLUG, VARIANTS, check, minimal
from engines.sixmix.words import KEYS, MESSAGES, RULES, place

__all__ = ["ENGINE"]

ENGINE = Engine(
    slug=SLUG,
    name=Words("Sixmix", "Sixmix"),
    summary=Words(
        "Throw dice and place them in your row or in others’: the largest six-digit numbers and triples score.",
        "Lancez les dés et posez-les dans votre rangée ou celles des autres : les plus grands nombres à six chiffres "
        "et les triplés rapportent.",
    ),
    variants=VARIANTS,
    check=check,
    minimal=minimal,
    messages=MESSAGES,
    place=place,
    keys=KEYS,
    assist_shape=Rows,
    assist=tokens_for,
    play=Play(
        start=state.start,
        actor=state.actor,
        is_over=state.is_over,
        legal=state.legal,
        apply=state.apply,
        chance=state.chance,
        write=notation.write,
        read=notation.read,
        report=state.report,
        turns=state.turns,
        starter=state.first_starter,
        players=PLAYERS,
        rules=RULES,
    ),
)
