"""Compute ratings again from the first table on: `manage.py rebuild_ratings --game dix`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import CommandError

from core.tables import TablesCommand
from scoring.rankings.ratings import store
from scoring.units import MILLI, as_text
from tournaments.games import GAMES, engine_of
from tournaments.models import OwnGame, Player

WIDTH = 40
CLEAR = "\r\033[K"
MOVES_SHOWN = 5


class Command(TablesCommand):
    """Replay every result in order, write what differs, and say what that was."""

    help = (
        "Compute the ratings of one game, or of all, again from the first table on. Running it twice changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        own = "or a club's own by what its results are kept under, such as own-k3v9"
        parser.add_argument("--game", help=f"only this game: {', '.join(GAMES)}, {own}")
        parser.add_argument("--dry-run", action="store_true", help="say what would change, and write nothing")

    def handle(self, *args: Any, game: str | None, dry_run: bool, **options: Any) -> None:
        """Rebuild, game by game."""
        if game and engine_of(game) is None:
            raise CommandError(f"There is no game {game!r}: choose from {', '.join(GAMES)}.")
        for slug in [game] if game else [*GAMES, *(own.key for own in OwnGame.objects.order_by("pk"))]:
            bar = self._bar(slug) if self.stderr.isatty() else None
            summary = store.refresh(slug, store.BEGINNING, why="rebuild_ratings", dry_run=dry_run, progress=bar)
            if bar is not None:
                self.stderr.write(CLEAR, ending="")
            self._tell(summary, dry_run)
        if not dry_run:
            store.forget_lost_seats()

    def _bar(self, game: str) -> store.Progress:
        def draw(done: int, total: int) -> None:
            filled = WIDTH * done // max(total, 1)
            bar = "█" * filled + "·" * (WIDTH - filled)
            self.stderr.write(f"{CLEAR}{game} [{bar}] {done:,} of {total:,} tables", ending="")

        return draw

    def _tell(self, summary: store.Summary, dry_run: bool) -> None:
        what = "would change" if dry_run else "changed"
        moved = f"{summary.changes:,} seats {what}, {len(summary.moves):,} players moved"
        self.stdout.write(f"{summary.game}: {summary.tables:,} tables, {moved}")
        names = Player.objects.in_bulk([move.player for move in summary.moves[:MOVES_SHOWN]])
        for move in summary.moves[:MOVES_SHOWN]:
            before, after = ("none" if each is None else as_text(each, MILLI) for each in (move.before, move.after))
            self.stdout.write(f"  {names[move.player]}: {before} → {after}")
