"""From the address of a database to Django's settings of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dj_database_url
from psycopg.pq import Conninfo

POSTGRESQL, SQLITE = "ops.postgresql", "ops.sqlite"
LONGEST_NAME = 63  # bytes that PostgreSQL keeps of one


class UnknownOptionError(ValueError):
    """An address with an option that PostgreSQL's library does not know: no connection could be made by it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.wanted = f"an address without the option {name}, which PostgreSQL does not know"


def parse(url: str, options: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the settings of the database at an address; ValueError where it is none we can use.

    `options` are those of each kind of database, by the name of its backend; the address may override them.
    """
    found: dict[str, Any] = dict(dj_database_url.parse(url))
    name = str(found["NAME"])
    if name in {"", ":memory:"} or "\0" in name:  # in memory each thread would have a database of its own
        raise ValueError("it names no database")
    if found["ENGINE"] == "django.db.backends.sqlite3":
        # A file for the tests too: a worker process beside them must see the same rows.
        test = {"NAME": f"{found['NAME']}.test"}
        return found | {"ENGINE": SQLITE, "OPTIONS": dict(options[SQLITE]), "CONN_MAX_AGE": 600, "TEST": test}
    if found["ENGINE"] != "django.db.backends.postgresql":
        raise ValueError(url)
    if len(name.encode()) > LONGEST_NAME:
        raise ValueError("it names no database that PostgreSQL can have")
    known = {option.keyword.decode() for option in Conninfo.get_defaults()}
    for option in found.get("OPTIONS", {}):
        if option not in known:
            raise UnknownOptionError(option)
    own = {**options[POSTGRESQL], **found.get("OPTIONS", {})}
    # The pool keeps connections open, so a request must not keep its own beside it.
    return found | {"ENGINE": POSTGRESQL, "OPTIONS": own, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
