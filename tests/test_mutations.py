"""Small changes of the code: which are found in a source, and what it reads after each."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bench.mutations import KNOWN, ROOT, TESTS, arguments_for, known, mutations

SOURCES = sorted((ROOT / "engines").rglob("*.py"))


def changed(source: str) -> list[str]:
    """Return a source of one line after each change that is found in it."""
    data = source.encode()
    return [each.applied(data).decode() for each in mutations(data)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b <= c", ["a <= b <= c", "a < b < c"]),
        ("a > b", ["a >= b"]),
        ("a == b != c", ["a != b != c", "a == b == c"]),
        ("a in b", ["a not in b"]),
        ("a not in b", ["a in b"]),
        ("a is not None", ["a is None"]),
        ("a and b and c", ["a or b and c", "a and b or c"]),
        ("(a or b)", ["(a and b)"]),
        ("not a", ["a"]),
        ("f(True)", ["f(False)"]),
        ("a + b * c", ["a - b * c", "a + b // c"]),
        ("(a) - (b)", ["(a) + (b)"]),
        ("a & b | c", ["a | b | c", "a & b & c"]),
        ("'é' if a < 0 else b", ["'é' if a <= 0 else b", "'é' if a < 1 else b"]),
        ("x[0], 20", ["x[1], 20", "x[0], 21"]),
        ("'text', 2.5, 21, 0x10, None", []),
        ("f'{a + 1}'", []),
        ("def f(a: int | None) -> int | str: ...", []),
        ("a: Annotated[int, Field(ge=0)] | None", ["a: Annotated[int, Field(ge=1)] | None"]),
        ("A: TypeAlias = B | C", []),
        ("zip(a, b, strict=True); lru_cache(maxsize=4)", []),
    ],
)
def test_small_changes_are_found(source: str, expected: list[str]) -> None:
    assert changed(source) == expected


def test_change_knows_its_line_and_how_it_reads() -> None:
    source = b"a = 'caf\xc3\xa9'\nif (\n    a\n    < b\n):\n    pass\n"
    [change] = mutations(source)
    assert (change.line, change.before, change.after) == (4, "<", "<=")
    assert change.changed_line(source) == "<= b"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_change_of_our_code_can_still_be_read(path: Path) -> None:
    source = path.read_bytes()
    before = ast.dump(ast.parse(source))
    for change in mutations(source)[::12]:
        assert source[change.start : change.end].decode() == change.before
        assert ast.dump(ast.parse(change.applied(source))) != before


def test_arguments_for_a_game_are_chosen_for_its_files() -> None:
    assert arguments_for("engines/dix/play/rules.py")[0] == "tests/engines/dix"
    assert arguments_for("engines/base.py") == ("tests/engines",)


def test_tests_that_are_named_exist() -> None:
    paths = [each for tests in TESTS.values() for each in tests if each.startswith("tests/")]
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_known_survivors_are_changes_there_are_and_have_a_reason() -> None:
    entries = known()
    assert all(entries.values())
    assert len(entries) == len(KNOWN.read_text().splitlines())
    for entry in entries:
        path, _, line = entry.partition(": ")
        source = (ROOT / path).read_bytes()
        assert line in [change.changed_line(source) for change in mutations(source)]
