"""The engines on the command line: check reports, simulate games, replay records. JSON lines in and out."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from engines import GAMES, as_json, check, words
from engines.base import RuleError


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engines", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    judge = commands.add_parser("check", help="judge reports: a verdict per line of standard input")
    judge.add_argument("game", nargs="?", choices=GAMES, help="judge every line as this game, not as its own")
    judge.set_defaults(run=_check)

    simulate = commands.add_parser("simulate", help="play whole games and write their reports or records")
    simulate.add_argument("game", choices=GAMES)
    simulate.add_argument("--players", type=int, required=True, help="how many people play")
    simulate.add_argument("--games", type=int, default=1)
    simulate.add_argument("--seed", type=int, default=0)
    simulate.add_argument("--variant", help="where the number of players does not say it")
    simulate.add_argument("--player", choices=("decent", "random"), default="decent")
    simulate.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="such as difficulty=7")
    simulate.add_argument("--record", action="store_true", help="write the record of play, not the report")
    simulate.add_argument("--jobs", type=int, default=1, help="how many cores to use")
    simulate.set_defaults(run=_simulate)

    replay = commands.add_parser("replay", help="turn records of play into reports, move by move")
    replay.set_defaults(run=_replay)
    for command in (judge, replay):
        command.add_argument("--language", choices=words.LANGUAGES, default="en", help="of the messages")
    return parser


def _check(options: argparse.Namespace) -> int:
    return _answer_lines(lambda value: as_json(check(value, options.game), language=options.language))


def _replay(options: argparse.Namespace) -> int:
    from engines import records  # noqa: PLC0415 -- `check` need not wait for it

    failed = False

    def report(value: object) -> dict[str, Any]:
        nonlocal failed
        try:
            return records.report_of(value)
        except records.RecordError as error:
            failed = True
            return error.as_json(options.language)

    return _answer_lines(report) or int(failed)


def _answer_lines(answer: Callable[[object], dict[str, Any]]) -> int:
    """Write an answer for every line of standard input, in order."""
    for line in sys.stdin.buffer:
        print(json.dumps(answer(_value(line))))
    return 0


def _value(line: bytes) -> object:
    """Return the value of a line; None, which is no report either, where it is not JSON."""
    try:
        return json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _simulate(options: argparse.Namespace) -> int:
    from engines import simulation  # noqa: PLC0415 -- `check` need not wait for it

    engine = GAMES[options.game]
    try:
        variant = engine.variant(options.variant or simulation.variant_for(engine, options.players))
        if options.players not in variant.people:
            raise RuleError("no-variant")
        settings = dict(map(_option, options.option))
        engine.play.start(
            variant.slug, simulation.Plan(options.game, variant.slug, options.players, 0).seats, settings
        )
    except KeyError:
        return _fail(
            f"{options.game} has no variant {options.variant!r}: {', '.join(v.slug for v in engine.variants)}."
        )
    except ValueError as error:
        reason = f"{error.code} {error.facts or ''}" if isinstance(error, RuleError) else str(error)
        return _fail(f"{options.game} cannot be played so by {options.players} people: {reason}.")
    if options.games < 0 or options.jobs < 1:
        return _fail("--games must be 0 or more and --jobs 1 or more.")
    plan = simulation.Plan(options.game, variant.slug, options.players, options.seed, options.player, settings)
    for played in _progress(simulation.play_games(plan, options.games, options.jobs), options.games):
        print(json.dumps(played.record if options.record else played.report))
    return 0


def _option(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2


def _progress(games: Iterable[Any], total: int) -> Iterator[Any]:
    """Show how far a simulation is, on a terminal that does not show the games themselves."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from games
        return
    for number, game in enumerate(games, 1):
        yield game
        filled = 40 * number // total
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {number} of {total}")
    sys.stderr.write("\n")


if __name__ == "__main__":
    sys.exit(main())
