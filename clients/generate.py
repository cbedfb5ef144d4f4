"""Write what the clients know of the API, out of its schema: `.venv/bin/python -m clients.generate`.

Python gets its models as TypedDicts and a method per call, waiting and awaited; TypeScript gets types, and the table
by which its client makes a method per call.
"""

from __future__ import annotations

import json
import keyword
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

HERE = Path(__file__).resolve().parent
PREFIX = "/api/v1/"
MADE = "Made by clients/generate.py from the schema of the API; do not edit."
BY_HAND = {"events_stream"}  # a stream is no answer that one waits for
SAID_ALREADY = {"format"}  # the clients speak JSON
SENT_ALONG = {"Play-Token"}  # headers that a caller chooses; the others are the client's own business


@dataclass(frozen=True, slots=True)
class Call:
    """One operation of the API."""

    name: str
    method: str
    path: str
    summary: str
    parts: list[str]  # of the path, in its order
    query: dict[str, Schema]
    headers: list[str]
    body: Schema | None
    needs_body: bool
    answer: Schema | None
    is_keyed: bool


def calls_of(schema: Schema) -> list[Call]:
    """Return every call of a schema, by name."""
    found = [
        _call(path, method, operation)
        for path, item in schema["paths"].items()
        for method, operation in item.items()
        if operation["operationId"] not in BY_HAND
    ]
    return sorted(found, key=lambda call: call.name)


def _call(path: str, method: str, operation: Schema) -> Call:
    given = operation.get("parameters", [])
    body = operation.get("requestBody") or {}
    return Call(
        name=operation["operationId"],
        method=method.upper(),
        path=path.removeprefix(PREFIX),
        summary=str(operation.get("summary") or operation.get("description", "")),
        parts=re.findall(r"\{(\w+)\}", path),
        query={each["name"]: each["schema"] for each in given if each["in"] == "query"},
        headers=[each["name"] for each in given if each["name"] in SENT_ALONG],
        body=body["content"]["application/json"]["schema"] if body else None,
        needs_body=bool(body.get("required")),
        answer=_answer(operation["responses"]),
        is_keyed=any(each["name"] == "Idempotency-Key" for each in given),
    )


def _answer(responses: Schema) -> Schema | None:
    """Return what a call that went well answers."""
    contents = [each.get("content", {}) for status, each in responses.items() if status.startswith("2")]
    for content in contents:
        if "application/x-ndjson" in content:
            return {"type": "array", "items": content["application/x-ndjson"]["schema"]}
        if "application/json" in content:
            return dict(content["application/json"]["schema"])
    return None


def row_of(model: Schema) -> Schema | None:
    """Return what the rows of a page are, where a model is a page."""
    properties = model.get("properties", {})
    if "next" in properties and properties.get("results", {}).get("type") == "array":
        return dict(properties["results"]["items"])
    return None


def has_members(model: Schema) -> bool:
    """Tell whether a model is an object whose members are named."""
    return model.get("type") == "object" and bool(model.get("properties"))


def first_sentence(text: str) -> str:
    """Return the first sentence of a description, on one line, safe within a comment of either language."""
    sentence = re.split(r"(?<=[.!?])\s", " ".join(text.split()))[0]
    sentence = sentence.replace("\\", "").replace('"', "'").replace("*/", "* /")
    return sentence if not sentence or sentence[-1] in ".!?:" else f"{sentence}."


# --- Types ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a language spells types."""

    words: dict[str, str]
    anything: str
    nothing: str
    literals: Callable[[list[Any]], str]
    list_of: str
    record_of: str


PYTHON = Dialect(
    words={"string": "str", "integer": "int", "number": "float", "boolean": "bool"},
    anything="Any",
    nothing="None",
    literals=lambda values: f"Literal[{', '.join(map(repr, values))}]",
    list_of="list[{}]",
    record_of="dict[str, {}]",
)
TYPESCRIPT = Dialect(
    words={"string": "string", "integer": "number", "number": "number", "boolean": "boolean"},
    anything="unknown",
    nothing="null",
    literals=lambda values: " | ".join(json.dumps(each, ensure_ascii=False) for each in values),
    list_of="Array<{}>",
    record_of="Record<string, {}>",
)


def spell(schema: Schema, dialect: Dialect, prefix: str = "") -> str:
    """Return a schema as a type; `prefix` says where models are found."""
    inner = schema.get("items") if schema.get("type") == "array" else schema.get("additionalProperties")
    within = spell(inner, dialect, prefix) if isinstance(inner, dict) else dialect.anything
    kinds = [dialect.words.get(schema.get("type", ""), dialect.anything)]
    if "$ref" in schema:
        kinds = [prefix + schema["$ref"].rpartition("/")[2]]
    elif variants := schema.get("allOf") or schema.get("oneOf") or schema.get("anyOf"):
        kinds = [spell(each, dialect, prefix) for each in variants]
    elif values := schema.get("enum"):
        named = [each for each in values if each is not None]
        kinds = [dialect.literals(named)] * bool(named) + [dialect.nothing] * (None in values)
    elif schema.get("type") == "array":
        kinds = [dialect.list_of.format(within)]
    elif schema.get("type") == "object":
        kinds = [dialect.record_of.format(within)]
    return either([*kinds, *[dialect.nothing] * bool(schema.get("nullable"))], dialect)


def either(kinds: list[str], dialect: Dialect) -> str:
    """Return a type that is one of several; the last of them may be nothing, as others already are."""
    if dialect.anything in kinds or len(kinds) == 1:
        return dialect.anything if dialect.anything in kinds else kinds[0]
    bare = [each.removesuffix(f" | {dialect.nothing}") for each in kinds]
    is_optional = dialect.nothing in kinds or bare != kinds
    named = list(dict.fromkeys(each for each in bare if each != dialect.nothing))
    return " | ".join([*named, *[dialect.nothing] * is_optional])


# --- Python -----------------------------------------------------------------------------------------------------


def python_models(schema: Schema) -> str:
    """Return the module of the models."""
    lines = [f'"""What the API takes and answers. {MADE}"""', "", "from __future__ import annotations", ""]
    lines += ["from typing import Any, Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeVar", ""]
    lines += ['Row = TypeVar("Row")', "", "class Page(TypedDict, Generic[Row]):"]
    lines += ['    """A page of a list: `Ludoscore.rows` yields the rows of it and of those that follow."""', ""]
    lines += ["    next: str | None", "    results: list[Row]", ""]
    components = schema["components"]["schemas"]
    for name in sorted(components):
        lines += _python_model(name, components[name])
    return "\n".join(lines) + "\n"


def _python_model(name: str, model: Schema) -> Iterator[str]:
    if not has_members(model):
        yield f"{name}: TypeAlias = {json.dumps(spell(model, PYTHON))}"
        return
    row = row_of(model)
    members = {
        key: spell(value, PYTHON)
        for key, value in model["properties"].items()
        if not (row and key in {"next", "results"})
    }
    needed = model.get("required", [])
    members = {key: kind if key in needed else f"NotRequired[{kind}]" for key, kind in members.items()}
    if any(not key.isidentifier() or keyword.iskeyword(key) for key in members):
        pairs = ", ".join(f"{key!r}: {kind!r}" for key, kind in members.items())
        yield f'{name} = TypedDict("{name}", {{{pairs}}})'
        return
    yield f"class {name}({f'Page[{spell(row, PYTHON)!r}]' if row else 'TypedDict'}):"
    yield f'    """{first_sentence(model.get("description", "")) or name}"""'
    yield ""
    yield from (f"    {key}: {kind}" for key, kind in members.items())
    yield ""


def python_calls(schema: Schema) -> str:
    """Return the module with a method per call."""
    calls = calls_of(schema)
    lines = [f'"""A method per call of the API. {MADE}"""', "", "from __future__ import annotations", ""]
    lines += ["from collections.abc import Mapping", "from typing import Any, Literal", ""]
    lines += ["from ludoscore_client import models", "from ludoscore_client.exchange import part", ""]
    for name, before, wait in (("Calls", "", ""), ("AsyncCalls", "async ", "await ")):
        lines += [f"class {name}:", f'    """Every call; `request` is {"awaited" if wait else "waited for"}."""', ""]
        lines += [f"    {before}def request(self, method: str, path: str, *, body: Any = None,"]
        lines += ["        query: Mapping[str, Any] | None = None, headers: Mapping[str, str | None] | None = None,"]
        lines += ["        keyed: bool = False) -> Any:", '        """Make any call."""']
        lines += ["        raise NotImplementedError", ""]
        for call in calls:
            lines += _python_call(call, before, wait)
    return "\n".join(lines) + "\n"


def _python_call(call: Call, before: str, wait: str) -> Iterator[str]:
    given = ["self", *(f"{name}: {'int' if name == 'number' else 'str'}" for name in call.parts)]
    sent = []
    if call.body is not None:
        kind = spell(call.body, PYTHON, "models.")
        given.append(f"body: {kind}" if call.needs_body else f"body: {either([kind, 'None'], PYTHON)} = None")
        sent.append("body=body")
    query = {name: value for name, value in call.query.items() if name not in SAID_ALREADY}
    if query or call.headers:
        given.append("*")
    given += [f"{name}: {either([spell(query[name], PYTHON, 'models.'), 'None'], PYTHON)} = None" for name in query]
    given += [f"{_argument(name)}: str | None = None" for name in call.headers]
    if query:
        sent.append("query={" + ", ".join(f'"{name}": {name}' for name in query) + "}")
    if call.headers:
        sent.append("headers={" + ", ".join(f'"{name}": {_argument(name)}' for name in call.headers) + "}")
    if call.is_keyed:
        sent.append("keyed=True")
    path = re.sub(r"\{(\w+)\}", r"{part(\1)}", call.path)
    words = [json.dumps(call.method), "f" * bool(call.parts) + json.dumps(path), *sent]
    asked = f"{wait}self.request({', '.join(words)})"
    kind = spell(call.answer, PYTHON, "models.") if call.answer else "None"
    yield f"    {before}def {call.name}({', '.join(given)}) -> {kind}:"
    yield f'        """{first_sentence(call.summary)}"""'
    if call.answer:
        yield f"        answer: {kind} = {asked}"
        yield "        return answer"
    else:
        yield f"        {asked}"
    yield ""


def _argument(header: str) -> str:
    return header.lower().replace("-", "_")


# --- TypeScript -------------------------------------------------------------------------------------------------


def typescript_types(schema: Schema) -> str:
    """Return the declarations of the models, and of a method per call."""
    lines = [f"// {MADE}", ""]
    components = schema["components"]["schemas"]
    for name in sorted(components):
        lines += _typescript_model(name, components[name])
    lines += ["/** A method per call of the API. */", "export interface Calls {"]
    for call in calls_of(schema):
        lines += [f"  /** {first_sentence(call.summary)} */", f"  {_typescript_call(call)}"]
    return "\n".join([*lines, "}"]) + "\n"


def _typescript_model(name: str, model: Schema) -> Iterator[str]:
    if not has_members(model):
        yield f"export type {name} = {spell(model, TYPESCRIPT)};"
        yield ""
        return
    if text := first_sentence(model.get("description", "")):
        yield f"/** {text} */"
    yield f"export interface {name} {{"
    for key, value in model["properties"].items():
        if text := first_sentence(value.get("description", "")):
            yield f"  /** {text} */"
        shown = key if key.isidentifier() else json.dumps(key)
        yield f"  {shown}{'' if key in model.get('required', []) else '?'}: {spell(value, TYPESCRIPT)};"
    yield "}"
    yield ""


def _typescript_call(call: Call) -> str:
    members = [f"{name}: {'number' if name == 'number' else 'string'}" for name in call.parts]
    query = {name: value for name, value in call.query.items() if name not in SAID_ALREADY}
    if call.body is not None:
        members.append(f"body{'' if call.needs_body else '?'}: {spell(call.body, TYPESCRIPT)}")
    if query:
        members.append("query?: { " + "; ".join(f"{name}?: {spell(query[name], TYPESCRIPT)}" for name in query) + " }")
    if call.headers:
        members.append("headers?: { " + "; ".join(f"{json.dumps(name)}?: string" for name in call.headers) + " }")
    needed = bool(call.parts) or call.needs_body
    given = f"given{'' if needed else '?'}: {{ {'; '.join(members)} }}" if members else ""
    return f"{call.name}({given}): Promise<{spell(call.answer, TYPESCRIPT) if call.answer else 'null'}>;"


def typescript_table(schema: Schema) -> str:
    """Return the table of calls: method, path, and whether it takes an Idempotency-Key."""
    lines = [f"// {MADE}", "", "/** Name: method, path under /api/v1/, whether it takes an Idempotency-Key. */"]
    rows = [f"  {call.name}: {json.dumps([call.method, call.path, call.is_keyed])}," for call in calls_of(schema)]
    return "\n".join([*lines, "export const CALLS = {", *rows, "};"]) + "\n"


# --- Files ------------------------------------------------------------------------------------------------------


def files(schema: Schema) -> dict[str, str]:
    """Return what every generated file holds, by its path below this folder."""
    package = "python/ludoscore_client"
    made = {f"{package}/models.py": python_models(schema), f"{package}/calls.py": python_calls(schema)}
    return {
        **{name: _formatted(name, text) for name, text in made.items()},
        "typescript/schema.d.ts": typescript_types(schema),
        "typescript/calls.js": typescript_table(schema),
    }


def _formatted(name: str, text: str) -> str:
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(HERE / name), "-"]
    return subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout  # noqa: S603 -- ours


def main() -> None:
    """Write the files."""
    import django  # noqa: PLC0415 -- once the settings are named

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from drf_spectacular.generators import SchemaGenerator  # noqa: PLC0415 -- it reads the settings

    schema: Any = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    for name, text in files(json.loads(json.dumps(schema, default=str))).items():
        (HERE / name).write_text(text)


if __name__ == "__main__":
    main()
