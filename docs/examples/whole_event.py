"""Run a whole event through the API: twelve players join, play three rounds of Dice Run, and are ranked.

URL=http://127.0.0.1:8000 TOKEN=lsu_… CLUB=cafe-meeple python whole_event.py
"""

from __future__ import annotations

import datetime as dt
import os
import random
from collections.abc import Sequence
from typing import Any

from ludoscore import Ludoscore, seats_of

NAMES = ["Ana", "Bo", "Chloé", "Dev", "Eva", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea"]
ROUNDS = 3


def main() -> None:
    """Run it."""
    api = Ludoscore(os.environ["URL"], os.environ["TOKEN"])
    event = api.create_event(
        club=os.environ["CLUB"],
        name="Dice Run, by script",
        game="dice-run",
        rounds=ROUNDS,
        table_size={"min": 3, "max": 6, "preferred": 4},
        starts_at=dt.datetime.now(dt.UTC).isoformat(),
    )
    event = api.change_event(event["id"], status="registration")
    joined = [api.join(event["id"], name, event["join_code"]) for name in NAMES]
    phones = {entry["player"]["id"]: api.with_token(entry["token"]) for entry in joined}
    for _ in range(ROUNDS):
        play_round(api, event["id"], phones)
    api.change_event(event["id"], status="finished")
    for row in api.settled_standings(event["id"])["rows"]:
        print(f"{row['rank']:>3}. {row['player']['name']:<6} {row['points']:>6}  {row['explanation']}")


def play_round(api: Ludoscore, event: str, phones: dict[str, Ludoscore]) -> None:
    """Seat a round; at each table the first phone reports and the second one confirms."""
    seated = api.seat_round(event)
    number = seated["number"]
    api.change_round(event, number, status="running")
    for table in seated["tables"]:
        players = seats_of(table)
        report = phones[players[0]].report(table["id"], sheet_of(players))
        phones[players[1]].confirm(report["id"])
    api.change_round(event, number, status="closed")


def sheet_of(players: Sequence[str]) -> dict[str, Any]:
    """Return a Dice Run sheet: who stood on the podium of each of the four stages."""
    podiums = [random.sample(players, 3) for _ in range(4)]
    return {
        "game": "dice-run",
        "variant": "standard",
        "seats": list(players),
        "stages": [{"podium": podium} for podium in podiums],
    }


if __name__ == "__main__":
    main()
