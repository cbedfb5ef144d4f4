"""Every POST that stores something may carry an `Idempotency-Key`: sent twice, done once.

The answer is stored in the transaction of the work. While that runs, an advisory lock (PostgreSQL) or the database's
own write lock (SQLite) keeps a second request out; a process that dies takes its lock and its half-done work with it.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.db import connection, transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from core.errors import ConflictError, DomainError
from core.models import StoredAnswer
from tournaments import credentials
from tournaments.models import Entry, Table

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tournaments.api.base import ApiView

Handler = Callable[..., Response]
LONGEST_KEY = 200
HEADER = OpenApiParameter(
    "Idempotency-Key",
    location=OpenApiParameter.HEADER,
    description="Sent again with the same key, the request is done once and answered as the first time.",
)
SECRETS = {"token", "secret"}  # the members of an answer that are secrets; a name that looks like one stays a name


class StillRunningError(ConflictError):
    """The first request with this key has not been answered yet."""

    code = "idempotency-running"


class KeyReusedError(DomainError):
    """The key was used for another request."""

    code = "idempotency-mismatch"
    status = 422


class KeyInvalidError(DomainError):
    """The key is no key."""

    code = "idempotency-key-invalid"
    status = 400


class SecretShownError(ConflictError):
    """The first request created a secret, which is shown once only."""

    code = "secret-already-shown"


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
        if not 1 <= len(self.key) <= LONGEST_KEY or not self.key.isprintable():
            raise KeyInvalidError(_("An Idempotency-Key has 1 to 200 printable characters."))
        _lock(f"{self.scope} {self.key}")
        known = StoredAnswer.objects.filter(scope=self.scope, key=self.key).first()
        if known is not None and known.fingerprint != self.fingerprint:
            raise KeyReusedError(_("This Idempotency-Key was used for another request."))
        return known

    def keep(self, body: Any, *, status: int = 200) -> None:
        """Store the answer as it is written, in the transaction of the work."""
        written = json.loads(json.dumps(body, cls=JSONEncoder))
        StoredAnswer.objects.create(
            scope=self.scope, key=self.key, fingerprint=self.fingerprint, status=status, body=written
        )


def idempotent(handler: Handler) -> Handler:
    """Make a POST handler answer a repeated request with its first answer."""

    @functools.wraps(handler)
    def once(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return handler(view, request, *args, **kwargs)
        ticket = Ticket(view.actor.throttle_key or f"{request.path}"[:80], key, _fingerprint(request))
        with transaction.atomic():
            known = ticket.find()
            if known is not None:
                return _replay(known)
            response = handler(view, request, *args, **kwargs)
            ticket.keep(_map_secrets(response.data, credentials.redact), status=response.status_code)
        return response

    return cast("Handler", extend_schema(parameters=[HEADER])(once))


def _lock(name: str) -> None:
    if connection.vendor != "postgresql":
        return  # a transaction holds the database's only write lock from its beginning
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        if not cursor.fetchone()[0]:
            raise StillRunningError(_("The first request with this key is still running. Try again in a moment."))


def _fingerprint(request: Request) -> str:
    body = repr(request.data).encode("utf-8", "surrogatepass")
    return hashlib.sha256(f"{request.method} {request.get_full_path()} ".encode() + body).hexdigest()


def _replay(known: StoredAnswer) -> Response:
    secrets: list[str] = []

    def collect(text: str) -> str:
        secrets.append(text)
        return text

    _map_secrets(known.body, collect)
    if any(text in credentials.SHOWN_ONCE for text in secrets):
        raise SecretShownError(_("This secret was shown when it was made. Revoke it and make another."))
    return Response(_map_secrets(known.body, _derive_again(secrets)), status=known.status)


def _derive_again(redacted: list[str]) -> Callable[[str], str]:
    uids = [credentials.uid_of(text) for text in redacted]
    generations = dict(Entry.objects.filter(uid__in=uids).values_list("uid", "generation"))
    generations |= dict(Table.objects.filter(uid__in=uids).values_list("uid", "generation"))

    def derive(text: str) -> str:
        uid = credentials.uid_of(text)
        return credentials.derive(text[:4], uid, generations[uid])

    return derive


def _map_secrets(value: Any, change: Callable[[str], str], name: str = "") -> Any:
    """Return a JSON value with every string that is a secret changed."""
    if isinstance(value, dict):
        return {key: _map_secrets(inner, change, key) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_map_secrets(inner, change) for inner in value]
    return change(value) if name in SECRETS and isinstance(value, str) else value
