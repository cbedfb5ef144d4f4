"""Plan a rotation or a Swiss round without an event: `manage.py plan_seating --players 24 --sizes 4 --rounds 7`."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tournaments.seating import (
    Entrant,
    SeatedRound,
    SeatingError,
    SizeLimits,
    plan_rotation,
    seat_swiss,
)

MOST_PLAYERS = 2_000
MOST_ROUNDS = 100

Table = Annotated[list[str], Field(min_length=2)]


class EntrantInput(BaseModel):
    """A player of a Swiss file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str
    points: int = 0


class SwissInput(BaseModel):
    """A Swiss file: who plays, and what was played; the rounds have the shape that `plan_seating` prints."""

    model_config = ConfigDict(extra="forbid", strict=True)

    entrants: list[EntrantInput] = Field(max_length=MOST_PLAYERS)
    rounds: list[list[Table]] = Field(default=[], max_length=MOST_ROUNDS)
    sitting_out: list[list[str]] = []
    keep_apart: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = []
    rounds_left: int | None = Field(default=None, ge=1, le=MOST_ROUNDS)

    @property
    def past(self) -> list[SeatedRound]:
        """The rounds played, each with those who sat out."""
        out = dict(enumerate(self.sitting_out))
        return [
            SeatedRound(tuple(map(tuple, tables)), tuple(out.get(number, ())))
            for number, tables in enumerate(self.rounds)
        ]


class Command(BaseCommand):
    """Plan a seating and say what it costs, beside the floor."""

    help = "Plan the rounds of a rotation, or one Swiss round from a file, and count repeated opponents."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--players", metavar="N", help="how many players; they are called 1 to N")
        parser.add_argument("--rounds", metavar="R", help="how many rounds")
        parser.add_argument(
            "--sizes", required=True, help="players at a table: 4 (or 3 where 4 does not divide), 4-4 (only 4), 3-5"
        )
        parser.add_argument("--preferred", metavar="SIZE", help="the size tables should have (middle of the limits)")
        parser.add_argument(
            "--swiss", metavar="FILE", help="JSON with entrants, points and rounds played; - for stdin"
        )
        parser.add_argument("--seed", default="0", help="the same seed gives the same seating (0)")
        parser.add_argument("--json", action="store_true", help="print one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan, and print the tables."""
        try:
            limits = _limits(options["sizes"], options["preferred"])
            started = time.perf_counter()
            facts = self._swiss(limits, options) if options["swiss"] else self._rotation(limits, options)
        except SeatingError as error:
            raise CommandError(str(error)) from None
        facts["seconds"] = round(time.perf_counter() - started, 3)
        self.stdout.write(json.dumps(facts, ensure_ascii=False) if options["json"] else _readable(facts))

    def _rotation(self, limits: SizeLimits, options: dict[str, Any]) -> dict[str, Any]:
        if options["players"] is None or options["rounds"] is None:
            raise CommandError("Say how many --players and --rounds, or give a file with --swiss.")
        players = _number("--players", options["players"], MOST_PLAYERS)
        rounds = _number("--rounds", options["rounds"], MOST_ROUNDS)
        self.stderr.write(f"Planning {rounds} rounds for {players} players …")
        names = [str(number) for number in range(1, players + 1)]
        schedule = plan_rotation(names, rounds, limits, seed=_seed(options["seed"]))
        facts = asdict(schedule)
        facts["rounds"] = [seated.tables for seated in schedule.rounds]
        facts["sitting_out"] = [seated.sitting_out for seated in schedule.rounds]
        return facts

    def _swiss(self, limits: SizeLimits, options: dict[str, Any]) -> dict[str, Any]:
        swiss = _read(options["swiss"])
        self.stderr.write(f"Seating {len(swiss.entrants)} players …")
        seating = seat_swiss(
            [Entrant(entrant.id, entrant.points) for entrant in swiss.entrants],
            limits,
            past=swiss.past,
            rounds_left=swiss.rounds_left,
            keep_apart=[(left, right) for left, right in swiss.keep_apart],
            seed=_seed(options["seed"]),
        )
        return asdict(seating)


def _limits(sizes: str, preferred: str | None) -> SizeLimits:
    """Read `4` as tables of 4 that may be one short where the number of players demands it."""
    low, dash, high = sizes.partition("-")
    largest = _number("--sizes", high if dash else low, MOST_PLAYERS)
    smallest = _number("--sizes", low, MOST_PLAYERS) if dash else max(2, largest - 1)
    middle = (smallest + largest + 1) // 2
    return SizeLimits(smallest, largest, middle if preferred is None else _number("--preferred", preferred, largest))


def _number(name: str, text: str, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= most:
        raise CommandError(f"{name} must be a number from 1 to {most}, not {text!r}.")
    return int(text)


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise CommandError(f"--seed must be a whole number, not {text!r}.") from None


def _read(name: str) -> SwissInput:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        swiss = SwissInput.model_validate_json(text)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name} cannot be read: {error}.") from None
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"])) or "the file"
        raise CommandError(f"{name}: {place}: {fault['msg']}.") from None
    if len(swiss.sitting_out) > len(swiss.rounds):
        raise CommandError(f"{name}: sitting_out has more rounds than rounds.")
    return swiss


def _readable(facts: dict[str, Any]) -> str:
    rounds = facts.get("rounds") or [facts["tables"]]
    quality = facts.get("quality", facts)
    lines = []
    for number, tables in enumerate(rounds, start=1):
        lines += [f"Round {number}"] if len(rounds) > 1 else []
        lines += [f"  Table {place}: {', '.join(table)}" for place, table in enumerate(tables, start=1)]
        out = facts["sitting_out"][number - 1] if "rounds" in facts else facts["sitting_out"]
        lines += [f"  Sitting out: {', '.join(out)}"] if out else []
    lines += [f"Repeats: {quality['repeats']} (floor {quality['repeats_bound']}), {facts['seconds']} s"]
    return "\n".join(lines)
