"""The story of a demo, which the first page of a service tells that has one."""

from __future__ import annotations

from tournaments.models import Event

# Who runs the clubs of a demo. Nobody can have an address there, so that no real organiser is taken for one.
BEGINS, ENDS = "demo-", "@example.org"


def organiser_of_demo(token: str) -> str:
    """Return the address of somebody who runs the clubs of a demo."""
    return f"{BEGINS}{token}{ENDS}"


def evening_of_demo() -> Event | None:
    """Return the evening that is in progress in the newest demo here; None where there is none."""
    made = Event.objects.filter(created_by__email__startswith=BEGINS, created_by__email__endswith=ENDS)
    running = made.filter(status=Event.Status.RUNNING, is_public=True, club__is_public=True)
    # Whoever tries the demo may make more events; the story is of the one that came with it.
    return running.select_related("club", "season").order_by("-created_by", "pk").first()
