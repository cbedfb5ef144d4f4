"""The documents of the `docs` folder, under the names they have there, so that links between them work."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import SafeString

from core.language import reader_language
from web.manual.markdown import rendered

PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
FRONT = "README.md"
FRENCH = "fr"
ORIGINAL = "original"  # asks for the English one, whatever the reader's language
IN_FRENCH = f"{FRENCH}/"  # the folder of what exists in French, under the same names


class Document(NamedTuple):
    """A page of the documentation."""

    title: str
    html: SafeString
    language: str


@cache
def _files() -> dict[str, Path]:
    """Return every file by its name. Only listed names are served, so no path can leave the folder."""
    folder = settings.FILES_DIR / "docs"
    return {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}


@cache
def _document(name: str) -> Document:
    text = _files()[name].read_text("utf-8")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    return Document(title[1] if title else name, rendered(text), FRENCH if name.startswith(IN_FRENCH) else "en")


def docs(request: HttpRequest, name: str = FRONT) -> HttpResponse:
    """Show a document, to French readers in French where it exists; pictures as they are, and examples as text."""
    name = f"{name}{FRONT}" if name.endswith("/") else name
    file = _files().get(name)
    if file is None:
        raise Http404
    in_french = IN_FRENCH + name
    if reader_language() == FRENCH and in_french in _files() and ORIGINAL not in request.GET:
        return redirect("web:document", in_french)
    if file.suffix == ".md":
        original = name.removeprefix(IN_FRENCH) if name.startswith(IN_FRENCH) else None
        context = {"document": _document(name), "is_front": name == FRONT, "original": original}
        return render(request, "manual/document.html", context)
    kind = PICTURES.get(file.suffix, "text/plain; charset=utf-8")
    return HttpResponse(file.read_bytes(), content_type=kind)


urlpatterns = [
    path("docs/", docs, name="docs"),
    path("docs/<path:name>", docs, name="document"),
]
