"""The engines on the command line: check reports, simulate and play games, replay records. JSON lines in and out."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from engines import GAMES, as_json, check, custom, words
from engines.base import CompleteEngine, RuleError


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
    judge.add_argument("--definition", metavar="FILE", help="judge every line as the game that a club defines there")
    judge.set_defaults(run=_check)

    simulate = commands.add_parser("simulate", help="play whole games and write their reports or records")
    simulate.add_argument("game", choices=GAMES)
    simulate.add_argument("--players", type=int, required=True, help="how many people play")
    simulate.add_argument("--games", type=int, default=1)
    simulate.add_argument("--seed", type=int, default=0)
    simulate.add_argument("--variant", help="where the number of players does not say it")
    simulate.add_argument("--player", choices=("decent", "random", "strong"), default="decent")
    simulate.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="such as difficulty=7")
    simulate.add_argument("--record", action="store_true", help="write the record of play, not the report")
    simulate.add_argument("--jobs", type=int, default=1, help="how many cores to use")
    simulate.set_defaults(run=_simulate)

    replay = commands.add_parser("replay", help="turn records of play into reports, move by move")
    replay.add_argument("--steps", action="store_true", help="write the position after each move, not the report")
    replay.set_defaults(run=_replay)

    play = commands.add_parser("play", help="play at the terminal, against people and house players")
    play.add_argument("game", choices=GAMES)
    play.add_argument("--seats", required=True, help="names, such as ana,decent,strong: house players by their kind")
    play.add_argument("--variant", help="where the number of seats does not say it")
    play.add_argument("--seed", help="the same seed deals the same dice and cards")
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="such as difficulty=7")
    play.add_argument("--advise", action="store_true", help="before each move say what the house would do, and why")
    play.set_defaults(run=_play)
    for command in (judge, replay, play):
        command.add_argument("--language", choices=words.LANGUAGES, default="en", help="of the messages")
    return parser


def _check(options: argparse.Namespace) -> int:
    if options.definition:
        return _check_as_defined(options)
    return _answer_lines(lambda value: as_json(check(value, options.game), language=options.language))


def _check_as_defined(options: argparse.Namespace) -> int:
    """Judge reports of a club's own game; what is wrong with its definition is said on standard error."""
    if options.game:
        return _fail("Give a game or a definition, not both.")
    try:
        checked = custom.read(_value(Path(options.definition).read_bytes()))
    except OSError as error:
        return _fail(f"{options.definition}: {error.strerror}.")
    if checked.definition is None:
        return _fail("\n".join(custom.say(each, options.language) for each in checked.errors))
    engine = custom.engine(checked.definition)
    return _answer_lines(lambda value: as_json(engine.check(value), language=options.language, engine=engine))


def _replay(options: argparse.Namespace) -> int:
    from engines import game, records  # noqa: PLC0415 -- `check` need not wait for it

    failed = False

    def answers(value: object) -> Iterator[dict[str, Any]]:
        nonlocal failed
        try:
            if options.steps:
                for each in game.steps(value):
                    yield each.position(options.language) | {"move": each.moves[-1] if each.moves else None}
            else:
                yield records.report_of(value)
        except records.RecordError as error:
            failed = True
            answer = error.as_json(options.language)
            if error.code == "record.unfinished":  # how far it came, and what could follow
                going = game.open_record(value)
                answer |= {
                    "position": going.position(options.language),
                    "legal_moves": going.legal_moves(options.language),
                }
            yield answer

    for line in sys.stdin.buffer:
        for answer in answers(_value(line)):
            print(json.dumps(answer))
    return int(failed)


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
        return _fail(_no_variant(engine, options.variant))
    except ValueError as error:
        reason = f"{error.code} {error.facts or ''}" if isinstance(error, RuleError) else str(error)
        return _fail(f"{options.game} cannot be played so by {options.players} people: {reason}.")
    if options.games < 0 or options.jobs < 1:
        return _fail("--games must be 0 or more and --jobs 1 or more.")
    plan = simulation.Plan(options.game, variant.slug, options.players, options.seed, options.player, settings)
    for played in _progress(simulation.play_games(plan, options.games, options.jobs), options.games):
        print(json.dumps(played.record if options.record else played.report))
    return 0


def _play(options: argparse.Namespace) -> int:
    """Play a game: what is said goes to standard error, the record to standard output, however the game ends."""
    from engines import game, records, simulation, terminal  # noqa: PLC0415 -- `check` need not wait for it

    engine = GAMES[options.game]
    partners = {partner for variant in engine.variants for partner in variant.partners}
    names = [name for name in options.seats.split(",") if name and name not in partners]
    try:
        variant = engine.variant(options.variant or simulation.variant_for(engine, len(names)))
        seating = terminal.seat(engine, variant.slug, names)
        start = game.start(options.game, variant.slug, seating.labels, dict(map(_option, options.option)))
    except KeyError:
        return _fail(_no_variant(engine, options.variant))
    except records.RecordError as error:
        return _fail(error.reason.into(options.language))
    except RuleError:
        return _fail(f"{options.game} cannot be played by {len(names)} people.")
    secret = options.seed or secrets.token_hex(16)
    table = terminal.Table(start, seating, secret, sys.stdin, sys.stderr, options.language, options.advise)
    print(json.dumps(table.play().record))
    return 0


def _no_variant(engine: CompleteEngine, name: str) -> str:
    return f"{engine.slug} has no variant {name!r}: {', '.join(each.slug for each in engine.variants)}."


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
