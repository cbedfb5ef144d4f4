"""The documents of the `docs` folder, under the names they have there, so that links between them work."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.safestring import SafeString

from scoring.pages.markdown import rendered

PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
FRONT = "README.md"


class Document(NamedTuple):
    """A page of the documentation."""

    title: str
    html: SafeString


@cache
def _files() -> dict[str, Path]:
    """Return every file there is by its name: what is not listed does not exist, however it is asked for."""
    folder = settings.BASE_DIR / "docs"
    return {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}


@cache
def _document(name: str) -> Document:
    text = _files()[name].read_text()
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    return Document(title[1] if title else name, rendered(text))


def docs(request: HttpRequest, name: str = FRONT) -> HttpResponse:
    """Show a document; pictures as they are, and examples as text."""
    name = f"{name}{FRONT}" if name.endswith("/") else name
    file = _files().get(name)
    if file is None:
        raise Http404
    if file.suffix == ".md":
        return render(request, "scoring/docs.html", {"document": _document(name), "is_front": name == FRONT})
    kind = PICTURES.get(file.suffix, "text/plain; charset=utf-8")
    return HttpResponse(file.read_bytes(), content_type=kind)


urlpatterns = [
    path("docs/", docs, name="docs"),
    path("docs/<path:name>", docs, name="document"),
]
