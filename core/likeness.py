"""Which names look the same: by case, accents, width, and letters of other alphabets that look alike (UTS 39)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from string import ascii_lowercase

from confusable_homoglyphs.confusables import confusables_data

# Marks of no script: those that letters are accented, crossed out and encircled with.
ACCENTS = dict.fromkeys(
    code
    for first, last in [(0x300, 0x36F), (0x483, 0x489), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF)]
    for code in range(first, last + 1)
)
VARIANTS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # select a form of the one before
# Where letters and numbers in circles and squares are. A pair of the letters after them is a flag, which nobody reads.
ENCLOSED = (range(0x2460, 0x2500), range(0x2776, 0x2794), range(0x3248, 0x3250), range(0x1F10B, 0x1F1AE))
LETTER_IN_A_SHAPE = re.compile("(?:CIRCLED|SQUARED) LATIN CAPITAL LETTER ([A-Z])$")
SEEN = "LNSM"  # letters, numbers, symbols and marks; spaces and punctuation make no other name
NAMES_KEPT = 1 << 14
LONGEST_KEPT = 240  # characters, as many as a name can have before it is composed; more would fill the memory
# Whose marks are all accents: a mark of another script on their letters is decoration, or nothing that is seen.
ALPHABETS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN"}
# Letters of one shape in most places of a word, and a line that only makes a word longer.
ARABIC = str.maketrans({"ى": "ي", "ی": "ي", "ک": "ك", "ـ": None})
# Letters whose look is lost where they are taken apart or paired: a long s passes for an f, a palochka for an l.
SHAPES = str.maketrans({"ϲ": "c", "Ϲ": "C", "ӏ": "l", "ſ": "f"})
# Lines and circles that read as a letter within a name, and a capital I of an alphabet without small letters.
DRAWN = str.maketrans({**dict.fromkeys("│￨┃❘❙⏐⎮▏丨⼁ㅣ।׀", "l"), **dict.fromkeys("○◯⭘", "o"), "ꓲ": "I", "‖": "ll"})
# Letters that do not come apart into a plain one and an accent, and are typed as it by those who lack them.
PLAIN = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"})


@cache
def _prototypes() -> dict[int, str]:
    """Return for each character the one that stands for all that look like it: an ASCII one, else the first."""
    leaders: dict[str, str] = {}

    def leader(character: str) -> str:
        while (above := leaders.get(character, character)) != character:
            character = above
        return character

    for character, others in confusables_data.items():
        for other in (each["c"] for each in others):
            if len(character) == len(other) == 1:
                first, second = sorted((leader(character), leader(other)))
                leaders[second] = first
    return {ord(character): leader(character) for character in leaders}


@cache
def _several() -> dict[int, str]:
    """Return for each character that looks like several plain letters or digits these.

    Plain ones are not taken for each other: with rn for m, Erna would be Ema. What looks like either is an m.
    """
    found = {}
    for character, others in confusables_data.items():
        for spelt in (each["c"] for each in others):
            plain = spelt.translate(_prototypes())
            if len(character) == 1 < len(spelt) and not character.isascii() and plain.isascii() and plain.isalnum():
                found[ord(character)] = "m" if plain == "rn" else plain
    return found


@cache
def _signs() -> dict[int, None]:
    """Return the letters and symbols that look like punctuation, such as the apostrophe of many an alphabet."""
    return {
        code: None
        for code, leader in _prototypes().items()
        if unicodedata.category(leader)[0] not in SEEN
        and (unicodedata.category(chr(code)) in {"Lm", "Sk", "Sm"} or _script(chr(code)) == "LATIN")
    }


@cache
def _small_capitals() -> dict[int, str]:
    """Return for each small capital its letter."""
    named = ((f"LATIN LETTER SMALL CAPITAL {letter.upper()}", letter) for letter in ascii_lowercase)
    found = ((name, letter) for name, letter in named if letter != "x")  # the only one without
    return {ord(unicodedata.lookup(name)): letter for name, letter in found}


@cache
def _enclosed() -> dict[int, str]:
    """Return what is read in each circle and square that Unicode does not take apart itself."""
    found = {}
    for character in map(chr, chain.from_iterable(ENCLOSED)):
        name = "" if unicodedata.decomposition(character) else unicodedata.name(character, "")
        if letter := LETTER_IN_A_SHAPE.search(name):
            found[ord(character)] = letter[1]
        elif "CIRCLED" in name and unicodedata.category(character) == "No":
            found[ord(character)] = str(int(unicodedata.numeric(character)))
    return found


def _script(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]


def prototype(character: str) -> str:
    """Return the character that stands for all that look like this one."""
    return _prototypes().get(ord(character), character)


def _plain(text: str) -> str:
    """Return a text without accents, width and what is not seen; of one far longer than a name, its beginning."""
    # To take apart a pile of accents takes quadratic time.
    apart = VARIANTS.sub("", unicodedata.normalize("NFKD", text[:LONGEST_KEPT]).translate(ACCENTS))
    return "".join(character for character in apart if unicodedata.category(character)[0] in SEEN)


def looks(name: str) -> frozenset[str]:
    """Return how a name looks: two names that share a look can be taken for each other.

    There are two looks, because a capital I looks like an l, and Ines is still written INES.
    """
    return frozenset(_looks(name))


def looks_of(names: Iterable[str]) -> set[str]:
    """Return how any of several names looks."""
    return set().union(*map(looks, names))


def look(name: str) -> str:
    """Return how a name looks as it is written."""
    return _looks(name)[0]


def look_folded(name: str) -> str:
    """Return how a name looks without case."""
    return _looks(name)[1]


@lru_cache(NAMES_KEPT)
def _looks(name: str) -> tuple[str, str]:
    return _seen(_bare(name.translate(SHAPES))), _seen(_bare(name).casefold().translate(PLAIN))


def _bare(name: str) -> str:
    """Return a name without what makes no other name of it."""
    drawn = name.translate(_enclosed()).translate(DRAWN)
    return _without_foreign_marks(_plain(drawn).translate(_signs()).translate(ARABIC))


def _seen(text: str) -> str:
    """Return a text in the characters that stand for all that look like them."""
    return text.translate(_several()).translate(_prototypes()).casefold().translate(_small_capitals())


def _without_foreign_marks(text: str) -> str:
    kept = ""
    for character in text:
        is_mark = unicodedata.category(character) in {"Mn", "Me"}
        if not (is_mark and kept and _script(kept[-1]) in ALPHABETS and _script(character) != _script(kept[-1])):
            kept += character
    return kept


WORDS = re.compile(r"[\s\-‐‑–'’.·]+")


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name without case and accents, as people type them who search for it."""
    return _words_of(name) if len(name) <= LONGEST_KEPT else _words_of.__wrapped__(name)


@lru_cache(NAMES_KEPT)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(filter(None, (_plain(word).casefold().translate(PLAIN) for word in WORDS.split(name))))


def folded(name: str) -> str:
    """Return a name without case, accents and punctuation: Pénélope and penelope are one, Ana Li and Anali are two."""
    return " ".join(words_of(name)) or name.casefold()


def is_found(name: str, typed: str) -> bool:
    """Say whether a name has the words that were typed, one after another; the last of them may be unfinished."""
    words, wanted = words_of(name), words_of(typed)
    if not wanted:
        return not typed.strip()
    *whole, begun = wanted
    return any(
        list(words[start : start + len(whole)]) == whole and words[start + len(whole)].startswith(begun)
        for start in range(len(words) - len(whole))
    )


def searchable(name: str) -> str:
    """Return a name as a database searches it: it contains what `searchable` makes of a text that `is_found` in it."""
    return "".join(f" {word}" for word in words_of(name))


def alike(name: str, others: Iterable[str]) -> list[str]:
    """Return those of the others that look like a name, in their order."""
    wanted = looks(name)
    return [other for other in others if looks(other) & wanted]
