"""Run a whole event through the API: twelve players join, play three rounds of Dice Run, and are ranked.

URL=http://127.0.0.1:8000 TOKEN=lsu_… CLUB=cafe-meeple python whole_event.py
"""

from __future__ import annotations

import datetime as dt
import os

from ludoscore_client import Ludoscore, models, seats_of

NAMES = ["Ana", "Bo", "Chloé", "Dev", "Eva", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea"]  # the best first
ROUNDS = 3


def main() -> None:
    """Run it, and print the standings."""
    with Ludoscore(os.environ["URL"], os.environ["TOKEN"]) as api:
        for row in run_event(api, os.environ["CLUB"])["rows"]:
            print(f"{row['rank']:>3}. {row['player']['name']:<6} {row['points']:>6}  {row['explanation']}")


def run_event(api: Ludoscore, club: str) -> models.StandingsOutput:
    """Run an event from its creation to its last standings."""
    created = api.events_create(
        {
            "club": club,
            "name": "Dice Run, by script",
            "game": "dice-run",
            "rounds": ROUNDS,
            "table_size": {"min": 3, "max": 6, "preferred": 4},
            "starts_at": dt.datetime.now(dt.UTC).isoformat(),
        }
    )
    event = api.events_change(created["id"], {"status": "registration"})
    anybody = api.with_token(None)
    code = event["join_code"]
    entries = [anybody.entries_create(event["id"], {"name": name, "join_code": code}) for name in NAMES]
    for number in range(1, ROUNDS + 1):
        play_round(api, event["id"], number, entries)
    api.events_change(event["id"], {"status": "finished"})
    return api.settled_standings(event["id"])


def play_round(api: Ludoscore, event: str, number: int, entries: list[models.EntryWithToken]) -> None:
    """Seat a round as planned; at each table the first phone reports and the second one confirms."""
    seated = api.rounds_create(event, {"seed": number})
    groups = tables_of([entry["id"] for entry in entries], number)
    players = [entry["player"]["id"] for entry in entries]
    phones = {entry["player"]["id"]: api.with_token(entry["token"]) for entry in entries}
    moved = api.rounds_change(
        event,
        number,
        {
            "tables": [
                {"id": table["id"], "seats": group} for table, group in zip(seated["tables"], groups, strict=True)
            ]
        },
    )
    api.rounds_change(event, number, {"status": "running"})
    for table in moved["tables"]:
        first, second, *_ = seats_of(table)
        report = phones[first].reports_create(table["id"], {"report": sheet_of(seats_of(table), players)})
        phones[second].reports_confirm(report["id"])
    api.rounds_change(event, number, {"status": "closed"})


def tables_of(entries: list[str], number: int) -> list[list[str]]:
    """Return three tables of four for a round; without a plan of our own the service seats people well by itself."""
    groups: list[list[str]] = [[], [], []]
    for place, entry in enumerate(entries):
        groups[(place + number * (place // 3)) % 3].append(entry)
    return groups


def sheet_of(seats: list[str], players: list[str]) -> models.SheetDiceRun:
    """Return a Dice Run sheet on which the best win: who stood on the podium of each of the four stages."""
    first, second, third, *_ = sorted(seats, key=players.index)
    podiums = [[first, second, third], [second, first, third], [first, third, second], [first, second, third]]
    return {
        "game": "dice-run",
        "variant": "standard",
        "seats": seats,
        "stages": [{"podium": podium} for podium in podiums],
    }


if __name__ == "__main__":
    main()
