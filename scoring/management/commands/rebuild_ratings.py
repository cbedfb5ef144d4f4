"""Compute ratings again from the first table on: `manage.py rebuild_ratings --game dix`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

import engines
from scoring.ratings import store
from tournaments.models import Player

WIDTH = 40
CLEAR = "\r\033[K"
MOVES_SHOWN = 5


class Command(BaseCommand):
    """Replay every result in order, write what differs, and say what that was."""

    help = (
        "Compute the ratings of one game, or of all, again from the first table on. Running it twice changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--game", choices=engines.GAMES, help="only this game")
        parser.add_argument("--dry-run", action="store_true", help="say what would change, and write nothing")

    def handle(self, *args: Any, game: str | None, dry_run: bool, **options: Any) -> None:
        """Rebuild, game by game."""
        for slug in [game] if game else engines.GAMES:
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
            before, after = ("none" if each is None else f"{each / 1000:.3f}" for each in (move.before, move.after))
            self.stdout.write(f"  {names[move.player]}: {before} → {after}")
