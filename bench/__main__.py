"""`./run bench NAME …`: run a bench, or list them. Its tables are printed, and written as JSON."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from bench.tables import write

FOLDER = Path(__file__).resolve().parent.parent / "test-output" / "bench"
BENCHES = {
    "engines": "reports judged per second, beside parsing alone",
    "play": "games and moves per second; how much better the strong player is than the decent one",
    "race": "10 Phases worked out backwards: the table of the strong player, and the most that aims can win",
    "keeps": "the dice that players of 10 Phases keep of every throw, for every aim: what they look up in a move",
    "games": "simulate many games: the tables of likely scores and the pictures of docs/games.md",
    "seating": "repeated opponents and time, beside CP-SAT and the floor",
    "ratings": "a million tables rated, beside other libraries; the whole rebuild on PostgreSQL",
    "standings": "points, tie-breaks and ranks of an event, beside one SQL query",
    "api": "requests per second over loopback, beside a view that does nothing",
    "costs": "processor time and statements of one call, in one process",
    "contention": "16 writers in 16 events of one game: what their sessions at PostgreSQL wait for",
    "scale": "up to 1,000,000 results on PostgreSQL: what each call costs as they grow",
    "front": "the web process beside granian in WSGI mode, in turns",
    "walk": "one report from its POST to leaderboard and projector: crossings between packages, SQL statements",
    "mutations": "small changes of the code, and whether the tests notice them",
    "evening": "500 phones at the end of a round: errors, p99, seconds to standings, memory",
}


def main(arguments: list[str]) -> int:
    """Run the bench named first with the rest of the arguments."""
    if not arguments or arguments[0] not in BENCHES:
        print("./run bench NAME, one of:\n")
        for name, what in BENCHES.items():
            print(f"  {name:<10}  {what}")
        print("\nThe tables are also written as JSON, into test-output/bench.")
        return 0 if not arguments or arguments[0] in {"-h", "--help"} else 2
    name, *others = arguments
    importlib.import_module(f"bench.{name}").run(others)
    write(FOLDER / f"{name}.json")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
