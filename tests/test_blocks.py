"""Every code block of the documents is executed, and every command they name exists."""

from __future__ import annotations

import argparse
import importlib
import json
import re
import shlex
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

import pytest
import yaml
from celery.bin.celery import celery
from django.contrib.staticfiles import finders
from django.core.management import get_commands, load_command_class
from django.urls import resolve

from api.errors import problem
from bench.__main__ import main as bench
from config.celery import app
from core import context
from engines import records
from engines.__main__ import main as engines
from ops import start, web
from scoring.errors import TableClosedError
from tests.documents import PAGES, ROOT, all_blocks, blocks, json_blocks, pages_with, without_blocks
from tests.ops import copies
from tests.shell import bash, calls, listener, program

HERE = "tests/test_blocks.py"
EVERY = "*"

# Which test executes the blocks of a language on a page.
ACCOUNT: dict[tuple[str, str], str] = {
    ("python", EVERY): "tests/test_examples.py",
    ("bash", EVERY): "tests/test_examples.py",
    ("session", EVERY): "tests/test_docs.py",
    ("sh", EVERY): HERE,
    ("env", "README.md"): HERE,
    ("html", "docs/embedding.md"): HERE,
    ("css", "docs/embedding.md"): HERE,
    ("js", "clients/typescript/README.md"): "tests/clients/test_typescript.py",
    ("js", "docs/api.md"): "tests/web/test_news.py",
    ("js", "docs/clients.md"): "tests/clients/test_typescript.py",
    ("json", "docs/errors.md"): HERE,
    ("json", "docs/records.md"): HERE,
    ("json", "docs/seating.md"): HERE,
    ("json", "docs/how-to/your-own-game.md"): "tests/engines/custom/test_docs.py",
    ("json", "docs/webhooks.md"): "tests/api/test_webhooks.py",
    ("json", "docs/rules/dice-run.md"): "tests/engines/dice_run/test_docs.py",
    ("json", "docs/rules/dix.md"): "tests/engines/dix/test_docs.py",
    ("json", "docs/rules/fr/sixmix.md"): "tests/engines/sixmix/test_docs.py",
    ("json", "docs/rules/fr/dix.md"): "tests/engines/dix/test_docs.py",
    ("json", "docs/rules/fr/dice-run.md"): "tests/engines/dice_run/test_docs.py",
    ("json", "docs/rules/sixmix.md"): "tests/engines/sixmix/test_docs.py",
    ("json", "docs/rules/ten-phases.md"): "tests/engines/ten_phases/test_docs.py",
    ("text", "docs/rules/ten-phases.md"): "tests/engines/ten_phases/test_docs.py",
    ("json", "docs/rules/fr/ten-phases.md"): "tests/engines/ten_phases/test_docs.py",
    ("text", "docs/rules/fr/ten-phases.md"): "tests/engines/ten_phases/test_docs.py",
    ("", "docs/reliability.md"): HERE,
}
# Drawings, and the file of another program.
NOTHING_RUNS = {("text", "docs/architecture.md"), ("text", "docs/deploy/README.md")}

# Programs that would change this machine, or are not on it.
ELSEWHERE = [
    "chown",
    "createdb",
    "docker",
    "fonttools",
    "git",
    "ludoscore",
    "npm",
    "pip",
    "pyftfeatfreeze",
    "systemctl",
    "useradd",
    "uv",
]
# Commands that ask a person, need GNU gettext or need a PostgreSQL to move to: tests/ops/test_move_to.py gives it one.
ONLY_PARSED = {"changepassword", "compilemessages", "createsuperuser", "makemessages", "move_to"}


class ParsedError(Exception):
    """The arguments were read, and nothing more is wanted."""


@pytest.fixture
def only_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    """End every program where it has read its arguments."""
    read = argparse.ArgumentParser.parse_args

    def parse_args(*arguments: Any) -> None:
        read(*arguments)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_args)


def judge(words: list[str], config: pytest.Config) -> None:
    """Hold a command to what really reads its arguments; called under `only_parse`."""
    match words:
        case ["./run" | "ludoscore", "manage", name, *arguments] | ["manage.py", name, *arguments]:
            command = load_command_class(get_commands()[name], name)
            with pytest.raises(ParsedError):
                command.create_parser("manage.py", name).parse_args(arguments)
        case ["./run", "bench"]:
            assert bench([]) == 0
        case ["./run", "bench", *arguments]:
            with pytest.raises(ParsedError):
                bench(arguments)
        case ["./run", "faults", "chaos", *arguments]:
            with pytest.raises(ParsedError):
                importlib.import_module("tests.faults.chaos").main(arguments)
        case ["./run", "test" | "faults", *arguments]:
            paths = config._parser.parse(arguments).file_or_dir
            assert all((ROOT / path).exists() for path in paths)
        case ["./run", "demo", *arguments] | ["./run", *arguments]:
            judge_serving(arguments)
        case ["ludoscore", "serve" | "demo", *arguments]:
            judge_serving(arguments)
        case ["ludoscore", *arguments]:
            with pytest.raises(ParsedError):
                engines(arguments)
        case ["python", "-m", "ops.web", *arguments]:
            with pytest.raises(ParsedError):
                web.main(arguments)
        case ["python", "-m", "celery", "--app", "config.celery", name, *arguments]:
            celery.commands[name].make_context(name, arguments, obj=SimpleNamespace(app=app))
        case ["python", *command]:
            judge(command, config)
        case ["systemctl", _, *units]:
            assert all((ROOT / "docs/deploy" / f"{unit}.service").exists() for unit in units)
        case ["docker", "compose", "--env-file", _, "up", *_]:
            assert services()
        case ["docker", "compose", "--env-file", _, "run", "--rm", service, *command]:
            assert service in services()
            judge(command, config)
        case ["uv", "pip", "compile", *arguments]:
            judge_lock(arguments)
        case _:
            assert words[0] in ELSEWHERE


def judge_serving(arguments: list[str]) -> None:
    if arguments != ["--help"]:
        with mock.patch.object(start, "lan_address", return_value="192.0.2.7"):  # not the question here
            start.serving(arguments, name="./run", help_text="")


def judge_lock(arguments: list[str]) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert all((ROOT / word).exists() for word in arguments if word.endswith((".toml", ".lock")))
    assert {extra for word, extra in pairwise(arguments) if word == "--extra"} <= set(extras)


def services() -> dict[str, Any]:
    described = yaml.safe_load((ROOT / "docs/deploy/compose.yaml").read_text())["services"]
    return cast("dict[str, Any]", described)


def named_commands() -> list[tuple[str, str]]:
    """Return page and text of the commands named in sentences and listed with an explanation beside them."""
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text()
        named = re.findall(r"`([^`]+)`", without_blocks(text))
        listed = [re.split(r"\s{2,}", line)[0] for block in blocks(page, "") for line in block.splitlines()]
        matches = [
            re.search(r"(\./run|\bmanage\.py|^systemctl|^python -m)(?=\s|$).*", code, re.DOTALL)
            for code in named + listed
        ]
        found += [(page, " ".join(match[0].split())) for match in matches if match]
    return sorted(set(found))


def shipped_commands() -> list[tuple[str, str]]:
    """Return file and text of the commands that systemd and compose run for us."""
    units = {path.name: path.read_text().replace("\\\n", "") for path in ROOT.glob("docs/deploy/*.service")}
    started = [
        (name, command) for name in units for command in re.findall(r"^ExecStart=\S+/(.*)", units[name], re.MULTILINE)
    ]
    built = [service for service in services().values() if service.get("image") == "ludoscore"]
    return sorted(started) + [("compose.yaml", service["command"]) for service in built if "command" in service]


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """Run the blocks in sh of every page, and return per page what they asked `./run` and others to do."""
    machine = tmp_path_factory.mktemp("machine")
    project, tools = machine / "srv/ludoscore", machine / "tools"
    for folder in (project, tools, machine / "etc/systemd/system", machine / "var/lib/ludoscore"):
        folder.mkdir(parents=True)
    for name in ("docs", "engines"):
        (project / name).symlink_to(ROOT / name)
    for name in ("python", "python3"):
        program(tools, name, f'exec "{sys.executable}" "$@"')
    found = {}
    for page in pages_with("sh"):
        heard = machine / page.replace("/", "-")
        listener(project, "run", heard)
        for name in ELSEWHERE:
            listener(tools, name, heard)
        script = "\n".join(f"(\n{block})" for block in blocks(page, "sh"))
        bash(re.sub(r"(?<=\s)/(etc|srv|var)/", rf"{machine}/\1/", script), tools, project)
        found[page] = [["./run", *words[1:]] if words[0] == "run" else words for words in calls(heard)]
    return found


def test_every_block_is_accounted_for() -> None:
    found = {(block.language, page) for page in PAGES for block in all_blocks(page)}
    unaccounted = {
        (language, page) for language, page in found if not {(language, page), (language, EVERY)} & set(ACCOUNT)
    }
    assert unaccounted == NOTHING_RUNS
    assert {(language, page) for language, page in ACCOUNT if page != EVERY} <= found


@pytest.mark.parametrize(("language", "page"), ACCOUNT)
def test_account_names_a_test_that_takes_the_blocks(language: str, page: str) -> None:
    ways = [f'pages_with("{language}")'] if page == EVERY else [f'blocks("{page}", "{language}")']
    ways += [f'json_blocks("{page}")'] if language == "json" else []
    ways += ['blocks(page, "")'] if language == "" else []
    source = (ROOT / ACCOUNT[language, page]).read_text()
    assert any(way in source for way in ways)


@pytest.mark.parametrize("page", PAGES)
def test_code_is_fenced_and_begins_at_the_margin(page: str) -> None:
    assert re.findall(r"\n\n {4}\S.*|^ *(?:```|~~~).*", without_blocks((ROOT / page).read_text()), re.MULTILINE) == []


@pytest.mark.usefixtures("only_parse")
@pytest.mark.parametrize(("page", "command"), named_commands() + shipped_commands())
def test_commands_in_sentences_and_units_exist(page: str, command: str, pytestconfig: pytest.Config) -> None:
    judge(shlex.split(command), pytestconfig)


@pytest.mark.usefixtures("only_parse")
@pytest.mark.parametrize("page", pages_with("sh"))
def test_commands_in_blocks_exist(page: str, spoken: dict[str, list[list[str]]], pytestconfig: pytest.Config) -> None:
    for words in spoken[page]:
        judge(words, pytestconfig)


def test_management_commands_run(spoken: dict[str, list[list[str]]], tmp_path: Path) -> None:
    settings = dict(line.split("=", 1) for block in blocks("README.md", "env") for line in block.splitlines())
    assert settings.keys() <= set(re.findall(r'"([A-Z_]+)"', (ROOT / "config/settings.py").read_text()))
    del settings["DATABASE_URL"], settings["SECRET_KEY"]  # which are those of the folder
    settings["DJANGO_ALLOW_ASYNC_UNSAFE"] = ""  # tests of pages set it, and a deployment must not
    [swiss] = blocks("docs/seating.md", "json")
    (tmp_path / "round2.json").write_text(swiss)
    managed = {
        page: [words[2:] for words in lines if words[:2] == ["./run", "manage"] and words[2] not in ONLY_PARSED]
        for page, lines in spoken.items()
    }
    url = f"sqlite:///{tmp_path / 'ludoscore.sqlite3'}"
    done = copies.run(tmp_path, url, "-m", "tests.commands", json.dumps(managed), **settings)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr


def test_records_shown_are_answered_as_shown() -> None:
    record, answer = json_blocks("docs/records.md")
    record["moves"][-1] = "put r1"
    with pytest.raises(records.RecordError) as error:
        records.report_of(record)
    assert error.value.as_json() == answer


def test_problem_shown_is_one_of_ours(settings: Any) -> None:
    [shown] = json_blocks("docs/errors.md")
    settings.PUBLIC_URL = shown["type"].partition("/docs/")[0]
    token = context.request_id.set(shown["request_id"])
    try:
        assert shown == problem(TableClosedError.status, TableClosedError.code, shown["detail"])
    finally:
        context.request_id.reset(token)


def test_pieces_for_other_sites_lead_somewhere() -> None:
    page = "".join(blocks("docs/embedding.md", "html"))
    paths = re.findall(r'"https://scores\.example\.org(/[^"]*)"', page)
    assert len(paths) == 9
    for path in paths:
        assert finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else resolve(path)


def test_styles_for_other_sites_dress_parts_there_are() -> None:
    parts = re.findall(r'part="(\w+)"', (ROOT / "templates/public/_embed.html").read_text())
    styled = re.findall(r"::part\((\w+)\)", "".join(blocks("docs/embedding.md", "css")))
    assert styled
    assert set(styled) <= set(parts)
