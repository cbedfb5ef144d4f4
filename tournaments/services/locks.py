"""Turns that changes of a club take."""

from __future__ import annotations

from tournaments.models import Club


def lock_club(club: Club) -> None:
    """Let nobody else take a turn at a club until the end of the transaction.

    The row's key stays free: else everything new that names the club, an event or somebody who is entered, would wait
    for a large file that comes in.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
