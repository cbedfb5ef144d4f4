"""The documents as the tests read them: their code blocks, by language."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *("README.md", "CONTRIBUTING.md", "engines/README.md", "clients/python/README.md", "clients/typescript/README.md"),
    *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md")),
]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block; its language is `session` where Python is shown with its answers."""

    language: str
    text: str


def all_blocks(page: str) -> list[Block]:
    """Return every block of a page, such as `docs/api.md`."""
    found = FENCE.findall((ROOT / page).read_text("utf-8"))
    return [Block("session" if text.startswith(">>> ") else language, text) for language, text in found]


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of a page in one language."""
    return [block.text for block in all_blocks(page) if block.language == language]


def json_blocks(page: str) -> list[Any]:
    """Return what the JSON blocks of a page say."""
    return [json.loads(text) for text in blocks(page, "json")]


def pages_with(language: str) -> list[str]:
    """Return the pages that have a block in a language."""
    return [page for page in PAGES if blocks(page, language)]


def without_blocks(text: str) -> str:
    """Return a page's text with its blocks cut out."""
    return FENCE.sub("", text)
