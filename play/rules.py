"""The only door from games in play to the engines: deal, move, look, step through a record and judge it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from cachetools import LRUCache
from django.utils.translation import gettext as _

from core import costly
from core.language import reader_language
from engines import game as playing
from engines.base import CompleteEngine, Engine, RuleError, Verdict
from engines.game import Game
from engines.records import RecordError
from play.errors import MoveIllegalError, RecordInvalidError, SetupInvalidError, TooLongError
from play.models import SoloGame

MOST_STEPS = SoloGame.MOST_MOVES  # of a record that somebody brings
MOST_LISTED = playing.MOST_OFFERED  # moves of a position
USUAL = "decent"  # makes the moves of ALIX, who never has a choice
HOUSE_SEAT = "house-{number}"
SHORT = 400  # moves whose replay costs no more than a page does; most games end before
MOST_KEPT = 60_000  # moves of the games that a process keeps replayed


@dataclass(frozen=True)
class Position:
    """A moment of a game as one seat sees it; `seat` is None where everything lies open."""

    game: Game
    seat: int | None
    most: int = MOST_LISTED

    @property
    def is_over(self) -> bool:
        """Whether the game is finished."""
        return self.game.is_over

    @property
    def number(self) -> int:
        """How many moves were made."""
        return len(self.game.moves)

    @cached_property
    def table(self) -> dict[str, Any]:
        """What lies on the table, as JSON to be drawn."""
        language = reader_language()
        shown = self.game.position(language) if self.seat is None else self.game.seen_by(self.seat, language)
        return dict(shown["table"])

    @property
    def actor(self) -> str | None:
        """The seat whose move it is; None for chance, and when the game is over."""
        return None if self.game.actor is None else self.game.seats[self.game.actor]

    @property
    def is_asked(self) -> bool:
        """Whether whoever looks may be told which moves there are: theirs, or where everything lies open any."""
        return not self.is_over and (self.seat is None or self.game.actor == self.seat)

    @cached_property
    def legal(self) -> dict[str, Any]:
        """How many moves are possible, and the first of them in words; none of somebody else."""
        return self.game.legal_moves(reader_language(), self.most) if self.is_asked else {"count": 0, "moves": []}


@dataclass(frozen=True)
class Step:
    """A move of a record. `seat` made it, None for chance; `move` is None where the reader may not know it."""

    number: int
    seat: str | None
    move: str | None
    words: str


@dataclass(frozen=True)
class Advice:
    """What a strong player would do after so many moves: the move, what it does, and why."""

    number: int
    move: str
    words: str
    reason: str


@dataclass(frozen=True)
class Replay:
    """A game replayed: where it is, and where it was before the last choice of the person, if they had any."""

    last: Game
    own: Game | None = None


# By game and the labels of its seats. The moves are compared before one is used, so nothing has to be thrown away.
_replays: LRUCache[tuple[str, ...], Replay] = LRUCache(MOST_KEPT, getsizeof=lambda kept: len(kept.last.moves) + SHORT)
_lock = threading.Lock()
_thread = threading.local()


@contextmanager
def turn() -> Iterator[None]:
    """Replay, or let the house move, when it is one's turn; TooManyAtOnceError where too many wait.

    Who has the turn already goes on with it: waiting for a second one, two could wait for each other.
    """
    if getattr(_thread, "has_turn", False):
        yield
        return
    with costly.bounded(costly.PLAY):
        _thread.has_turn = True
        try:
            yield
        finally:
            _thread.has_turn = False


def _replayed(game: SoloGame, names: Mapping[str, str] | None = None) -> Replay:
    """Return a game replayed from where this process knows it; who has a long way to go waits for a turn."""
    record = renamed(game.record, names or {})
    key = (game.uid, *record["seats"])
    with _turn_for(len(game.moves) - len(_known(key, record).last.moves)):
        # While this one waited, another thread may have replayed the same game.
        replay = _continued(game, _known(key, record))
    with _lock:
        _replays[key] = replay
    return replay


def _turn_for(moves: int) -> AbstractContextManager[None]:
    return turn() if moves > SHORT else nullcontext()


def _known(key: tuple[str, ...], record: Mapping[str, Any]) -> Replay:
    """Return what is kept of a game, or its start where moves were taken back since and where nothing is."""
    with _lock:
        kept = _replays.get(key)
    if kept and list(kept.last.moves) == record["moves"][: len(kept.last.moves)]:
        return kept
    return Replay(playing.open_record({**record, "moves": []}))


def _continued(game: SoloGame, known: Replay) -> Replay:
    last, own, person = known.last, known.own, game.seats.index(SoloGame.SEAT)
    for now in playing.steps_from(known.last, game.moves[len(known.last.moves) :]):
        last = now
        if now.actor == person and len(now.moves) < len(game.moves):
            own = now
    return Replay(last, own)


def begin(game: SoloGame) -> None:
    """Deal a game that was just made, up to the first move of the person."""
    try:
        first = playing.start(game.game, game.variant, game.seats, game.options)
    except RecordError as error:
        raise SetupInvalidError(error.reason.into(reader_language()), rule=error.code) from None
    with turn() if game.house else nullcontext():  # to deal alone costs next to nothing
        game.moves = list(_advanced(game, first).moves)


def _advanced(game: SoloGame, now: Game) -> Game:
    """Let chance and the house players move until it is the person's turn, or the game is over."""
    person = game.seats.index(SoloGame.SEAT)
    now = now.deal(game.seed)
    while now.actor not in {None, person}:
        # Each move has its own generator, so that what a house player does follows from the record and the seed.
        rng = Random(f"{game.seed} house {len(now.moves)}")
        now = now.choose(game.house or USUAL, rng).deal(game.seed)
    return now


def move(game: SoloGame, text: str) -> None:
    """Make a move of the person, and let the others answer; MoveIllegalError says which rule it breaks."""
    now = _replayed(game).last
    try:
        after = now.move(_written(now, text))
    except RecordError as error:
        found = error.as_json(reader_language())["errors"]
        raise MoveIllegalError(_("This move breaks a rule of the game; `errors` says which."), errors=found) from None
    after = _advanced(game, after)
    if len(after.moves) > SoloGame.MOST_MOVES:
        raise TooLongError(_("This game has become too long. Begin another."), most=SoloGame.MOST_MOVES)
    game.moves = list(after.moves)


def take_back(game: SoloGame) -> bool:
    """Return to the position before the person's last move; say whether there was one.

    Chance follows from the seed and the place in the game: what is dealt there again is what was dealt before.
    """
    before = _replayed(game).own
    if before is not None:
        game.moves = list(before.moves)
    return before is not None


def has_moved(game: SoloGame, names: Mapping[str, str] | None = None) -> bool:
    """Say whether the person has made a move that could be taken back."""
    return _replayed(game, names).own is not None


def advice(game: SoloGame, names: Mapping[str, str]) -> Advice:
    """Return what a strong player would do in the person's place, from no more than they see."""
    with turn():
        now = _replayed(game, names).last
        # The generator knows nothing of the seed, so that no advice tells what is to come.
        told = now.advise(Random(f"advice {game.uid} {len(now.moves)}"))
    language = reader_language()
    return Advice(len(now.moves), told.text, told.words.into(language), told.reason.into(language))


def _written(now: Game, text: str) -> str:
    """Return a move in its one form; as it is where it is none, for the engine to refuse."""
    rules = now.engine.play
    try:
        return rules.write(rules.read(now.state, text))
    except RuleError:
        return text


def is_made(game: SoloGame, number: int, text: str) -> bool:
    """Say whether a move of the person was already made in answer to move `number`, in these words or others."""
    if not 0 <= number < len(game.moves):
        return False
    then = _known((game.uid, *game.seats), game.record).own
    if then is None or len(then.moves) != number:  # an older move than the last is seldom sent again
        with _turn_for(number):
            then = playing.open_record({**game.record, "moves": game.moves[:number]})
    return bool(then.actor == game.seats.index(SoloGame.SEAT) and game.moves[number] == _written(then, text))


def position(game: SoloGame, names: Mapping[str, str], most: int = MOST_LISTED) -> Position:
    """Return a game as the person at it sees it, with at most so many moves; everything once it is over."""
    now = _replayed(game, names).last
    return Position(now, None if game.is_over else game.seats.index(SoloGame.SEAT), most)


def is_over(game: SoloGame) -> bool:
    """Say whether a game has had its last move."""
    return _replayed(game).last.is_over


def own_report(game: SoloGame) -> dict[str, Any]:
    """Return the report of a game that is over."""
    return _replayed(game).last.report


def renamed(record: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a record with other labels at its seats: what the engines say of it then names people."""
    labels: list[str] = []
    for seat in record["seats"]:
        name = names.get(seat, seat)
        while name in labels:  # two people of one name are told apart by a mark
            name += "′"
        labels.append(name)
    new = dict(zip(record["seats"], labels, strict=True))
    options = {
        key: {new.get(seat, seat): each for seat, each in value.items()} if key == "colours" else value
        for key, value in record.get("options", {}).items()
    }
    return {**record, "seats": labels} | ({"options": options} if options else {})


def report_of(record: object) -> dict[str, Any]:
    """Replay a record of anybody and return the report of its game; RecordInvalidError says what is wrong with it."""
    last = opened(record)
    if not last.is_over:
        raise RecordInvalidError(_("This record ends before the game does."))
    return last.report


def verdict_of(engine: Engine, report: Mapping[str, Any]) -> Verdict:
    """Judge the report of a game that was replayed."""
    return engine.check(report)


def opened(record: object) -> Game:
    """Return the game that a record of anybody tells, finished or not; RecordInvalidError says what is wrong."""
    moves = record.get("moves") if isinstance(record, dict) else None
    if isinstance(moves, list) and len(moves) > MOST_STEPS:
        raise RecordInvalidError(_("A record has at most {most} moves.").format(most=MOST_STEPS), most=MOST_STEPS)
    try:
        return playing.open_record(record)
    except RecordError as error:
        found = error.as_json(reader_language())["errors"]
        raise RecordInvalidError(_("This record breaks the rules; `errors` says where."), errors=found) from None


def at(record: Mapping[str, Any], number: int) -> Position:
    """Return a legal record after so many moves, with everything in the open."""
    return Position(playing.open_record({**record, "moves": record["moves"][:number]}), None)


def told(record: Mapping[str, Any], first: int, last: int, seat: int | None = None) -> list[Step]:
    """Return what moves of a legal record did, from one to another; to a seat, or for None everything."""
    told = zip(playing.steps(record), record["moves"][:last], strict=False)
    return [_step(now, text, seat) for now, text in told if len(now.moves) + 1 >= first]


def _step(now: Game, text: str, seat: int | None) -> Step:
    words = playing.told(now, text, seat, is_open=seat is None)
    is_known = seat is None or now.engine.play.owner(now.state, _read(now, text)) in {None, seat}
    by = None if now.actor is None else now.seats[now.actor]
    return Step(len(now.moves) + 1, by, text if is_known else None, words.into(reader_language()))


def since(game: SoloGame, names: Mapping[str, str]) -> list[Step]:
    """Return what happened since the last move of the person, as they may be told: theirs, chance, the others."""
    replay = _replayed(game, names)
    then = replay.own or replay.last.start
    made = game.moves[len(then.moves) :]
    seat = None if game.is_over else game.seats.index(SoloGame.SEAT)
    return [_step(now, text, seat) for now, text in zip(playing.steps_from(then, made), made, strict=False)]


def _read(now: Game, text: str) -> Any:
    return now.engine.play.read(now.state, text)


def house_players(engine: CompleteEngine) -> list[str]:
    """Return the house players of a game, the weakest first."""
    return list(engine.play.players)


def seats_of(engine: Engine, variant: str, people: int) -> Sequence[str]:
    """Return the seats of a game of one person against house players, or against nobody."""
    partners = engine.variant(variant).partners
    return [SoloGame.SEAT, *(HOUSE_SEAT.format(number=number) for number in range(1, people)), *partners]
