"""Turns that changes of a club take."""

from __future__ import annotations

from tournaments.models import Club


def lock_club(club: Club) -> Club:
    """Return a club as it is now, and let nobody else take a turn at it until the end of the transaction.

    The row's key stays free: else everything new that names the club, an event or somebody who is entered, would wait
    for a large file that comes in.
    """
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def lock_club_and_events(club: Club) -> Club:
    """Return a club like `lock_club`, with all its events locked: these first, as whoever changes an event does."""
    list(club.events.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    return lock_club(club)
