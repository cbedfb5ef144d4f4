"""What the documents show works as shown."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from urllib.parse import urljoin

import pytest
from django.urls import get_resolver
from rest_framework import exceptions

from api.errors import CODES
from core import disk
from core.errors import DomainError
from tests.api.schemas import published
from tests.documents import ROOT, pages_with, without_blocks
from tournaments.models import SeasonTieBreak, TieBreak
from web.manual.markdown import anchor

DOCUMENTS = sorted(
    path for path in ROOT.glob("**/*.md") if not {".venv", "node_modules", "var"} & set(path.relative_to(ROOT).parts)
)


@pytest.mark.parametrize("page", pages_with("session"))
def test_python_sessions_run(page):
    failed, _ = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_pictures_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#\s]+)", without_blocks(path.read_text())):
        if "://" not in target and not target.startswith("mailto:"):
            assert (path.parent / target).exists(), target


def anchors_of(path):
    headings = re.findall(r"^#+ (.+)$", without_blocks(path.read_text()), re.MULTILINE)
    return set(map(anchor, headings))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_into_documents_find_their_heading(path):
    for target, name in re.findall(r"\]\(([^)#\s:]*\.md|)#([^)\s]+)\)", path.read_text()):
        assert name in anchors_of(path.parent / target if target else path), f"{target}#{name}"


def test_readme_has_an_engine_example():
    examples = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text())
    assert len(examples) >= 4


def test_every_setting_is_documented():
    source = (ROOT / "config" / "settings.py").read_text()
    names = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    documented = (ROOT / "docs" / "settings.md").read_text()
    assert names
    assert {name for name in names if f"`{name}`" not in documented} == set()


def test_every_check_is_documented():
    numbers = set(re.findall(r"config\.[EW]\d{3}", (ROOT / "config" / "checks.py").read_text()))
    documented = (ROOT / "docs" / "settings.md").read_text()
    assert numbers
    assert {number for number in numbers if number not in documented} == set()


def family_of(kind):
    for each in kind.__subclasses__():
        yield each
        yield from family_of(each)


def error_codes():
    """Every code a problem can have: ours, those named in the handler, and the framework's as they are answered."""
    assert get_resolver().url_patterns  # imports every module that has an error of its own, but one
    importlib.import_module("ops.errors")
    source = "".join((ROOT / package / "errors.py").read_text() for package in ("api", "ops"))
    framework: list[type[exceptions.APIException]] = [
        exceptions.MethodNotAllowed, exceptions.NotAcceptable, exceptions.NotAuthenticated, exceptions.NotFound,
        exceptions.Throttled, exceptions.UnsupportedMediaType,
    ]  # fmt: skip
    return {
        *(each.code for each in family_of(DomainError)),
        *(each.code for each in disk.ALL),
        *re.findall(r'\d{3}, "([a-z-]+)"', source),
        *CODES.values(),
        *(str(each.default_code).replace("_", "-") for each in framework),
    }


def test_every_error_has_a_cause_and_a_remedy():
    documented = (ROOT / "docs" / "errors.md").read_text()
    codes = error_codes()
    assert len(codes) > 50
    assert {code for code in codes if not re.search(rf"^\|[^|]*`{code}`[^|]*\|", documented, re.MULTILINE)} == set()


def test_no_error_is_documented_that_does_not_exist():
    first_cells = re.findall(r"^\| (`[^|]+) \| [\d, ]+ \|", (ROOT / "docs" / "errors.md").read_text(), re.MULTILINE)
    documented = {code for cell in first_cells for code in re.findall(r"`([a-z-]+)`", cell)}
    assert documented - error_codes() == set()


def test_every_call_is_documented_and_no_other():
    paths = published()["paths"]
    calls = {(method.upper(), path.removeprefix("/api/v1")) for path, item in paths.items() for method in item}
    rows = re.findall(r"^\| `([A-Z]+)` \| `(/[^`]*)` \|", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE)
    assert len(calls) > 80
    assert set(rows) == calls


def test_every_tie_break_is_documented():
    documented = (ROOT / "docs" / "standings.md").read_text()
    keys = {*TieBreak.values, *SeasonTieBreak.values}
    assert {key for key in keys if f"| `{key}` |" not in documented} == set()


@pytest.mark.django_db
def test_service_shows_every_document_and_every_link_between_them_leads_somewhere(client):
    todo, seen = ["/docs/"], set()
    while todo:
        address = todo.pop()
        seen.add(address)
        response = client.get(address)
        assert response.status_code == 200, address
        if response.headers["Content-Type"].startswith("text/html"):
            article = response.content.decode().partition("<article")[2].partition("</article>")[0]
            targets = {urljoin(address, target) for target in re.findall(r'(?:href|src)="([^"#]+)', article)}
            todo += {target for target in targets if target.startswith("/docs/")} - seen - set(todo)
    shown = {f"/docs/{path.relative_to(ROOT / 'docs').as_posix()}" for path in (ROOT / "docs").rglob("*.md")}
    assert shown - seen - {"/docs/README.md"} == set()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["../README.md", "%2e%2e/README.md", "/etc/passwd", "nothing.md", "deploy", "images/"]
)
def test_service_shows_no_other_file(client, name):
    assert client.get(f"/docs/{name}").status_code in {301, 404}


@pytest.mark.django_db
def test_documents_have_titles_anchors_and_pictures(client):
    page = client.get("/docs/errors.md").content.decode()
    assert "<title>Errors · Ludoscore</title>" in page
    assert '<h2 id="who-you-are">Who you are</h2>' in page
    assert client.get("/docs/images/front-page.png").headers["Content-Type"] == "image/png"
    assert client.get("/docs/deploy/compose.yaml").headers["Content-Type"].startswith("text/plain")


def test_documents_are_read_whatever_the_language_of_the_machine(tmp_path):
    look = "from web.manual import documents; documents._document('README.md')"
    look += "; from web.manual import games; games.players_rules('dix', 'fr')"
    old = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", f"import django; django.setup(); {look}"]
    environment = os.environ | old | {"LUDOSCORE_DATA": str(tmp_path), "SECRET_KEY": "x" * 50}
    done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
