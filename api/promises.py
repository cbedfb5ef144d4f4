"""What a program may rely on within v1: compare a schema with the released one, and say how something is retired."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.http import http_date

RELEASED = Path(__file__).with_name("released.json")
DEEPEST = 5  # levels of an object that are compared; sheets are the games' own affair


@dataclass(frozen=True)
class Deprecation:
    """That a call is retired: since when it is told (RFC 9745), when it ends (RFC 8594), and what to use instead."""

    since: dt.date
    ends: dt.date
    instead: str

    def headers(self) -> dict[str, str]:
        """Return what every answer of the call carries."""
        since, ends = (int(dt.datetime(*day.timetuple()[:3], tzinfo=dt.UTC).timestamp()) for day in self._days)
        link = f'<{self.instead}>; rel="successor-version", </docs/api-promises.md>; rel="deprecation"'
        return {"Deprecation": f"@{since}", "Sunset": http_date(ends), "Link": link}

    @property
    def _days(self) -> tuple[dt.date, dt.date]:
        return self.since, self.ends


@dataclass(frozen=True)
class Change:
    """A difference between two schemas, and whether it breaks a program that was written for the first."""

    where: str
    what: str
    is_breaking: bool

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


# --- What is compared ---------------------------------------------------------------------------------------------


def skeleton(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a program depends on: calls, their parameters, and the fields that go in and come out."""
    schemas = schema["components"]["schemas"]
    return {
        f"{method.upper()} {path}": {
            "parameters": {
                f"{each['in']} {each['name']}": bool(each.get("required")) for each in operation.get("parameters", ())
            },
            "takes": _fields_of(operation.get("requestBody", {}), schemas),
            "answers": {
                status: _fields_of(answer, schemas)
                for status, answer in operation["responses"].items()
                if status.startswith("2")
            },
        }
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    }


def _fields_of(message: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, str]:
    content = message.get("content", {}).get("application/json", {})
    return dict(_walk(content.get("schema", {}), schemas, "", "", 0))


def _walk(
    schema: Mapping[str, Any], schemas: Mapping[str, Any], path: str, marks: str, depth: int
) -> Iterator[tuple[str, str]]:
    """Yield every field with its type: `?` may be left out, `|null` may be null, `[]` is a list."""
    marks += "|null" if schema.get("nullable") else ""
    if (name := schema.get("$ref", "").rpartition("/")[2]) or (inner := _only(schema)) is None:
        if name == "Sheet" or depth > DEEPEST:
            yield path, f"object{marks}"
            return
        if name:
            yield from _walk(schemas[name], schemas, path, marks, depth)
            return
        if schema.get("type") == "array":
            yield from _walk(schema.get("items", {}), schemas, f"{path}[]", marks, depth)
            return
        if path:
            yield path, f"{schema.get('type', 'any')}{marks}"
        required = set(schema.get("required", ()))
        for field, each in sorted(schema.get("properties", {}).items()):
            mark = "" if field in required else "?"
            yield from _walk(each, schemas, f"{path}.{field}", mark, depth + 1)
        return
    yield from _walk(inner, schemas, path, marks, depth)


def _only(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema that another one only wraps; None where it is one of its own."""
    for combined in ("allOf", "oneOf", "anyOf"):
        if combined in schema:
            first: Mapping[str, Any] = schema[combined][0]
            return first
    return None


# --- What differs -------------------------------------------------------------------------------------------------


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return what differs between two skeletons, breaking changes first."""
    found = list(_changes(before, after))
    return sorted(found, key=lambda change: (not change.is_breaking, change.where, change.what))


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    for call in after.keys() - before.keys():
        yield Change(call, "is new", is_breaking=False)
    for call in before.keys() - after.keys():
        yield Change(call, "is gone", is_breaking=True)
    for call in before.keys() & after.keys():
        old, new = before[call], after[call]
        yield from _parameters(call, old["parameters"], new["parameters"])
        yield from _taken(call, old["takes"], new["takes"])
        for status in old["answers"].keys() - new["answers"].keys():
            yield Change(call, f"no longer answers {status}", is_breaking=True)
        for status in old["answers"].keys() & new["answers"].keys():
            yield from _answered(call, old["answers"][status], new["answers"][status])


def _parameters(call: str, old: Mapping[str, bool], new: Mapping[str, bool]) -> Iterator[Change]:
    for name in new.keys() - old.keys():
        yield Change(call, f"takes the parameter {name}", is_breaking=new[name])
    for name in old.keys() - new.keys():
        yield Change(call, f"no longer takes the parameter {name}", is_breaking=True)
    for name in old.keys() & new.keys():
        if new[name] and not old[name]:
            yield Change(call, f"requires the parameter {name}", is_breaking=True)


def _taken(call: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    for path in new.keys() - old.keys():
        yield Change(call, f"takes {path}", is_breaking="?" not in new[path] and _parent_is_old(path, old))
    for path in old.keys() - new.keys():
        yield Change(call, f"no longer takes {path}", is_breaking=True)
    for path in old.keys() & new.keys():
        if old[path] != new[path]:
            narrower = not set(_marks(old[path])) <= set(_marks(new[path])) or _kind(old[path]) != _kind(new[path])
            yield Change(call, f"takes {path} as {new[path]}, not {old[path]}", is_breaking=narrower)


def _answered(call: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    for path in new.keys() - old.keys():
        yield Change(call, f"answers with {path}", is_breaking=False)
    for path in old.keys() - new.keys():
        yield Change(call, f"no longer answers with {path}", is_breaking=True)
    for path in old.keys() & new.keys():
        if old[path] != new[path]:
            wider = not set(_marks(new[path])) <= set(_marks(old[path])) or _kind(old[path]) != _kind(new[path])
            yield Change(call, f"answers with {path} as {new[path]}, not {old[path]}", is_breaking=wider)


def _parent_is_old(path: str, old: Mapping[str, str]) -> bool:
    """Say whether what a new field is in was there before: a new object brings its own required fields."""
    parent = path.rpartition(".")[0]
    return parent in {"", "[]"} or any(each.startswith(parent) for each in old)


def _kind(text: str) -> str:
    return text.replace("?", "").replace("|null", "")


def _marks(text: str) -> list[str]:
    return [mark for mark in ("?", "|null") if mark in text]


def released() -> dict[str, Any]:
    """Return the skeleton of the schema as it was last released."""
    found: dict[str, Any] = json.loads(RELEASED.read_text())
    return found


def release(schema: Mapping[str, Any]) -> None:
    """Make a schema the released one."""
    RELEASED.write_text(json.dumps(skeleton(schema), indent=0, sort_keys=True) + "\n")
