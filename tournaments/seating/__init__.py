"""Who sits with whom: schedules planned ahead and Swiss rounds, for tables of several players.

Pure: plain values in, plain values out, no database, no clock. Chance comes from a seed and the search budget is
counted in steps, so the same input gives the same seating on any machine; ids are opaque, their order means nothing.

    limits = SizeLimits(low=3, high=5, preferred=4)
    schedule = plan_rotation(["ana", "ben", …], 5, limits, seed=7)          # Schedule: all rounds at once
    rest = plan_rotation(still_here, 3, limits, past=schedule.rounds[:2], planned=schedule.rounds[2:], seed=8)

    entrants = [Entrant("ana", points=1680), …]
    seating = seat_swiss(entrants, limits, past=rounds_played, rounds_left=3, keep_apart=[("ana", "ben")], seed=7)
    seating.tables, seating.sitting_out, seating.quality                    # Seating: the next round
    assess(SeatedRound(tables_as_changed), entrants, past=rounds_played)    # Quality of a seating changed by hand

Past rounds are `SeatedRound(tables, sitting_out)` with tables in seat order. Anyone in them who is not among the
players given is absent now and not seated. Nothing is refused except a contradiction or fewer players than the
smallest table (SeatingError); what could not be avoided is in the quality, beside the floor. See docs/seating.md.
"""

from tournaments.seating.places import place
from tournaments.seating.rotation import plan_rotation
from tournaments.seating.sizes import table_sizes
from tournaments.seating.swiss import assess, seat_swiss
from tournaments.seating.values import Entrant, Quality, Schedule, SeatedRound, Seating, SeatingError, SizeLimits

__all__ = [
    "Entrant",
    "Quality",
    "Schedule",
    "SeatedRound",
    "Seating",
    "SeatingError",
    "SizeLimits",
    "assess",
    "place",
    "plan_rotation",
    "seat_swiss",
    "table_sizes",
]
