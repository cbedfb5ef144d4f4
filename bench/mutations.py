"""Change the code in one small place at a time and see whether the tests notice.

Works on a copy of the tree in a temporary directory. A change that no test notices (it survives) shows a test that is
missing, unless it changes nothing that anybody could see: those are listed with the reason in `mutations.txt`.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from bench.tables import show

ROOT = Path(__file__).resolve().parent.parent
KNOWN = Path(__file__).with_suffix(".txt")
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "test-output", "var")
LARGEST = 20  # larger numbers are mostly sizes of caches and buffers

# Which tests concern a folder; the longest name that fits a file counts.
GAMES = ("dice_run", "dix", "sixmix", "ten_phases")
EVERY_GAME = ("tests/engines/test_every_game.py", "tests/engines/test_play.py")
TESTS: dict[str, tuple[str, ...]] = {
    **{name: (f"tests/{name}",) for name in ("engines", "api", "web", "ops")},
    **{name: (f"tests/{name}", "tests/api") for name in ("core", "tournaments", "scoring")},
    **{
        f"engines/{game}": (f"tests/engines/{game}", *EVERY_GAME, "-k", f"{game} or {game.replace('_', '-')}")
        for game in GAMES
    },
}

SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.Mod: ("%", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
UNSEEN = {"maxsize", "slots", "strict"}  # arguments that decide about speed, memory and what only a bug would meet


class Mutation(NamedTuple):
    """One small change of a source; `start` and `end` count its bytes, as positions of `ast` do."""

    line: int
    start: int
    end: int
    before: str
    after: str

    def applied(self, source: bytes) -> bytes:
        """Return the source with the change."""
        return source[: self.start] + self.after.encode() + source[self.end :]

    def changed_line(self, source: bytes) -> str:
        """Return the line of the change as it reads afterwards."""
        return self.applied(source).split(b"\n")[self.line - 1].decode().strip()


def mutations(source: bytes) -> list[Mutation]:
    """Return every change of a comparison, boolean, arithmetic operator or small number in a source."""
    starts = [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]

    def place(line: int | None, column: int | None) -> int:
        return starts[(line or 1) - 1] + (column or 0)

    def between(left: ast.expr, operator: ast.AST, right: ast.expr) -> Iterator[Mutation]:
        before, after = SWAPS.get(type(operator), ("", ""))
        begin, end = place(left.end_lineno, left.end_col_offset), place(right.lineno, right.col_offset)
        at = source.find(before.encode(), begin, end)
        if before and at >= 0:
            yield Mutation(source.count(b"\n", 0, at) + 1, at, at + len(before), before, after)

    def replaced(node: ast.expr, before: str, after: str) -> Iterator[Mutation]:
        at = place(node.lineno, node.col_offset)
        if source.startswith(before.encode(), at):  # a number may be written in another way: 0x10
            yield Mutation(node.lineno, at, at + len(before), before, after)

    def found(node: ast.AST) -> Iterator[Mutation]:
        match node:
            case ast.Compare(left=first, ops=operators, comparators=others):
                for left, operator, right in zip([first, *others], operators, others, strict=False):
                    yield from between(left, operator, right)
            case ast.BoolOp(op=operator, values=values):
                for left, right in pairwise(values):
                    yield from between(left, operator, right)
            case ast.BinOp(left=left, op=operator, right=right):
                yield from between(left, operator, right)
            case ast.UnaryOp(op=ast.Not()):
                yield from replaced(node, "not ", "")
            case ast.Constant(value=bool(value)):
                yield from replaced(node, str(value), str(not value))
            case ast.Constant(value=int(value)) if value <= LARGEST:
                yield from replaced(node, str(value), str(value + 1))

    return sorted({each for node in _nodes(ast.parse(source)) for each in found(node)})


def _nodes(node: ast.AST, *, is_type: bool = False) -> Iterator[ast.AST]:
    """Walk a tree, but for f-strings (their positions are wrong in Python 3.11) and unions of types."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.keyword) and node.arg in UNSEEN):
        return
    is_alias = isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"
    if not (is_type and isinstance(node, ast.BinOp)):
        yield node
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield from _nodes(child, is_type=is_type or is_alias or name in {"annotation", "returns"})


def arguments_for(path: str) -> tuple[str, ...]:
    """Return the arguments of pytest that run the tests of a file."""
    return TESTS[max((name for name in TESTS if path.startswith(f"{name}/")), key=len)]


def known() -> dict[str, str]:
    """Return why a survivor changes nothing, by its path and the line as it reads after the change."""
    lines = [line.rpartition("  # ") for line in KNOWN.read_text().splitlines()]
    return {change: reason for change, _, reason in lines}


def run(arguments: list[str]) -> None:
    """Sample changes and print what became of each."""
    parser = argparse.ArgumentParser(prog="./run bench mutations", description=__doc__)
    parser.add_argument("--package", default="engines", choices=TESTS)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    files = [path for path in sorted((ROOT / options.package).rglob("*.py")) if "migrations" not in path.parts]
    places = [(str(path.relative_to(ROOT)), each) for path in files for each in mutations(path.read_bytes())]
    chosen = random.Random(options.seed).sample(places, min(options.count, len(places)))
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
        rows = (_row(tree, path, each) for path, each in sorted(chosen))
        show(f"{len(chosen)} of {len(places)} changes to {options.package}", ("Where", "change", "line", "fate"), rows)


def _row(tree: Path, path: str, mutation: Mutation) -> tuple[str, ...]:
    source = (tree / path).read_bytes()
    line = mutation.changed_line(source)
    limit = 60 + 5 * _seconds_unchanged(tree, arguments_for(path))
    (tree / path).write_bytes(mutation.applied(source))
    fate = "survived" if _passes(tree, arguments_for(path), limit) else "killed"
    (tree / path).write_bytes(source)
    if fate == "survived" and (reason := known().get(f"{path}: {line}")):
        fate = f"changes nothing: {reason}"
    return f"{path}:{mutation.line}", f"`{mutation.before}` → `{mutation.after}`", f"`{line}`", fate


@cache
def _seconds_unchanged(tree: Path, tests: tuple[str, ...]) -> float:
    started = time.monotonic()
    if not _passes(tree, tests, limit=3600):
        raise SystemExit(f"These tests fail without any change: {' '.join(tests)}")
    return time.monotonic() - started


def _passes(tree: Path, tests: Sequence[str], limit: float) -> bool:
    """Run tests; those that take too long have noticed something too."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--hypothesis-seed=0", *tests]
    # Python trusts a bytecode file by the size and second of its source, and a changed source can have the same.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, process_group=0) as run:
        try:
            return run.wait(limit) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return False
