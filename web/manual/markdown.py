"""Our own documents as HTML."""

from __future__ import annotations

import itertools
import re

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

CODE = re.compile(r"`([a-z][a-z-]*)`")


def rendered(text: str) -> SafeString:
    """Return a document as HTML: headings can be linked to, what is wide scrolls by keyboard too."""
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(text)
    for heading, inline in itertools.pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", anchor(inline.content))
    _name_rows(tokens)
    for cell in tokens:
        if cell.attrs.pop("style", "") == "text-align:right":  # our pages hold no styles inline
            cell.attrSet("class", "number")
    html = reader.renderer.render(tokens, reader.options, {})
    wide = re.sub(
        r"<table>(.*?)</table>", r'<div class="scroll" tabindex="0"><table>\1</table></div>', html, flags=re.DOTALL
    )
    return mark_safe(wide.replace("<pre>", '<pre tabindex="0">'))  # noqa: S308  # our own text, not a visitor's


def _name_rows(tokens: list[Token]) -> None:
    """Let a row that begins with a code be linked to by it, as the `type` of a problem is."""
    taken = {token.attrGet("id") for token in tokens}
    for row, cell, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        code = CODE.match(inline.content) if (row.type, cell.type) == ("tr_open", "td_open") else None
        if code and code[1] not in taken:
            row.attrSet("id", code[1])
            taken.add(code[1])


def anchor(heading: str) -> str:
    """Return the anchor of a heading as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
