"""Rendered pages as a flat list of tags, for tests that look at markup."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser


@dataclass(frozen=True, slots=True)
class Tag:
    """An opening tag with its attributes."""

    name: str
    attributes: dict[str, str]


class _Collector(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[Tag] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(Tag(tag, {name: value or "" for name, value in attrs}))


def tags(html: str, name: str | None = None) -> list[Tag]:
    """Return the opening tags of a page in order, or those of one name."""
    collector = _Collector()
    collector.feed(html)
    return [tag for tag in collector.tags if name in {None, tag.name}]
