"""A typed client of the Ludoscore API: `Ludoscore` waits for answers, `AsyncLudoscore` awaits them.

with Ludoscore("https://scores.example.org", "lsu_…") as api:
    for row in api.rows(api.clubs_list()):
        print(row["name"])

There is a method for every call of the API, under the name it has in the schema. What fails on the way is sent again
where that is safe: each `POST` that stores something carries an `Idempotency-Key`, so it is done once however often it
is sent.
"""

from __future__ import annotations

from ludoscore_client import models
from ludoscore_client.clients import AsyncLudoscore, Ludoscore
from ludoscore_client.exchange import Problem
from ludoscore_client.listening import Change

__all__ = ["AsyncLudoscore", "Change", "Ludoscore", "Problem", "models", "seats_of"]


def seats_of(table: models.TableOutput) -> list[str]:
    """Return the players of a table in seat order: the labels of its report."""
    return [seat["player"]["id"] for seat in table["seats"]]
