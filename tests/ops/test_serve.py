"""The whole service as `manage.py serve` runs it: real processes on SQLite and the embedded Valkey."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Self

import pytest
from celery import Celery

from ops import broker
from ops.files import counts_folder
from ops.start import SetupError
from ops.web import listen
from tests.launcher import ROOT, Process, Started, run

UpToDate = Callable[[Path], Path]
PATIENCE = 60.0  # seconds on a machine busy with other tests; a restart takes about two


DENY = """
import sys

class Deny:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)

sys.meta_path.insert(0, Deny())
"""


def deny_development_packages(folder: Path) -> None:
    """Write a sitecustomize.py that hides whatever requirements.lock does not name."""
    pins = re.findall(r"^([^\s=]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    owners = importlib.metadata.packages_distributions().items()
    names = {module for module, packages in owners if not {_normal(name) for name in packages} & set(pins)}
    (folder / "sitecustomize.py").write_text(DENY.format(names=names))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


class Service:
    """A running `manage.py serve`, started from libraries that are loaded already."""

    def __init__(self, data: Path, *options: str, **environment: str) -> None:
        self.data, self.port = data, free_port()
        self.log = data.parent / f"{data.name}.log"
        self.log.write_bytes(b"")
        words = ["manage.py", "serve", "--bind", f"127.0.0.1:{self.port}", *options]
        kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "BROKER_URL"}}
        self.process = self.start(words, {**kept, "LUDOSCORE_DATA": str(data), **environment})

    def start(self, words: list[str], environment: dict[str, str]) -> Process:
        """Start the process."""
        return Started(*words, environment=environment, log=self.log)

    def __enter__(self) -> Self:
        self.wait(lambda: "Ludoscore is ready" in self.log.read_text())
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)

    def get(self, path: str) -> Any:
        """Return the answer to a request: parsed, where it is JSON."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            body = answer.read().decode()
            return json.loads(body) if "json" in answer.headers["Content-Type"] else body

    def answers(self) -> bool:
        """Tell whether a page can be had."""
        try:
            return bool(self.get("/"))
        except OSError:
            return False

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds; show the log if it never does."""
        end = time.monotonic() + PATIENCE
        while not condition():
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                pytest.fail(self.log.read_text())
            time.sleep(0.05)

    def child(self, name: str) -> int:
        """Return the process id of a child."""
        called = "valkey-server" if name == "broker" else f"ludo-{name}"
        self.wait(lambda: called in map(title, children(self.process.pid)))  # it starts after a pause
        return next(pid for pid in children(self.process.pid) if title(pid) == called)

    def works(self) -> bool:
        """Send a task through broker and worker, and tell whether it arrives in the database."""
        sent = dt.datetime.now(dt.UTC)
        with Celery(broker=broker.embedded_url(self.data), set_as_current=False) as app:
            app.send_task("core.tasks.beat", retry=False)
        self.wait(lambda: self.last_beat() > sent)
        return True

    def last_beat(self) -> dt.datetime:
        """Return when a task last reached the database."""
        with closing(sqlite3.connect(self.data / "ludoscore.sqlite3")) as database:
            row = database.execute("SELECT done_at FROM core_heartbeat").fetchone()
        return dt.datetime.fromisoformat(row[0] if row else "2000-01-01").replace(tzinfo=dt.UTC)


class InstalledService(Service):
    """One that is started as a user does it: in a new Python, with the packages that a user has and no others."""

    def __init__(
        self, data: Path, *options: str, started_with: str = "", output: Path | None = None, **environment: str
    ) -> None:
        self.started_with, self.output = started_with, output
        super().__init__(data, *options, **environment)

    def start(self, words: list[str], environment: dict[str, str]) -> Process:
        """Start the process, with lines of Python that it runs first."""
        folder = self.data.parent
        deny_development_packages(folder)
        with (folder / "sitecustomize.py").open("a") as first:
            first.write(self.started_with)
        with (self.output or self.log).open("wb") as opened:
            return subprocess.Popen(
                [sys.executable, *words],
                cwd=ROOT,
                env=environment | {"PYTHONPATH": str(folder)},
                stdout=opened,
                stderr=opened,
            )


def free_port() -> int:
    """Return a port of the loopback address that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def children(pid: int) -> list[int]:
    """Return the processes that a process started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def descendants(pid: int) -> list[int]:
    """Return all processes below a process."""
    return [found for child in children(pid) for found in (child, *descendants(child))]


def title(pid: int) -> str:
    """Return what `ps` calls a process; nothing, if it is gone."""
    try:
        is_gone = "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
        return "" if is_gone else Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Run one service for the tests that leave it running."""
    with InstalledService(tmp_path_factory.mktemp("serve") / "data", WEB_PROCESSES="2") as service:
        yield service


def test_pages_and_api_are_served(service: Service) -> None:
    assert "<h1" in service.get("/")
    assert "results" in service.get("/api/v1/games/")
    assert service.works()


@pytest.mark.parametrize("name", ["worker", "beat", "web-2", "broker"])
def test_a_killed_process_comes_back_and_work_goes_on(service: Service, name: str) -> None:
    killed = service.child(name)
    below = descendants(killed)
    os.kill(killed, signal.SIGKILL)
    service.wait(lambda: f"{name:6} | ended with SIGKILL" in service.log.read_text())
    service.wait(lambda: not any(title(pid) for pid in below))
    service.wait(service.answers)
    service.wait(lambda: service.get("/readyz")["checks"]["broker"] == "ok")
    assert service.works()
    service.wait(lambda: service.child(name) not in {0, killed})


def test_terminal_stays_quiet_while_everything_goes_well(service: Service) -> None:
    assert service.works(), "a task went from the scheduler's queue to the database"
    told = service.log.read_text()
    assert "Sending due task" not in told
    assert "succeeded in" not in told


def test_all_web_processes_answer_and_count_as_one(service: Service) -> None:
    assert service.child("web-1") != service.child("web-2")
    before = answered(service)
    for _ in range(40):
        assert service.get("/healthz")  # each over a connection of its own, to whichever process takes it
        service.get("/api/v1/games/")
    assert answered(service) == before + 40, "/metrics says the same whichever process is asked"


def answered(service: Service) -> float:
    """Return how often the list of games was answered, as /metrics says."""
    lines = service.get("/metrics").splitlines()
    found = [line for line in lines if line.startswith("ludoscore_requests_total") and '"api:games"' in line]
    return sum(float(line.rpartition(" ")[2]) for line in found)


def test_a_second_service_on_the_same_port_is_refused(service: Service, tmp_path: Path) -> None:
    answer = refused(service.port, tmp_path)
    assert answer.count("\n") == 1
    assert "the port is taken" in answer


def test_a_second_service_on_the_same_data_is_refused(service: Service) -> None:
    assert "already running" in refused(free_port(), service.data)


def test_damaged_database_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    file = tmp_path / "ludoscore.sqlite3"
    with closing(sqlite3.connect(file)) as link:
        link.execute("CREATE TABLE held (text)")
        link.executemany("INSERT INTO held VALUES (?)", [("x" * 1000,)] * 50)
        link.commit()
    content = bytearray(file.read_bytes())
    content[8192:12288] = b"\xff" * 4096
    file.write_bytes(content)
    answer = refused(free_port(), tmp_path, DATABASE_URL="")
    assert (answer.count("\n"), "is damaged" in answer, "restore BACKUP --overwrite" in answer) == (1, True, True)
    assert file.read_bytes() == content


def refused(port: int, data: Path, **environment: str) -> str:
    """Return what a service that cannot start says."""
    settings = {"LUDOSCORE_DATA": str(data), **environment}
    done = run("manage.py", "serve", "--bind", f"127.0.0.1:{port}", environment=os.environ | settings)
    assert done.returncode == 1
    return done.stderr


def test_database_that_cannot_be_opened_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "ludoscore.sqlite3").mkdir()  # root, who may run this, can open every file
    answer = refused(free_port(), tmp_path, DATABASE_URL="")
    assert (answer.count("\n"), "The database cannot be opened: the service cannot start with" in answer) == (1, True)


def test_disk_that_takes_nothing_is_told_at_the_start(tmp_path: Path, up_to_date: UpToDate) -> None:
    """SQLite makes files beside its own when it opens it, for which a full disk has no room."""
    data = up_to_date(tmp_path / "data")
    (data / "certificate.pem.part").mkdir()  # where the certificate is written first
    for options, limit, told in (
        ([], "0", "The disk is full: the service cannot start with"),
        (["--https"], "unlimited", "The certificate cannot be written"),
    ):
        serve = [sys.executable, "manage.py", "serve", "--bind", f"127.0.0.1:{free_port()}", *options]
        done = subprocess.run(
            ["sh", "-c", f'ulimit -f {limit}; exec "$@"', "sh", *serve],
            cwd=ROOT,
            env=os.environ | {"LUDOSCORE_DATA": str(data), "DATABASE_URL": "", "BROKER_URL": ""},
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert told in done.stderr


def test_socket_on_a_disk_that_became_read_only_ends_nothing(tmp_path: Path) -> None:
    broker.embedded_socket(tmp_path).mkdir()  # it cannot be removed
    broker.remove_socket(tmp_path)


def test_service_goes_on_where_nothing_can_be_written_to_its_log(tmp_path: Path, up_to_date: UpToDate) -> None:
    service = InstalledService(up_to_date(tmp_path / "data"), output=Path("/dev/full"), PYTHONIOENCODING="ascii")
    try:
        service.wait(service.answers)
        assert service.works()
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(PATIENCE) == 0
    finally:
        service.process.kill()


def test_full_disk_cannot_kill_who_counts_and_nothing_of_it_is_left(
    service: Service, tmp_path: Path, up_to_date: UpToDate
) -> None:
    assert service.get("/")
    counts = counts_folder(service.data)
    service.wait(lambda: len(list(counts.glob("*.db"))) >= 2)  # of each process that has answered
    assert counts.stat().st_dev != service.data.stat().st_dev, "a page of a file that has no room is deadly"
    with Service(up_to_date(tmp_path / "data")) as other:
        assert answered(other) == 0
    assert not counts_folder(other.data).exists()


def test_stopped_service_leaves_everything_in_one_file(tmp_path: Path, up_to_date: UpToDate) -> None:
    with Service(up_to_date(tmp_path / "data")) as service:
        assert service.works()
    assert [file.name for file in service.data.glob("*.sqlite3*")] == ["ludoscore.sqlite3"]


def test_folder_may_have_any_name(tmp_path: Path, up_to_date: UpToDate) -> None:
    with Service(up_to_date(tmp_path / "Café #1 ?x=100%41@y")) as service:
        assert service.works()
        assert service.get("/readyz")["checks"]["broker"] == "ok"
    assert {file.name for file in tmp_path.iterdir()} == {service.data.name, service.log.name}


def test_service_that_nohup_started_outlives_its_terminal(tmp_path: Path, up_to_date: UpToDate) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        service = InstalledService(up_to_date(tmp_path / "data"))
    finally:
        signal.signal(signal.SIGHUP, before)
    with service:
        service.process.send_signal(signal.SIGHUP)
        time.sleep(1)
        assert service.answers()
    assert service.process.returncode == 0


def test_requests_are_answered_while_the_supervisor_is_stopped(service: Service) -> None:
    """Nobody then reads the lines of the log: of these each web process gets several times what a pipe holds."""
    path = f"/api/v1/{'x/' * 480}"
    service.process.send_signal(signal.SIGSTOP)
    try:
        for _ in range(320):
            assert status_of(service, path) == 404
        assert service.answers()
        assert service.works()
    finally:
        service.process.send_signal(signal.SIGCONT)
    service.wait(lambda: "lines could not be shown here" in service.log.read_text())
    assert status_of(service, "/api/v1/afterwards/") == 404
    service.wait(lambda: "GET /api/v1/afterwards/ 404" in service.log.read_text())
    assert service.works()


def status_of(service: Service, path: str) -> int:
    """Return the status of the answer to a request that fails."""
    with pytest.raises(urllib.error.HTTPError) as error:
        service.get(path)
    error.value.close()
    return error.value.code


def test_nothing_is_left_when_the_supervisor_ends(tmp_path: Path, up_to_date: UpToDate) -> None:
    data = up_to_date(tmp_path / ("deep" * 25))  # so deep that the broker's socket has to lie elsewhere
    for signum, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 0)):
        with Service(data) as service:  # the second time: no stale lock stands in the way
            assert service.works()
            below = descendants(service.process.pid)
            assert len(below) >= 4
            service.process.send_signal(signum)
            assert service.process.wait(PATIENCE) == code
        end = time.monotonic() + 5
        while left := [pid for pid in below if title(pid)]:
            assert time.monotonic() < end, left
            time.sleep(0.05)
    assert not broker.embedded_socket(data).parent.exists()


@pytest.mark.parametrize(
    "bind", ["nonsense", "127.0.0.1:99999", "\udcff:8000", "[localhost]:8000", "[127.0.0.1]:8000", "[::1:8000"]
)
def test_address_that_is_none_is_refused_in_a_sentence(bind):
    with pytest.raises(SetupError, match="wants HOST:PORT"):
        listen(bind)


def test_a_reload_in_the_first_moment_ends_nothing(tmp_path):
    """What is imported first here asks for a reload, and says that it goes on."""
    (tmp_path / "granian.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGHUP); print('goes on')")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "ops.web"]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    assert "goes on" in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--bind nonsense", "--bind wants HOST:PORT, such as 127.0.0.1:8000, and not nonsense."),
        ("--bind 192.0.2.1:8000", "Cannot listen on 192.0.2.1:8000: "),
        ("--workers 0", "a number of processes, such as 2"),
    ],
)
def test_a_deployment_that_cannot_serve_like_this_is_told_why(tmp_path, options, said):
    process = Started("-m", "ops.web", *options.split(), environment=dict(os.environ), log=tmp_path / "log")
    assert process.wait(PATIENCE) != 0
    assert said in (tmp_path / "log").read_text()
    assert "Traceback" not in (tmp_path / "log").read_text()
