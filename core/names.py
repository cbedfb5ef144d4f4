"""Names that people give to players, clubs and events. What is markup or a formula elsewhere is a name here.

Every script may be written as it is written; what nobody can see, or what only hides another name, is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from confusable_homoglyphs.categories import alias as script_of
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.errors import DomainError
from core.likeness import ACCENTS, VARIANTS, prototype

LONGEST = 60
LONGEST_NUMBERED = 56  # what of a name has room for a number behind it
MOST_ACCENTS = 2  # on one letter, taken apart: Vietnamese and Yoruba need two
MOST_MARKS = 4  # of a script's own in a row: Hebrew points, Indic vowels, Tibetan stacks
JOINERS = "\u200c\u200d"  # invisible, and part of how Persian and Indic words and many emoji are written
INVISIBLE = {"Cc", "Cf", "Cs", "Co"}  # controls, formats such as bidirectional overrides, halves, private characters
VISIBLE = {"L", "N", "So"}  # letters, digits, and symbols such as emoji
# Blank, whatever their category says: fillers, vowels that are not written, a dotless pattern, a missing picture, and
# of the hieroglyphs two blanks and the controls of their boxes, which not every Python knows yet.
BLANK = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\ufffd\U0001d159\U00013441\U00013442")
BLANK |= set(map(chr, range(0x13430, 0x13440)))
# The flags of England, Scotland and Wales are spelt in characters that nobody sees.
NATIONS = ["".join(chr(0xE0000 + ord(letter)) for letter in nation) for nation in ("gbeng", "gbsct", "gbwls")]
FLAGS = re.compile(f"\U0001f3f4(?:{'|'.join(NATIONS)})\U000e007f")
KEYCAP = re.compile("[0-9#*]\ufe0f\u20e3")
CURSIVE = {"ARABIC", "SYRIAC", "MONGOLIAN", "NKO", "MANDAIC", "ADLAM", "HANIFI_ROHINGYA", "PHAGS_PA"}
TWINS = {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"}  # scripts with letters that look Latin
VIRAMA = 9  # combining class of the sign by which Indic letters join
MODIFIERS = range(0x1F3FB, 0x1F400)  # of the skin of an emoji
# What makes programs take a text for a link: the dot of a host, the @ of an address, the colon of a scheme, slashes.
LINKS = re.compile(r"(?<=\S)[.\u3002\uff0e\uff61](?=[^\W\d_])|(?<=\S)@(?=\w)|(?<=\w):(?=[^\W\d_]|[/+])|/(?=/)")


class NameInvalidError(DomainError):
    """A name is empty, too long, or has characters that nobody can see or tell apart."""

    code = "name-invalid"
    status = 400


def clean_name(text: str, *, longest: int = LONGEST) -> str:
    """Return a name in its one form: composed (NFC), with single spaces; raises `NameInvalidError`."""
    text = text.strip()
    # Composing takes quadratic time on hostile input, so it never sees more than could shrink to a name.
    if len(text) <= 4 * longest:
        _refuse_invisible(text)
        text = " ".join(unicodedata.normalize("NFC", text).split())
    if len(text) > longest:
        raise NameInvalidError(_("A name can have at most {longest} characters.").format(longest=longest))
    if not text:
        raise NameInvalidError(_("Give a name."))
    if not any(kind[0] in VISIBLE or kind in VISIBLE for kind in map(_kind, text)):
        raise NameInvalidError(_("A name needs a letter, a digit or a picture that everybody can see."))
    _refuse_piles(text)
    _refuse_twins(text)
    return text


def unlinked(text: str) -> str:
    """Return a name on one line as it is written in mails and channels, where nothing in it becomes a link."""
    return LINKS.sub(r"\g<0> ", " ".join(text.split()))


def _kind(character: str) -> str:
    """Return the category of a character; what Unicode has added since this Python is taken for a symbol."""
    kind = unicodedata.category(character)
    return "So" if kind == "Cn" and 0x10000 <= ord(character) < 0x40000 and ord(character) & 0xFFFE != 0xFFFE else kind


def _is_picture(character: str) -> bool:
    return _kind(character) in {"So", "Sm"} or ord(character) in MODIFIERS


def _refuse_invisible(text: str) -> None:
    """Refuse what nobody can see, except where the writing of a word or an emoji needs it."""
    text = KEYCAP.sub("1", FLAGS.sub("x", text))
    for index, character in enumerate(text):
        before, after = text[:index], text[index + 1 :]
        if character in JOINERS:
            is_needed = _is_needed_joiner(character, before, after[:1])
        elif VARIANTS.match(character):
            is_needed = bool(before) and _takes_variant(character, before[-1])
        else:
            kind = _kind(character)
            is_needed = kind not in INVISIBLE and kind != "Cn" and character not in BLANK
        if not is_needed:
            raise NameInvalidError(_("A name cannot have control characters or invisible marks."))


def _is_needed_joiner(joiner: str, before: str, after: str) -> bool:
    base = VARIANTS.sub("", before)[-1:]
    if not base or not base.strip():
        return False
    if VIRAMA in {unicodedata.combining(base), unicodedata.combining(after) if after else 0}:
        return True
    if not after:
        return False
    if joiner == "\u200d" and _is_picture(base) and _is_picture(after):
        return True
    letter = next((each for each in reversed(before) if unicodedata.category(each)[0] == "L"), " ")
    return script_of(letter) in CURSIVE and script_of(after) == script_of(letter)


def _takes_variant(variant: str, base: str) -> bool:
    """Say whether a character has other forms to select: an emoji, an ideograph, a Mongolian letter."""
    if variant in "\ufe0e\ufe0f":
        return _is_picture(base) or base in "\u203c\u2049\u3030\u303d"
    if variant < "\ufe00":
        return bool(script_of(base) == "MONGOLIAN")
    return bool(script_of(base) == "HAN")


def _refuse_piles(text: str) -> None:
    """Refuse marks that stand on nothing, or pile up over the lines above and below."""
    text = KEYCAP.sub("1", text)
    for base, marks in _letters(unicodedata.normalize("NFD", text)):
        own = VARIANTS.sub("", marks.translate(ACCENTS))
        accents = len(VARIANTS.sub("", marks)) - len(own)
        is_pile = accents > MOST_ACCENTS or len(own) > MOST_MARKS or len(set(marks)) < len(marks)
        if (marks and not base.strip()) or is_pile:
            raise NameInvalidError(_("A name cannot have so many accents on one letter, or accents on none."))


def _letters(text: str) -> Iterator[tuple[str, str]]:
    """Yield each character with the marks that follow it; the first may be none."""
    base, marks = "", ""
    for character in text:
        if unicodedata.category(character) in {"Mn", "Me"}:
            marks += character
        else:
            yield base, marks
            base, marks = character, ""
    yield base, marks


def _refuse_twins(text: str) -> None:
    """Refuse a word in Latin letters of which some only look Latin."""
    for word in text.split():
        scripts = {letter: script_of(letter) for letter in word if letter.isalpha()}
        if "LATIN" in scripts.values() and any(
            script in TWINS and script_of(prototype(letter)) == "LATIN" for letter, script in scripts.items()
        ):
            raise NameInvalidError(
                _("“{word}” mixes letters of two alphabets that look the same. Write it in one.").format(word=word)
            )


class NameField(serializers.CharField):
    """A name in the body of a request."""

    def __init__(self, *, longest: int = LONGEST, **options: Any) -> None:
        self.longest = longest
        super().__init__(max_length=longest, **options)

    def to_internal_value(self, data: Any) -> str:
        """Return the name in its one form."""
        try:
            return clean_name(super().to_internal_value(data), longest=self.longest)
        except NameInvalidError as error:
            raise serializers.ValidationError(error.detail, code=error.code) from None


def numbered(name: str, number: int) -> str:
    """Return a name with a number behind it, for another who is called the same."""
    return f"{name[:LONGEST_NUMBERED]} {number}"


def is_numbered(name: str, own: str) -> bool:
    """Say whether a name is somebody's own, with a number behind it or none."""
    return name == own or re.fullmatch(re.escape(own[:LONGEST_NUMBERED]) + r" (\d+|\(\d+\))", name) is not None
