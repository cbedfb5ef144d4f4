"""`pip install .` as somebody meets it who has no checkout: a command, an empty folder, a first start."""

from __future__ import annotations

import json
import signal
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ops import start
from tests.documents import ROOT
from tests.ops.test_serve import free_port
from tests.wheels import Installation, build

PACKAGES = ["api", "config", "core", "demo", "engines", "ops", "play", "scoring", "tournaments", "web"]
FILES = ["docs", "locale", "static", "templates"]
NOT_INSTALLED = {f"engines/{name}" for name in ("LICENSE", "README.md", "pyproject.toml")}
PATIENCE = 90  # seconds for a first start on a busy machine


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    names = ["pyproject.toml", "setup.py", "README.md", "LICENSE", *PACKAGES, *FILES]
    return build(names, ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(wheel, tmp_path_factory.mktemp("installed"))


def files_of(folder: str) -> set[str]:
    found = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in found}


def contents(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def test_wheel_holds_every_file_of_the_service_and_no_other(wheel: Path) -> None:
    files = {f"ludoscore/{name}" for folder in FILES for name in files_of(folder)}
    assert contents(wheel) == files.union(*map(files_of, PACKAGES)) - NOT_INSTALLED


def test_engines_run_without_data_or_django(installed: Installation) -> None:
    simulated = installed.run("ludoscore", "simulate", "dix", "--players", "3", "--games", "2", "--seed", "1")
    assert simulated.returncode == 0, simulated.stderr
    checked = installed.run("ludoscore", "check", given=simulated.stdout)
    assert [json.loads(line)["ok"] for line in checked.stdout.splitlines()] == [True, True]
    assert list(installed.home.iterdir()) == [], "nothing was kept"


@pytest.mark.parametrize(
    ("words", "said"), [(["--help"], "ludoscore serve"), (["check", "--help"], "judge every line as this game")]
)
def test_command_says_what_it_can(installed: Installation, words: list[str], said: str) -> None:
    done = installed.run("ludoscore", *words)
    assert (done.returncode, said in done.stdout) == (0, True)


@pytest.mark.parametrize("words", [["serf"], ["serve", "--bnd", "x"], ["demo", "--bind", "here"]])
def test_slip_of_the_keyboard_is_told_in_a_line(installed: Installation, words: list[str]) -> None:
    done = installed.run("ludoscore", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


def test_packages_of_the_present_folder_are_not_ours(installed: Installation, tmp_path: Path) -> None:
    trap = installed.place / "core"
    trap.mkdir()
    (trap / "__init__.py").write_text("raise SystemExit('the wrong core')\n")
    try:
        done = installed.run("ludoscore", "manage", "check", LUDOSCORE_DATA=str(tmp_path / "data"))
    finally:
        (trap / "__init__.py").unlink()
        trap.rmdir()
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    assert (tmp_path / "data" / "secret-key").exists()
    assert list(installed.place.iterdir()) == []


def test_first_start_serves_pages_documents_and_french(installed: Installation) -> None:
    port = free_port()
    with serving(installed, port) as address:
        ready = json.loads(ask(address + "/readyz"))
        assert ready["checks"]["database"] == "ok"
        assert "Ludoscore" in ask(address + "/")
        assert "architecture" in ask(address + "/docs/")
        assert ":root" in ask(address + "/static/ludoscore.css")
        assert "Jeux" in ask(address + "/games/", language="fr")
        assert json.loads(ask(address + "/api/v1/games/"))
    assert 'ludoscore manage create_club "NAME"' in (installed.folder / "log").read_text()
    assert "./run" not in (installed.folder / "log").read_text()
    data = installed.home / ".local" / "share" / "ludoscore"
    assert {"secret-key", "ludoscore.sqlite3"} <= {path.name for path in data.iterdir()}
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert not (installed.packages / "var").exists()
    assert list(installed.place.iterdir()) == []


@pytest.fixture(scope="module")
def engines_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    names = [path.name for path in (ROOT / "engines").iterdir() if path.name not in {"__pycache__", "build"}]
    return build(names, ROOT / "engines", tmp_path_factory.mktemp("engines-wheel"))


def test_engines_wheel_holds_every_file_of_the_engines(engines_wheel: Path) -> None:
    assert contents(engines_wheel) == files_of("engines") - NOT_INSTALLED


def test_engines_are_released_with_the_service(wheel: Path, engines_wheel: Path) -> None:
    assert wheel.name.split("-")[1] == engines_wheel.name.split("-")[1]


EVERY_VECTOR = """
import sys, engines
from engines.vectors import vectors

for slug in engines.GAMES:
    for vector in vectors(slug):
        assert engines.check(vector["report"]).ok == vector["verdict"]["ok"], vector["why"]
        print(slug)
assert not {"django", "numpy", "rest_framework"} & set(sys.modules)
"""


def test_engines_need_pydantic_alone(engines_wheel: Path, tmp_path: Path) -> None:
    installed = Installation(engines_wheel, tmp_path, only=["pydantic"])
    assert "No module named 'django'" in installed.run("python", "-c", "import django").stderr
    played = installed.run("python", "-m", "engines", "simulate", "sixmix", "--players", "4", "--games", "2")
    assert played.returncode == 0, played.stderr
    judged = installed.run("python", "-m", "engines", "check", given=played.stdout)
    assert [json.loads(line)["ok"] for line in judged.stdout.splitlines()] == [True, True]
    compared = installed.run("python", "-c", EVERY_VECTOR)
    assert compared.returncode == 0, compared.stderr
    published = [path.read_text().splitlines() for path in (ROOT / "engines").glob("*/vectors.jsonl")]
    assert len(compared.stdout.splitlines()) == sum(map(len, published))
    assert len(published) == 4


def test_client_needs_httpx_alone(tmp_path: Path) -> None:
    names = ["LICENSE", "README.md", "ludoscore_client", "pyproject.toml"]
    wheel = build(names, ROOT / "clients" / "python", tmp_path)
    installed = Installation(wheel, tmp_path, only=["httpx"])
    done = installed.run(
        "python", "-c", "import ludoscore_client as c; print(c.Ludoscore, c.AsyncLudoscore, c.models)"
    )
    assert done.returncode == 0, done.stderr
    assert "ludoscore_client/py.typed" in contents(wheel)


@contextmanager
def serving(installed: Installation, port: int) -> Iterator[str]:
    log = installed.folder / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [str(installed.program("ludoscore")), "serve", "--bind", f"127.0.0.1:{port}"],
            cwd=installed.place,
            env=installed.environment(),
            stdout=output,
            stderr=output,
        )
    try:
        end = time.monotonic() + PATIENCE
        while not is_ready(f"http://127.0.0.1:{port}"):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


def is_ready(address: str) -> bool:
    try:
        return bool(ask(address + "/readyz"))
    except OSError:
        return False


def ask(address: str, language: str = "en") -> str:
    request = urllib.request.Request(address, headers={"Accept-Language": language})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return str(answer.read().decode())


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/ludoscore"),
        ("linux", {"HOME": "/home/ana"}, "/home/ana/.local/share/ludoscore"),
        ("darwin", {"HOME": "/Users/ana"}, "/Users/ana/Library/Application Support/ludoscore"),
    ],
)
def test_data_goes_where_the_system_keeps_it(
    platform: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(start, "FILES", ROOT / "ludoscore")
    assert start.usual_data_folder() == Path(folder)


def test_data_of_a_user_without_a_home_goes_to_the_services_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Any:
        raise RuntimeError

    monkeypatch.setattr(start, "FILES", ROOT / "ludoscore")
    monkeypatch.setattr(Path, "home", fail)
    assert start.usual_data_folder() == Path("/var/lib/ludoscore")


def test_checkout_keeps_its_data_in_var() -> None:
    assert start.usual_data_folder() == ROOT / "var"


def test_run_needs_no_package() -> None:
    done = subprocess.run(
        [sys.executable, "-S", str(ROOT / "run"), "--help"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
