"""What an organiser can do next with an event and with a round, as buttons: the likeliest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from tournaments.models import LONGEST_REASON, Event, Format, Round
from tournaments.services import events, rounds
from web.console.board import Board


@dataclass(frozen=True, slots=True)
class Step:
    """A button: what it sends, and what it says. A grave one asks for confirmation.

    One that `asks` wants an answer for the phones that say they are somebody known.
    """

    LONGEST_REASON: ClassVar[int] = LONGEST_REASON

    do: str
    label: str
    needs_reason: bool = False
    is_grave: bool = False
    asks: bool = False


def steps_of_round(board: Board) -> list[Step]:
    """Return what can be done with the round on the board."""
    current = board.current
    if current is None:
        return []
    number = current.number
    match current.status:
        case Round.Status.DRAFT:
            return [
                Step("seated", _("Publish round {number}").format(number=number)),
                Step("again", _("Seat the round again")),
                Step("cancelled", _("Discard the draft"), is_grave=True),
            ]
        case Round.Status.SEATED:
            return [
                Step("running", _("Start round {number}").format(number=number)),
                Step("again", _("Seat the round again")),
                Step("cancelled", _("Cancel the seating"), is_grave=True),
            ]
        case Round.Status.RUNNING:
            close = Step("closed", _("Close round {number}").format(number=number))
            cancel = Step("cancelled", _("Cancel the round"), needs_reason=True, is_grave=True)
            has_later = any(each.number > number for each in board.rounds)
            moves = rounds.possible(current, has_later=has_later)
            return [close, cancel] if Round.Status.CANCELLED in moves else [close]
        case Round.Status.CLOSED if not board.event.is_over and not board.has_open_round:
            return [Step("running", _("Reopen round {number}").format(number=number))]
    return []


def steps_of_event(board: Board) -> list[Step]:
    """Return what can be done with the event."""
    statuses = events.possible(board.event, has_entries=bool(board.entered), has_open_round=board.has_open_round)
    moves = [_move(board, status) for status in statuses]
    steps = [*_seatings(board), *moves]
    if _is_played_out(board):
        steps.sort(key=lambda step: step.do != Event.Status.FINISHED)
    return sorted(steps, key=lambda step: step.is_grave)


def _seatings(board: Board) -> list[Step]:
    """Return the rounds that can be seated: the next one, and the final after a cut."""
    event = board.event
    is_on = event.status in {Event.Status.REGISTRATION, Event.Status.RUNNING}
    if not is_on or board.is_open_play or board.has_open_round:
        return []
    following = Step("seat", _("Seat round {number}").format(number=len(board.rounds) + 1))
    left = len(event.cuts) - _stages_played(board)
    if left <= 0 or not board.rounds:
        return [following]
    names = {1: _("Seat the final"), 2: _("Seat the semi-finals"), 3: _("Seat the quarter-finals")}
    final = Step("final", names.get(left, _("Seat the next stage")))
    if left < len(event.cuts):
        return [final]
    return [final, following] if len(board.rounds) >= event.rounds_planned else [following, final]


def _stages_played(board: Board) -> int:
    return sum(each.kind == Round.Kind.FINAL for each in board.rounds)


def _is_played_out(board: Board) -> bool:
    """Say whether everything that was planned has been played."""
    cuts = board.event.cuts
    return _stages_played(board) >= len(cuts) if cuts else len(board.rounds) >= board.event.rounds_planned


def _move(board: Board, status: str) -> Step:
    event = board.event
    needs_reason = (event.status, status) in events.WITH_REASON
    is_grave = status == Event.Status.CANCELLED
    asks = status == Event.Status.FINISHED and bool(board.unproven)
    return Step(status, _label(event, status), needs_reason, is_grave or needs_reason, asks)


def _label(event: Event, status: str) -> str:
    match status:
        case Event.Status.REGISTRATION:
            return _("Open registration")
        case Event.Status.RUNNING if event.format == Format.OPEN and not event.is_over:
            return _("Start the event") if event.is_solo else _("Start open play")
        case Event.Status.RUNNING:
            return _("Reopen the event")
        case Event.Status.FINISHED:
            return _("Finish the event")
        case Event.Status.DRAFT:
            return _("Back to draft")
    return _("Cancel the event")


def next_step(board: Board, of_round: Sequence[Step], of_event: Sequence[Step]) -> Step | None:
    """Return what comes next, which is the one main button of the page; None when all is done."""
    steps = of_round if board.current is not None and board.current.is_open else of_event
    if board.current is not None and board.current.status == Round.Status.RUNNING and board.settled < len(board.cards):
        return None  # the players are next
    return next((step for step in steps if not step.is_grave), None)
