"""Findings and standings in plain words, for a reader of English or French."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from engines.base import Engine, Finding, KeyWords, Path, Standing, Words

LANGUAGES = ("en", "fr")
NOBODY: Mapping[str, str] = MappingProxyType({})
NAMED = Words("{name}: {text}", "{name} : {text}")

COMMON: Mapping[str, Words] = {
    "not-an-object": Words("The sheet must be a JSON object.", "La feuille doit être un objet JSON."),
    "missing-field": Words("{place} is missing.", "{place} : il manque une valeur."),
    "unknown-field": Words("{place} does not belong here.", "{place} n’a pas sa place ici."),
    "wrong-game": Words(
        "This sheet is judged as {game}; `game` says otherwise.",
        "Cette feuille est jugée comme {game} ; `game` dit autre chose.",
    ),
    "unknown-variant": Words(
        "The variant must be one of: {variants}.", "La variante doit être l’une de : {variants}."
    ),
    "bad-value": Words("{place}: this must be {expected}.", "{place} : il faut {expected}."),
    "duplicate-seat": Words("Two seats have the same name.", "Deux places portent le même nom."),
    "seat-count": Words(
        "Seats listed: {count}. This variant has {seats}.",
        "Places indiquées : {count}. Cette variante en compte {seats}.",
    ),
    "length-mismatch": Words(
        "{place}: this list must have as many entries as there are completed phases.",
        "{place} : cette liste doit avoir autant d’entrées que de phases réussies.",
    ),
    "too-many-findings": Words(
        "There are more findings; only the first {shown} are listed.",
        "Il y a d’autres remarques ; seules les {shown} premières sont indiquées.",
    ),
    "unknown-game": Words("The game must be one of: {games}.", "Le jeu doit être l’un de : {games}."),
}

LARGEST = 10**12  # a longer number is noise in a sentence, and Python refuses to print one of 4,300 digits


def render(engine: Engine | None, finding: Finding, names: Mapping[str, str] = NOBODY, language: str = "en") -> str:
    """Say a finding in a sentence; `names` are display names by seat label, the label itself where one is missing."""
    code = finding.code.partition(".")[2]
    template = engine.messages.get(code) if engine else None
    place = _place(engine, finding.path, language)
    facts = {key: _say(value, language) for key, value in finding.facts.items() if key != "seat"}
    if "other" in facts:  # a second seat the sentence speaks of
        facts["other"] = names.get(str(facts["other"]), facts["other"])
    if isinstance(others := finding.facts.get("others"), list):  # several, in the order of the sentence
        facts["others"] = ", ".join(names.get(other, other) for other in others)
    text = (template or COMMON[code]).into(language).format(place=place, **facts)
    seat = finding.facts.get("seat")
    return NAMED.into(language).format(name=names.get(str(seat), seat), text=text) if seat else text


def _place(engine: Engine | None, path: Path, language: str) -> str:
    """Say where a path leads; as it is where the game has no such place, at which something too large may stand."""
    if engine is not None:
        with suppress(KeyError, ValueError):
            return engine.place(path, language)
    return ".".join(map(str, path))


def _say(value: object, language: str) -> object:
    if isinstance(value, Words):
        return value.into(language)
    if isinstance(value, int) and abs(value) >= LARGEST:
        return Words("a number far too large", "un nombre bien trop grand").into(language)
    if isinstance(value, list | tuple):
        return ", ".join(str(_say(each, language)) for each in value)
    return value


ORDINALS = (
    Words("first", "1re place"),
    Words("second", "2e place"),
    Words("third", "3e place"),
    Words("fourth", "4e place"),
    Words("fifth", "5e place"),
    Words("sixth", "6e place"),
    Words("seventh", "7e place"),
    Words("eighth", "8e place"),
)
ROW = Words("{name}: {ordinal} with {score} points{reason}", "{name} : {ordinal} avec {score} points{reason}")
BECAUSE = Words("; {reason}", " ; {reason}")
SHARED = Words("level with {names}", "à égalité avec {names}")
LEVEL = Words("{level} with {name}", "{level} avec {name}")


def explain(
    engine: Engine, variant: str, rows: Sequence[Standing], names: Mapping[str, str] = NOBODY, language: str = "en"
) -> list[str]:
    """Say in a sentence per standings row why the seat is where it is."""
    keys, said = engine.keys[variant], engine.row or ROW
    return [_sentence(said, keys, rows, index, names, language) for index in range(len(rows))]


def _sentence(
    said: Words,
    keys: Sequence[KeyWords],
    rows: Sequence[Standing],
    index: int,
    names: Mapping[str, str],
    language: str,
) -> str:
    row = rows[index]
    level = [names.get(other.seat, other.seat) for other in rows if other.rank == row.rank and other is not row]
    above = next((other for other in reversed(rows[:index]) if other.rank < row.rank), None)
    below = next((other for other in rows[index:] if other.rank > row.rank), None)
    if level:
        reason = SHARED.into(language).format(names=", ".join(level))
    else:
        reason = _reason(keys, row, above, names, language) or _reason(keys, row, below, names, language)
    return said.into(language).format(
        name=names.get(row.seat, row.seat),
        ordinal=ORDINALS[row.rank - 1].into(language),
        score=row.score,
        reason=BECAUSE.into(language).format(reason=reason) if reason else "",
    )


def _reason(
    keys: Sequence[KeyWords], row: Standing, other: Standing | None, names: Mapping[str, str], language: str
) -> str:
    """Say what decided between two seats, or nothing where the scores say enough."""
    if other is None:
        return ""
    index = next(index for index, own in enumerate(row.key) if own != other.key[index])
    own, theirs, words = row.key[index], other.key[index], keys[index]
    decided = words.ahead if own > theirs else words.behind
    if decided is None:
        return ""
    parts = [decided.into(language).format(own=words.sign * own, other=words.sign * theirs)]
    levels = [key.level.into(language) for key in keys[:index] if key.level]
    if levels:
        name = names.get(other.seat, other.seat)
        parts.insert(0, LEVEL.into(language).format(level=", ".join(levels), name=name))
    return ", ".join(parts)
