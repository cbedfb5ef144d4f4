"""A definition as the fields of a form, and back. A field has the dotted path of what it holds, as on score sheets.

The form has room for what most games need. What it cannot say (a third language, a tie-break the other way round) is
written as text; a definition that the form would change is offered as text alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.text import slugify

from tournaments.games import MOST_LINES

LIMITS = ("min", "max", "step", "sum")
ROOM = 4  # lines there is room for at the beginning
MOST_TIEBREAKS = 4
LONGEST_KEY = 24  # characters of a line's name that its key is made of


def is_plain(definition: Mapping[str, Any]) -> bool:
    """Say whether the form can say all of a definition."""
    data = QueryDict(mutable=True)
    data.update(fields_of(definition))
    return definition_of(data) == _usual(definition)


def _usual(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a definition without what it says only once more."""
    made = {name: value for name, value in definition.items() if not (name == "tiebreaks" and value in ([], "shared"))}
    if made.get("tiebreaks") and made["tiebreaks"][-1] == "shared":
        made["tiebreaks"] = made["tiebreaks"][:-1]
    if made["sheet"]["kind"] == "places":
        made = {**made, "winner": "places", "sheet": {"ties": True, **made["sheet"]}}
    return {"winner": "most", "rated": True, **made}


def fields_of(definition: Mapping[str, Any]) -> dict[str, str]:
    """Return what the fields of the form hold for a definition."""
    sheet = definition.get("sheet", {})
    fields = {
        "slug": definition.get("slug", ""),
        "seats.min": definition.get("seats", {}).get("min", 2),
        "seats.max": definition.get("seats", {}).get("max", 4),
        "winner": definition.get("winner") or "most",
        "minutes": definition.get("minutes", ""),
        "sheet.kind": sheet.get("kind", "categories"),
        "sheet.rounds": sheet.get("rounds", ""),
        "sheet.target": sheet.get("target", ""),
    }
    fields |= _texts("name", definition.get("name", "")) | _texts("remarks", definition.get("remarks", ""))
    fields |= {"rated": "1"} if definition.get("rated", True) else {}
    fields |= {"sheet.ties": "1"} if sheet.get("ties", True) else {}
    fields |= _entry("sheet", sheet)
    breaks = [each for each in definition.get("tiebreaks", ()) if isinstance(each, str) and each != "shared"]
    if sheet.get("kind") == "rounds":
        fields["tiebreaks.0"] = breaks[0] if breaks else ""
    for index, line in enumerate(sheet.get("lines", ())):
        at = f"sheet.lines.{index}"
        fields |= {f"{at}.key": line["key"], f"{at}.factor": line.get("factor", "")} | _entry(at, line)
        fields |= _texts(f"{at}.name", line["name"])
        fields[f"{at}.break"] = breaks.index(line["key"]) + 1 if line["key"] in breaks else ""
    return {name: str(value) for name, value in fields.items()}


def _texts(name: str, text: Any) -> dict[str, Any]:
    if isinstance(text, dict):
        return {name: text.get("en", ""), f"{name}.fr": text.get("fr", "")}
    return {name: text or "", f"{name}.fr": ""}


def _entry(at: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    given = entry.get("given_to", "")
    return {
        **{f"{at}.{name}": entry.get(name, "") for name in LIMITS},
        f"{at}.values": " ".join(map(str, entry.get("values", ()))),
        f"{at}.given_to": " ".join(map(str, given)) if isinstance(given, list) else given,
    }


def definition_of(data: QueryDict) -> dict[str, Any]:
    """Return the definition that the fields say; what cannot be read stays text, so that the rules name it."""
    kind = data.get("sheet.kind", "")
    made: dict[str, Any] = {
        "slug": data.get("slug", "").strip() or _key(data.get("name", ""), set()),
        "name": _text(data, "name"),
        "seats": {"min": _number(data.get("seats.min", "")), "max": _number(data.get("seats.max", ""))},
        "winner": "places" if kind == "places" else data.get("winner", "most"),
        "sheet": {"kind": kind, **_sheet(data, kind)},
        "rated": "rated" in data,
    }
    if remarks := _text(data, "remarks"):
        made["remarks"] = remarks
    if minutes := data.get("minutes", "").strip():
        made["minutes"] = _number(minutes)
    if breaks := _breaks(data, made["sheet"]):
        made["tiebreaks"] = breaks
    return made


def _sheet(data: QueryDict, kind: str) -> dict[str, Any]:
    if kind == "places":
        return {"ties": "sheet.ties" in data}
    if kind == "categories":
        return {"lines": _lines(data)}
    ends = _written(data, "sheet", ("rounds", "target")) if kind == "rounds" else {}
    return _read_entry(data, "sheet") | ends


def _lines(data: QueryDict) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    taken: set[str] = set()
    for at in _rows(data):
        name = _text(data, f"{at}.name")
        key = data.get(f"{at}.key", "").strip() or _key(data.get(f"{at}.name", ""), taken)
        taken.add(key)
        line = {"key": key, "name": name, **_read_entry(data, at)}
        if factor := data.get(f"{at}.factor", "").strip():
            line["factor"] = _number(factor)
        lines.append(line)
    return lines


def _rows(data: QueryDict) -> list[str]:
    """Return the beginnings of the fields of each line that has a name."""
    rows = [f"sheet.lines.{index}" for index in range(MOST_LINES + 1)]
    return [at for at in rows if data.get(f"{at}.name", "").strip()]


def _written(data: QueryDict, at: str, names: Iterable[str]) -> dict[str, Any]:
    """Return the numbers of the fields in which something is written."""
    typed = {name: data.get(f"{at}.{name}", "") for name in names}
    return {name: _number(text) for name, text in typed.items() if text.strip()}


def _read_entry(data: QueryDict, at: str) -> dict[str, Any]:
    entry = _written(data, at, LIMITS)
    if values := _numbers(data.get(f"{at}.values", "")):
        entry["values"] = values
    if given := _numbers(data.get(f"{at}.given_to", "")):
        entry["given_to"] = given[0] if len(given) == 1 else given
    return entry


def _breaks(data: QueryDict, sheet: Mapping[str, Any]) -> list[str]:
    if sheet["kind"] == "rounds":
        chosen = data.get("tiebreaks.0", "")
        return [chosen] if chosen else []
    if sheet["kind"] != "categories":
        return []
    order = [(data.get(f"{at}.break", ""), line["key"]) for at, line in zip(_rows(data), sheet["lines"], strict=True)]
    return [key for number, key in sorted(each for each in order if each[0])]


def _text(data: QueryDict, name: str) -> Any:
    plain, french = data.get(name, "").strip(), data.get(f"{name}.fr", "").strip()
    return {"en": plain, "fr": french} if french else plain


def _key(name: str, taken: set[str]) -> str:
    stem = slugify(name[:LONGEST_KEY])[:LONGEST_KEY].strip("-_") or "line"
    return next(each for each in (stem, *(f"{stem}-{number}" for number in range(2, 99))) if each not in taken)


def _number(text: str) -> Any:
    text = text.strip().replace("−", "-")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text


def _numbers(text: str) -> list[Any]:
    return [_number(each) for each in text.replace(",", " ").replace(";", " ").split()]


def field_of(path: list[str | int], kept: list[int]) -> str:
    """Return the field that a finding about a definition belongs to; lines without a name were left out of it."""
    if path[:1] == ["tiebreaks"]:
        return "tiebreaks"
    if path[:2] == ["sheet", "lines"] and len(path) > 2 and isinstance(path[2], int) and path[2] < len(kept):
        path = [*path[:2], kept[path[2]], *path[3:]]
    return ".".join(map(str, path[:4]))


def kept_lines(data: QueryDict) -> list[int]:
    """Return the numbers of the lines that have a name."""
    return [int(at.rpartition(".")[2]) for at in _rows(data)]


def as_text(definition: Mapping[str, Any]) -> str:
    """Return a definition as people read and write it."""
    return json.dumps(definition, indent=2, ensure_ascii=False)
