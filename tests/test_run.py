"""`./run` as a newcomer meets it, above all when something is in its way."""

from __future__ import annotations

import ast
import errno
import fcntl
import importlib.machinery
import importlib.util
import json
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Load ./run as a module that works in an empty folder, and installs nothing really."""
    loader = importlib.machinery.SourceFileLoader("run", str(ROOT / "run"))
    spec = importlib.util.spec_from_loader("run", loader)
    assert spec
    module: Any = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    venv = tmp_path / ".venv"
    for name, value in {"ROOT": tmp_path, "VENV": venv, "STAMP": venv / "installed.json"}.items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(module, "PYTHON", str(venv / "bin" / "python"))
    for lock in (module.RUNTIME, module.DEVELOPMENT):
        (tmp_path / lock).write_text(f"a==1 {lock}\n")
    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setenv("LUDOSCORE_DATA", str(tmp_path / "data"))
    return module


@pytest.fixture
def commands(run: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the commands that setting up runs, in a word each."""
    done: list[str] = []

    def follow(progress: Any, command: list[str], pattern: str = "") -> int:
        if "venv" in command:
            done.append("venv")
            (run.VENV / "bin").mkdir(parents=True, exist_ok=True)
            Path(run.PYTHON).unlink(missing_ok=True)
            Path(run.PYTHON).symlink_to(sys.executable)
        else:
            done.append(command[-1])
        return 0

    monkeypatch.setattr(run.Progress, "follow", follow)
    monkeypatch.setattr(run.subprocess, "call", lambda *_, **__: 0)
    return done


def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the real ./run."""
    command = [sys.executable, str(ROOT / "run"), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **environment})


def test_help_names_every_verb() -> None:
    done = call("--help")
    assert done.returncode == 0
    for word in ("./run manage", "./run test", "./run bench", "--bind", "--lan", "LUDOSCORE_DATA"):
        assert word in done.stdout


def test_process_without_open_files_and_with_ignored_children_is_mended() -> None:
    look = "import os, signal; [os.fstat(number) for number in range(3)]"
    look += "; os._exit(signal.getsignal(signal.SIGCHLD) != signal.SIG_DFL)"
    become = f"os.execv({sys.executable!r}, ['python', '-c', {look!r}])"
    program = f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); from ops import start; start.mend_process(); "
    program += f"print('nobody reads it', flush=True); {become}"
    closed = ["bash", "-c", 'trap "" CHLD; exec "$@" <&- >&- 2>&-', "-", sys.executable, "-c", program]
    assert subprocess.run(closed, check=False).returncode == 0


def test_python_that_looks_into_no_folder_finds_what_it_needs() -> None:
    look = f"import runpy, os; runpy.run_path({str(ROOT / 'run')!r}); print(os.environ.get('PYTHONSAFEPATH'))"
    for options in (["-I"], ["-P"]):
        command = [sys.executable, *options, "-c", look]
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, cwd="/", env={**os.environ, "PYTHONSAFEPATH": "1"}
        )
        assert (done.returncode, done.stdout) == (0, "None\n"), done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--bnd", "x"],
        ["server"],
        ["--bind", "here"],
        ["--bind", "127.0.0.1:70000"],
        ["--bind", "\udcff:8000"],  # a byte that is no text
        ["--bind", "a..b:8000"],
    ],
)
def test_nonsense_is_answered_with_a_sentence(arguments: list[str]) -> None:
    done = call(*arguments)
    assert done.returncode == 1
    assert re.fullmatch(r"[A-Z-].*\.\n", done.stderr)


def test_old_python_can_read_the_file_and_is_told_so() -> None:
    ast.parse((ROOT / "run").read_text(), feature_version=(3, 6))
    pretend = "import sys, runpy; sys.version_info = (3, 6, 0); runpy.run_path('run', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", pretend], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Ludoscore needs Python 3.11 or newer, and this is Python 3.6")
    assert done.stderr.count("\n") == 1


def test_windows_is_told_what_to_type() -> None:
    program = f"import runpy, sys; sys.platform = 'win32'; sys.argv = ['run']; runpy.run_path({str(ROOT / 'run')!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "WSL 2" in done.stderr
    assert "Traceback" not in done.stderr


def test_missing_venv_module_is_told(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(run.SetupError, match="apt install python3-venv"):
        run.install(run.RUNTIME)


def test_unwritable_folder_is_told(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.os, "access", lambda *_: False)
    with pytest.raises(run.SetupError, match="the folder is not writable"):
        run.install(run.RUNTIME)


def test_unwritable_data_folder_is_told(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOSCORE_DATA", "/dev/null/data")
    with pytest.raises(run.SetupError, match=r"Cannot write to the data folder /dev/null/data \(Not a directory\)"):
        run.start.prepare_data()


def test_data_folder_whose_name_is_no_text_is_told(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A stick that another system wrote may have such names; neither a URL nor a terminal can."""
    monkeypatch.setenv("LUDOSCORE_DATA", os.fsdecode(os.fsencode(tmp_path) + b"/data/caf\xe9"))
    with pytest.raises(run.SetupError, match="/caf� is not UTF-8: LUDOSCORE_DATA names another"):
        run.start.prepare_data()
    assert not (tmp_path / "data").exists()


def test_setting_up_again_costs_nothing_until_the_lock_changes(run: Any, commands: list[str]) -> None:
    run.install(run.RUNTIME)
    run.install(run.RUNTIME)
    assert commands == ["venv", run.RUNTIME]
    (run.ROOT / run.RUNTIME).write_text("a==2\n")
    run.install(run.RUNTIME)
    assert commands == ["venv", run.RUNTIME, run.RUNTIME]


def test_development_packages_serve_too(run: Any, commands: list[str]) -> None:
    run.install(run.RUNTIME)
    run.install(run.DEVELOPMENT)
    run.install(run.RUNTIME)
    assert commands == ["venv", run.RUNTIME, run.DEVELOPMENT]


def test_packages_are_added_to_a_venv_made_by_hand(run: Any, commands: list[str]) -> None:
    (run.VENV / "bin").mkdir(parents=True)
    Path(run.PYTHON).symlink_to(sys.executable)
    run.install(run.RUNTIME)
    assert commands == [run.RUNTIME]


def test_interrupted_installation_starts_over(run: Any, commands: list[str]) -> None:
    run.make_venv()
    run.write_stamp({"is_whole": False})
    run.install(run.RUNTIME)
    assert commands == ["venv", "venv", run.RUNTIME]


def test_venv_is_made_again_for_another_python(run: Any, commands: list[str]) -> None:
    run.install(run.RUNTIME)
    Path(run.PYTHON).unlink()
    run.install(run.RUNTIME)
    assert commands == ["venv", run.RUNTIME] * 2


def test_failed_installation_is_told(run: Any, commands: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run.make_venv()

    def fail(progress: Any, *_: Any) -> int:
        progress.note("ERROR: No matching distribution found for a==1", "(?!)")
        return 1

    monkeypatch.setattr(run.Progress, "follow", fail)
    with pytest.raises(run.SetupError, match=r"online\?\): No matching distribution found for a==1"):
        run.install(run.RUNTIME)
    assert not run.is_installed(run.RUNTIME)


def test_second_run_waits_for_the_first(run: Any, commands: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    folder = os.open(run.ROOT, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    second = threading.Thread(target=run.install, args=[run.RUNTIME])
    second.start()
    second.join(0.2)
    assert second.is_alive()
    assert "Another ./run is setting up" in capsys.readouterr().out
    os.close(folder)
    second.join(10)
    assert commands == ["venv", run.RUNTIME]


def test_secret_key_is_made_once_and_for_its_owner_alone(run: Any) -> None:
    key = Path(os.environ["LUDOSCORE_DATA"]) / "secret-key"
    run.start.prepare_data()
    first = key.read_text()
    run.start.prepare_data()
    assert key.read_text() == first
    assert len(first) > 50
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert list(key.parent.iterdir()) == [key]


@pytest.mark.parametrize("left", ["", "\n", " \t\n"])
def test_key_of_which_a_power_cut_left_nothing_is_made_again(run: Any, left: str) -> None:
    key = Path(os.environ["LUDOSCORE_DATA"]) / "secret-key"
    key.parent.mkdir(parents=True, exist_ok=True)
    key.write_text(left)
    run.start.prepare_data()
    assert len(key.read_text()) > 50


def test_command_runs_where_nothing_can_be_written_so_that_a_backup_can_be_made(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.start.prepare_data()
    monkeypatch.setattr(run.start.tempfile, "TemporaryFile", read_only)
    with pytest.raises(run.SetupError, match="Read-only"):
        run.start.prepare_data()
    run.start.prepare_data(is_written=False)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("8001", ("127.0.0.1", 8001)),
        (":8001", ("127.0.0.1", 8001)),
        ("[::1]:8001", ("[::1]", 8001)),
        ("::1:8001", ("[::1]", 8001)),
    ],
)
def test_address_to_listen_on_is_one_that_a_link_can_have(run: Any, text: str, address: tuple[str, int]) -> None:
    assert run.start.parse_bind(text) == address


def read_only(**_: Any) -> None:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def test_commands_name_files_from_where_somebody_is(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    began = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "install", lambda _: None)
    monkeypatch.setattr(run.os, "umask", lambda _: 0)
    monkeypatch.setattr(run.os, "execve", lambda _, command, __: began.append((Path.cwd(), command)))
    run.manage(["backup", "today"])
    assert began == [(tmp_path, [run.PYTHON, str(run.ROOT / "manage.py"), "backup", "today"])]


def test_lan_is_announced_under_the_address_of_the_room(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    monkeypatch.delenv("PUBLIC_URL", raising=False)
    monkeypatch.delenv("ALLOWED_HOSTS", raising=False)
    monkeypatch.setattr(run, "install", lambda _: None)
    monkeypatch.setattr(run.start, "lan_address", lambda: "192.168.7.7")
    monkeypatch.setattr(run, "become", lambda *command: started.append(command))
    run.serve(["--lan", "--bind", ":9000"])
    (command, environment), *_ = started
    assert command == ["manage.py", "serve", "--bind", "0.0.0.0:9000", "--qr"]
    assert environment["PUBLIC_URL"] == "http://192.168.7.7:9000"
    assert environment["ALLOWED_HOSTS"] == "localhost,127.0.0.1,[::1],192.168.7.7"


def test_demo_is_filled_before_it_is_served(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[list[str]] = []
    monkeypatch.delenv("PUBLIC_URL", raising=False)
    monkeypatch.setattr(run, "install", lambda _: None)
    monkeypatch.setattr(run.subprocess, "call", lambda command, **_: steps.append(command[2:]))
    monkeypatch.setattr(run, "become", lambda command, _: steps.append(command))
    run.demo(["--bind", ":9000"])
    assert [step[0] for step in steps] == ["demo", "manage.py"]
    assert steps[0] == ["demo", "--migrate", "--origin", "http://127.0.0.1:9000"]


def test_tests_keep_what_python_compiled_whatever_the_shell_says(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    monkeypatch.setattr(run, "install", lambda _: None)
    monkeypatch.setattr(run, "become", lambda *command: started.append(command))
    run.faults(["-x"])
    (command, environment), *_ = started
    assert command == ["-m", "tests.faults", "-x"]
    assert "PYTHONDONTWRITEBYTECODE" not in environment
    assert environment["PYTHONPYCACHEPREFIX"] == str(run.VENV / "bytecode"), "and not beside the source"


def test_failed_check_hides_no_other(run: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    words = [sys.executable, "-c"]
    steps: Any = [("bad", [*words, "raise SystemExit('broken')"], {}), ("good", [*words, "print('unseen')"], {})]
    sqlite: Any = ("tests on SQLite", [*words, "raise SystemExit('too slow')"], {})
    monkeypatch.setattr(run, "install", lambda _: None)
    monkeypatch.setattr(run, "checks", lambda _: steps)
    monkeypatch.setattr(run, "sqlite_tests", lambda _: sqlite)
    monkeypatch.setattr(run, "run_postgresql_tests", lambda _: ("tests", "failed", 1.0))
    with pytest.raises(run.SetupError, match=r"Failed: bad, tests on SQLite, tests\."):
        run.test([])
    output = capsys.readouterr().out
    assert "broken" in output
    assert "too slow" in output
    assert "good: ok" in output
    assert "unseen" not in output
    assert re.search(r"^  in all +\d+\.\d s$", output, re.MULTILINE)


LATE, RECEIVER = "tests/web/test_layout.py::test_page", "tests/tournaments/test_webhooks.py::test_receiver"


@pytest.mark.parametrize(
    ("failed", "passes_alone", "outcome"),
    [
        ([LATE], True, f"ok, but only alone: {LATE}"),
        ([RECEIVER], True, f"ok, but only alone: {RECEIVER}"),
        ([LATE], False, "failed"),
        ([LATE, "tests/engines/dix/test_report.py::test_sheet"], True, "failed"),
        ([f"{LATE}[{number}]" for number in range(6)], True, "failed"),
        ([], True, "failed"),
    ],
)
def test_only_a_few_tests_in_real_time_get_a_second_look(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, failed: list[str], passes_alone: bool, outcome: str
) -> None:
    started: list[list[str]] = []

    def alone(command: list[str], **_: Any) -> int:
        started.append(command)
        return not passes_alone

    monkeypatch.setattr(run.subprocess, "call", alone)
    (tmp_path / "failed.json").write_text(json.dumps(failed))
    assert run.look_again(("tests", "failed", 1.0), tmp_path / "failed.json", ["-q"])[:2] == ("tests", outcome)
    assert all(command[3:] == [*failed, "-q"] for command in started)
    assert len(started) == (failed in ([LATE], [RECEIVER]))


def test_what_gets_a_second_look_exists(run: Any) -> None:
    assert [place for place in run.IN_REAL_TIME if not (ROOT / place).exists()] == []


def test_failed_tests_are_written_down_where_asked(tmp_path: Path) -> None:
    written = tmp_path / "failed.json"
    broken = tmp_path / "test_broken.py"
    broken.write_text("def test_good(): pass\n\ndef test_bad(): assert False\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", str(broken)]
    environment = {**os.environ, "FAILED_TESTS": str(written)}
    environment.pop("PYTEST_XDIST_WORKER", None)
    subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True)
    assert [name.rpartition("::")[2] for name in json.loads(written.read_text())] == ["test_bad"]


def test_nothing_new_begins_after_an_interruption(run: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    begun, over = threading.Event(), threading.Event()

    def wait(name: str, *_: Any) -> Any:
        begun.set()
        over.wait(10)
        return (name, "ok", 0.0), ""

    def interrupt(_: Any) -> None:
        begun.wait(10)
        threading.Timer(0.1, over.set).start()
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "install", lambda _: None)
    monkeypatch.setattr(run, "checks", lambda _: [("first", [], {}), ("second", [], {})])
    monkeypatch.setattr(run, "run_check", wait)
    monkeypatch.setattr(run, "run_postgresql_tests", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run.test([])
    output = capsys.readouterr().out
    assert "first: ok" in output
    assert "second" not in output


def test_development_lock_contains_the_runtime_lock() -> None:
    runtime, development = (
        set(re.findall(r"^\S+==\S+", (ROOT / name).read_text(), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert runtime <= development


def test_locks_name_no_index() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        assert not re.search(r"https?://|file:|^-", (ROOT / name).read_text(), re.MULTILINE)
