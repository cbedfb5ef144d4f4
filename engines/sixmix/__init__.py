"""Sixmix: players place dice one by one in their own and others' rows, each read as a six-digit number."""

from engines.base import CompleteEngine, Words
from engines.sixmix.assist import Rows, tokens_for
from engines.sixmix.play import PLAY
from engines.sixmix.report import SLUG, VARIANTS, check, minimal
from engines.sixmix.words import KEYS, MESSAGES, place

__all__ = ["ENGINE"]

ENGINE = CompleteEngine(
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
    # Who is given tokens says by it that the others have none so far.
    is_assumed=lambda path, value: path[2:3] == ("tokens",) and value == 0,
    assist_shape=Rows,
    assist=tokens_for,
    play=PLAY,
)
