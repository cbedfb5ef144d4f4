"""What an organiser can do next with an event and with a round, as buttons: the likeliest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.pages.board import Board
from tournaments import selectors
from tournaments.models import Event, Format, Round
from tournaments.services import events, rounds


@dataclass(frozen=True, slots=True)
class Step:
    """A button: what it sends, and what it says. A grave one is asked about twice."""

    do: str
    label: str
    needs_reason: bool = False
    is_grave: bool = False


def steps_of_round(board: Board) -> list[Step]:
    """Return what can be done with the round on the board."""
    current = board.current
    if current is None:
        return []
    number = current.number
    match current.status:
        case Round.Status.SEATED:
            return [
                Step("running", _("Start round {number}").format(number=number)),
                Step("again", _("Seat it anew")),
                Step("cancelled", _("Cancel the seating"), is_grave=True),
            ]
        case Round.Status.RUNNING:
            close = Step("closed", _("Close round {number}").format(number=number))
            cancel = Step("cancelled", _("Cancel the round"), needs_reason=True, is_grave=True)
            return [close, cancel] if Round.Status.CANCELLED in rounds.possible(current) else [close]
        case Round.Status.CLOSED if not board.event.is_over and not selectors.open_round(board.event):
            return [Step("running", _("Reopen round {number}").format(number=number))]
    return []


def steps_of_event(board: Board) -> list[Step]:
    """Return what can be done with the event."""
    moves = [_move(board.event, status) for status in events.possible(board.event)]
    steps = [*_seatings(board), *moves]
    if _is_played_out(board):
        steps.sort(key=lambda step: step.do != Event.Status.FINISHED)
    return sorted(steps, key=lambda step: step.is_grave)


def _seatings(board: Board) -> list[Step]:
    """Return the rounds that can be seated: the next one, and the final after a cut."""
    event = board.event
    is_on = event.status in {Event.Status.REGISTRATION, Event.Status.RUNNING}
    if not is_on or board.is_open_play or any(each.is_open for each in board.rounds):
        return []
    following = Step("seat", _("Seat round {number}").format(number=len(board.rounds) + 1))
    if not event.cut_to or not board.rounds or _has_final(board):
        return [following]
    final = Step("final", _("Seat the final"))
    return [final, following] if len(board.rounds) >= event.rounds_planned else [following, final]


def _has_final(board: Board) -> bool:
    return any(each.kind == Round.Kind.FINAL for each in board.rounds)


def _is_played_out(board: Board) -> bool:
    """Say whether everything that was planned has been played."""
    is_enough = len(board.rounds) >= board.event.rounds_planned
    return _has_final(board) or (is_enough and not board.event.cut_to)


def _move(event: Event, status: str) -> Step:
    needs_reason = (event.status, status) in events.WITH_REASON
    is_grave = status == Event.Status.CANCELLED
    return Step(status, _label(event, status), needs_reason, is_grave or needs_reason)


def _label(event: Event, status: str) -> str:
    match status:
        case Event.Status.REGISTRATION:
            return _("Open registration")
        case Event.Status.RUNNING if event.format == Format.OPEN and not event.is_over:
            return _("Start open play")
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
