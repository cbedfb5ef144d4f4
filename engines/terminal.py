"""A game at the terminal: people type their moves, house players make theirs, and the record is kept.

What is said goes to one stream and the record to another, so that it can be piped. Moves are numbers of the list,
or the move itself as it is written in a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TextIO

from engines import game, words
from engines.base import CompleteEngine, Words
from engines.game import Game
from engines.records import RecordError

OFFERED = 12

HELP = Words(
    "Type the number of a move, or a move as it is written. undo: take back your last choice. advise: what the house "
    "would do. more: further moves. table: see the table again. quit: stop and keep the record.",
    "Tapez le numéro d’un coup, ou un coup comme il s’écrit. undo : revenir à votre dernier choix. advise : ce que "
    "ferait la maison. more : d’autres coups. table : revoir la table. quit : arrêter en gardant le récit.",
)
MORE = Words("   … and {count} more.", "   … et {count} autres.")
NOTHING_TO_UNDO = Words("You have not chosen anything yet.", "Vous n’avez encore rien choisi.")
NO_NUMBER = Words("The list has no number {number}.", "La liste n’a pas de numéro {number}.")
TURN = Words("{seat}, your move:", "{seat}, à vous :")
OVER = Words("The game is over.", "La partie est finie.")
HAND_OVER = Words("Give the screen to {seat}, who presses Enter.", "Passez l’écran à {seat}, qui appuie sur Entrée.")
CLEAR = "\x1b[2J\x1b[H"
STOPPED = Words("Stopped after {count} moves; the record is kept.", "Arrêt après {count} coups ; le récit est gardé.")
ADVICE = Words("The house would play “{move}”: {what} {why}", "La maison jouerait « {move} » : {what} {why}")


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays: the labels of the seats, and the house player of each that is no person's."""

    labels: tuple[str, ...]
    house: dict[int, str]


def seat(engine: CompleteEngine, variant: str, names: Sequence[str]) -> Seating:
    """Seat people and house players; those of one kind are numbered, partners such as ALIX sit down by themselves."""
    partners = engine.variant(variant).partners
    names = [name for name in names if name not in partners]
    house = {index: name for index, name in enumerate(names) if name in engine.play.players}
    counts, seen = Counter(house.values()), Counter[str]()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(f"{name}-{seen[name]}" if counts[name] > 1 else name)
    return Seating((*labels, *partners), house)


class Table:
    """A game between people and house players at one terminal."""

    def __init__(
        self, start: Game, seating: Seating, secret: str, typed: TextIO, said: TextIO, language: str, is_advised: bool
    ) -> None:
        self.game, self.seating, self.secret = start, seating, secret
        self.typed, self.said, self.language, self.is_advised = typed, said, language, is_advised
        partners = start.engine.variant(start.variant).partners
        self.people = [
            seat for seat, label in enumerate(start.seats) if seat not in seating.house and label not in partners
        ]

    def play(self) -> Game:
        """Play until the game is over or nobody types any more, and return the game as far as it came."""
        self._go(self.game.deal(self.secret))
        try:
            while not self.game.is_over:
                self._turn()
        except (EOFError, KeyboardInterrupt):
            self._say("", STOPPED.filled(count=len(self.game.moves)))
            return self.game
        self._result()
        return self.game

    def _turn(self) -> None:
        seat = self.game.actor
        assert seat is not None  # noqa: S101 -- chance has been dealt
        if (player := self.seating.house.get(seat)) is not None:
            rng = Random(f"{self.secret} {player} {len(self.game.moves)}")
            self._go(self.game.choose(player, rng).deal(self.secret))
        else:
            self._go(self._ask(seat))

    def _go(self, after: Game) -> None:
        """Take the game on and tell what happened, to the one person there is or else to everybody."""
        listener = self.people[0] if len(self.people) == 1 else None
        new = after.moves[len(self.game.moves) :]
        for before, text in zip(game.steps_from(self.game, new), new, strict=False):
            said = game.told(before, text, listener)
            if before.actor is not None:
                said = words.NAMED.filled(name=before.seats[before.actor], text=said)
            self._say(f"  {said.into(self.language)}")
        self.game = after

    def _ask(self, seat: int) -> Game:
        """Return the game after what a person typed."""
        self._hand_over(seat)
        self._show(seat)
        if self.is_advised:
            self._advise()
        shown = self._offer(OFFERED)
        while True:
            match self._line(seat):
                case "undo":
                    before = self.game.undo(seat)
                    if before is not self.game:
                        self.game = before
                        return before
                    self._say(NOTHING_TO_UNDO)
                case "more":
                    shown = self._offer(4 * len(shown))
                case "advise":
                    self._advise()
                case "table":
                    self._show(seat)
                case "help" | "?":
                    self._say(HELP)
                case text:
                    if after := self._moved(text, shown):
                        return after

    def _line(self, seat: int) -> str:
        """Return what a person typed, without empty lines; EOFError where they type no more."""
        while True:
            self.said.write(f"{self.game.seats[seat]}> ")
            self.said.flush()
            line = self.typed.readline()
            if not line or line.strip() in ("quit", "q"):
                raise EOFError
            if line.strip():
                return line.strip()

    def _moved(self, text: str, shown: Sequence[str]) -> Game | None:
        numbers = {str(number): move for number, move in enumerate(shown, 1)}
        if text.isdecimal() and text not in numbers:
            self._say(NO_NUMBER.filled(number=text[:20]))
            return None
        try:
            return self.game.move(numbers.get(text, text)).deal(self.secret)
        except RecordError as error:
            self._say(error.reason)
            return None

    def _hand_over(self, seat: int) -> None:
        """Let somebody else sit down before a screen that shows secrets."""
        if len(self.people) > 1 and self.typed.isatty() and self.game.view(seat) != self.game.state:
            self._say(CLEAR, HAND_OVER.filled(seat=self.game.seats[seat]))
            self.typed.readline()

    def _show(self, seat: int) -> None:
        rules = self.game.engine.play
        self._say("", *rules.draw(self.game.view(seat), self.language), "", TURN.filled(seat=self.game.seats[seat]))

    def _offer(self, most: int) -> list[str]:
        offered = self.game.legal_moves(self.language, most)
        for number, each in enumerate(offered["moves"], 1):
            self._say(f"{number:>3}  {each['move']:<24} {each['words']}")
        if (more := offered["count"] - len(offered["moves"])) > 0:
            self._say(MORE.filled(count=more))
        return [each["move"] for each in offered["moves"]]

    def _advise(self) -> None:
        advice = self.game.advise(Random(f"{self.secret} advice {len(self.game.moves)}"))
        self._say(ADVICE.filled(move=advice.text, what=advice.words, why=advice.reason))

    def _result(self) -> None:
        rules = self.game.engine.play
        self._say("", *rules.draw(self.game.state, self.language), "", OVER)
        rows = self.game.engine.check(self.game.report).standings or ()
        self._say(*words.explain(self.game.engine, self.game.variant, rows, language=self.language))

    def _say(self, *lines: str | Words) -> None:
        for line in lines:
            print(line.into(self.language) if isinstance(line, Words) else line, file=self.said)
