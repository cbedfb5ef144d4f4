"""Idempotency: a request is done once, however often it is sent, and its answer is stored under its key.

The answer is stored in the transaction of the work. While that runs, an advisory lock (PostgreSQL) or the database's
own write lock (SQLite) keeps a second request out; a process that dies takes its lock and its half-done work with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from core.errors import ConflictError, DomainError
from core.models import StoredAnswer
from core.statements import Prepared, insert, together

_KNOWN = Prepared(lambda scope, key: StoredAnswer.objects.filter(scope=scope, key=key), str, str)


class StillRunningError(ConflictError):
    """The first request with this key has not been answered yet."""

    code = "idempotency-running"


class KeyReusedError(DomainError):
    """The key was used for another request."""

    code = "idempotency-mismatch"
    status = 422


class SecretRenewedError(ConflictError):
    """The first answer held a link or a slip that was renewed since."""

    code = "secret-renewed"


class KeyInvalidError(DomainError):
    """The key is empty, too long, or has characters that are not printable."""

    code = "idempotency-key-invalid"
    status = 400


@dataclass(frozen=True, slots=True)
class Ticket:
    """A request that is done once: whose it is, its key, and what tells it from any other with that key."""

    scope: str
    key: str
    fingerprint: str

    @classmethod
    def of_form(cls, scope: str, key: str, *values: Any) -> Ticket:
        """Return the ticket of a form that carries its key in a hidden field; `values` are what it says."""
        return cls(scope, key, hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest())

    def find(self) -> StoredAnswer | None:
        """Return the answer to the same request; None for the first, which has the key until its transaction ends.

        Raises what is wrong with the key, and `StillRunningError` while the first is running.
        """
        if not 1 <= len(self.key) <= StoredAnswer.LONGEST_KEY or not self.key.isprintable():
            raise KeyInvalidError(_("An Idempotency-Key has 1 to 200 printable characters."))
        # The lock comes before the read: otherwise two requests could both find nothing and both do the work. It is
        # released by the commit that also makes the answer visible, so the next request finds the answer.
        with together(), _locked(f"{self.scope} {self.key}"):
            known = _KNOWN.first(self.scope, self.key)
        if known is not None and known.fingerprint != self.fingerprint:
            raise KeyReusedError(_("This Idempotency-Key was used for another request."))
        return known

    def keep(self, body: Any, *, status: int = 200, grants: Iterable[tuple[int, str]] = ()) -> None:
        """Store the answer, a JSON value, in the transaction of the work, with the roles that it took."""
        answer = StoredAnswer(scope=self.scope, key=self.key, fingerprint=self.fingerprint, status=status, body=body)
        answer.grants = sorted(grants)
        insert(answer)


@contextmanager
def _locked(name: str) -> Iterator[None]:
    """Ask for the lock of a name, before the statements of the block; refuse after them where another has it."""
    if connection.vendor != "postgresql":
        yield  # a transaction holds the database's only write lock from its beginning
        return
    # Two keys with the same number would only make one of the requests try again.
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        # Refusing is cheaper than waiting: a client that retries quickly must not occupy several web threads.
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        yield
        if not cursor.fetchone()[0]:
            raise StillRunningError(_("The first request with this key is still running. Try again in a moment."))
