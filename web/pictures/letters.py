"""Text in pictures: measured before it is drawn, in the shipped fonts, on machines that have none of their own.

Each script is a font file of its own, as for pages, so a text is drawn in runs of one font each. Letters that no font
has, emoji among them, are left out: an empty box in place of a name says less than the mark beside it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from PIL import ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

LONGEST = 200  # letters that are looked at
ELLIPSIS = "…"
JOINERS = "\u200c\u200d"
SCRIPTS = ("latin", "latin-ext", "vietnamese", "greek", "cyrillic")
OTHERS = tuple(f"fonts/pictures/noto-sans-{script}.woff2" for script in ("hebrew", "arabic", "devanagari"))
PROBE = 32  # the size at which fonts are asked for a letter
NO_LETTER = "\U0010ffff"
BREAKS = re.compile(r"[^ -]+[ -]*|[ -]+")  # a line may end after a space or a hyphen


class Style(NamedTuple):
    """How a text is set."""

    size: int
    family: str = "noto-sans"
    weight: int = 400

    def at(self, size: int) -> Style:
        """Return the same in another size."""
        return self._replace(size=size)


def sans(size: int) -> Style:
    """Return the style of plain text."""
    return Style(size)


def bold(size: int) -> Style:
    """Return the style of text that stands out."""
    return Style(size, weight=700)


def serif(size: int) -> Style:
    """Return the style of headings and figures."""
    return Style(size, "vollkorn", 700)


class Run(NamedTuple):
    """Letters that one font has."""

    font: Font
    text: str


def width_of(text: str, style: Style) -> float:
    """Return how many pixels wide a text is."""
    return sum(run.font.getlength(run.text) for run in runs(text, style))


def shortened(text: str, style: Style, width: float) -> str:
    """Return a text that is not wider than this, with an ellipsis where it had to be cut."""
    if width_of(text, style) <= width:
        return text
    parts = list(_clusters(text))
    fitting, too_many = 0, len(parts)
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if width_of(_cut(parts, middle), style) <= width:
            fitting = middle
        else:
            too_many = middle
    return _cut(parts, fitting)


def _cut(parts: Sequence[str], count: int) -> str:
    return "".join(parts[:count]).rstrip() + ELLIPSIS


def fitted(text: str, style: Style, width: float, smallest: int) -> tuple[str, Style]:
    """Return a text in the largest size that fits, at least in the smallest, then cut."""
    for size in range(style.size, smallest, -4):
        if width_of(text, style.at(size)) <= width:
            return text, style.at(size)
    return shortened(text, style.at(smallest), width), style.at(smallest)


def wrapped(text: str, style: Style, width: float, most: int) -> list[str]:
    """Return a text in at most so many lines, the last of them cut where it has to be."""
    lines: list[str] = []
    words = BREAKS.findall(" ".join(text[:LONGEST].split()))
    while words:
        if len(lines) == most - 1:
            return [*lines, shortened("".join(words), style, width)]
        line = words.pop(0)
        while words and width_of((line + words[0]).rstrip(), style) <= width:
            line += words.pop(0)
        lines.append(shortened(line.rstrip(), style, width))
    return lines


@lru_cache(maxsize=2048)
def runs(text: str, style: Style) -> tuple[Run, ...]:
    """Return a text as runs in the order in which they are drawn, from left to right."""
    found: list[tuple[str, str]] = []
    for cluster in _clusters(text[:LONGEST]):
        last = found[-1][0] if found else ""
        name = _font_for(cluster, style.family, last)
        if name is None:
            continue
        if name == last:
            found[-1] = (name, found[-1][1] + cluster)
        else:
            found.append((name, cluster))
    drawn = [Run(_font(name, style.weight, style.size), part) for name, part in found]
    return tuple(reversed(drawn)) if _is_right_to_left(text) else tuple(drawn)


def _clusters(text: str) -> Iterator[str]:
    """Return letters with the marks that belong to them; what directs or controls text is left out."""
    cluster = ""
    for letter in unicodedata.normalize("NFC", " ".join(text.split())):
        kind = unicodedata.category(letter)
        if kind in {"Cc", "Cf", "Cs"} and letter not in JOINERS:
            continue
        if cluster and (kind.startswith("M") or letter in JOINERS or cluster[-1] in JOINERS):
            cluster += letter
            continue
        if cluster:
            yield cluster
        cluster = letter
    if cluster:
        yield cluster


def _is_right_to_left(text: str) -> bool:
    directions = (unicodedata.bidirectional(letter) for letter in text)
    return next((each in {"R", "AL"} for each in directions if each in {"L", "R", "AL"}), False)


def _font_for(cluster: str, family: str, last: str) -> str | None:
    """Return the font of a letter: the one before it where that has it, else the first that does."""
    shipped = [f"fonts/{family}-{script}.woff2" for script in SCRIPTS]
    names = [*([last] if last else ()), *shipped, *OTHERS, *settings.PICTURE_FONTS]
    return next((name for name in names if all(_has(name, letter) for letter in cluster)), None)


@lru_cache(maxsize=8192)
def _has(name: str, letter: str) -> bool:
    if letter == " " or letter in JOINERS:
        return True
    font = _font(name, 400, PROBE)
    return _drawn(font, letter) != _drawn(font, NO_LETTER)


def _drawn(font: Font, letter: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(letter)
    return mask.size, bytes(mask)


@lru_cache(maxsize=256)
def _font(name: str, weight: int, size: int) -> Font:
    """Return a font file in one weight and size; where it cannot be read, the one that is part of Pillow."""
    try:
        font = ImageFont.truetype(name if Path(name).is_absolute() else finders.find(name) or name, size)
    except OSError:
        return ImageFont.load_default(size)
    with suppress(OSError):  # of one weight only
        font.set_variation_by_axes([weight])
    return font
