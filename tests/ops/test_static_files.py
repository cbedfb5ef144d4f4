"""Static files as a deployment collects them: named by their content, so that a browser fetches each once."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import Settings

from core.storage import CollectedFiles
from tests.ops.copies import manage

NAMED_BY_CONTENT = re.compile(r"\.[0-9a-f]{12}\.\w+$")
MOST_BYTES = 4096
OURS = re.compile(r'["(](/static/[^"#)]+)')


@pytest.fixture
def collected(settings: Settings, tmp_path: Path) -> Path:
    """Collect the static files into a folder that pages then use."""
    settings.STATIC_ROOT = tmp_path
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]  # ours are enough, and few
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "core.storage.CollectedFiles"}}
    call_command("collectstatic", interactive=False, verbosity=0)
    return tmp_path


def test_files_are_collected_by_content_from_the_first_time_on(tmp_path: Path) -> None:
    others = ("--ignore", "admin", "--ignore", "drf_spectacular_sidecar", "--ignore", "rest_framework")
    code, said = manage(tmp_path, f"sqlite:///{tmp_path}/none", "collectstatic", "--noinput", *others)
    assert code == 0, said
    assert (tmp_path / "static" / "staticfiles.json").is_file()
    assert list((tmp_path / "static").glob("ludoscore.*.css.br"))


@pytest.mark.parametrize("is_named_by_content", [False, True])
def test_file_that_cannot_be_written_whole_is_told_in_a_sentence_and_not_left_cut(
    collected: Path, is_named_by_content: bool
) -> None:
    whole = {file: file.stat().st_size for file in collected.rglob("*") if file.is_file()}
    fonts = [file for file in whole if file.suffix == ".woff2" and whole[file] > MOST_BYTES]
    missing = next(each for each in fonts if bool(NAMED_BY_CONTENT.search(each.name)) == is_named_by_content)
    missing.unlink()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, before[1]))  # a file is cut there, as by a full disk
    try:
        with pytest.raises(CommandError, match=r"File too large.*run this again"):
            call_command("collectstatic", interactive=False, verbosity=0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(collected.rglob("*.part"))
    call_command("collectstatic", interactive=False, verbosity=0)
    assert {file: file.stat().st_size for file in whole} == whole


def test_compressed_file_that_pages_ask_for_is_never_cut(collected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {file: file.stat().st_size for file in collected.rglob("*") if file.suffix in {".br", ".gz"}}
    before, compress = resource.getrlimit(resource.RLIMIT_FSIZE), CollectedFiles.compress_files

    def on_a_full_disk(storage: CollectedFiles, names: Any) -> Iterator[Any]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES // 2, before[1]))
        yield from compress(storage, names)

    monkeypatch.setattr(CollectedFiles, "compress_files", on_a_full_disk)
    try:
        with pytest.raises(CommandError, match="File too large"):
            call_command("collectstatic", interactive=False, verbosity=0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert {file: file.stat().st_size for file in whole} == whole
    assert not list(collected.rglob("*.part"))


def test_two_that_collect_at_once_do_not_disturb_each_other(collected: Path) -> None:
    one, other = (CollectedFiles(location=str(collected)) for _ in range(2))

    class Slow(ContentFile):  # type: ignore[type-arg]
        def chunks(self, _size: int | None = None) -> Iterator[bytes]:
            other._save("x.js", ContentFile(b"whole"))
            yield b"whole"

    one._save("x.js", Slow(b"whole"))
    assert (collected / "x.js").read_bytes() == b"whole"


def test_fonts_are_preloaded_under_the_names_the_style_sheet_asks_for(collected: Path) -> None:
    page = render_to_string("404.html")
    [sheet] = collected.glob("fonts.????????????.css")
    preloaded = re.findall(r'rel="preload"[^>]*href="/static/([^"]+)"', page)
    assert preloaded
    assert set(preloaded) <= set(re.findall(r'url\("([^"]+)"\)', sheet.read_text()))


@pytest.mark.usefixtures("collected")
def test_pages_and_worker_ask_for_files_by_their_content(client: Client) -> None:
    worker = client.get("/sw.js", secure=True).content.decode()
    addresses = set(OURS.findall(render_to_string("404.html") + worker)) - {"/static/"}
    assert addresses
    assert [address for address in addresses if not NAMED_BY_CONTENT.search(address)] == []


def test_scripts_of_the_sheets_import_each_other_by_content(collected: Path) -> None:
    scripts = list((collected / "phone/sheets").glob("*.????????????.js"))
    imported = [name for script in scripts for name in re.findall(r'from "([^"]+)"', script.read_text())]
    assert imported
    assert [name for name in imported if not NAMED_BY_CONTENT.search(name)] == []
