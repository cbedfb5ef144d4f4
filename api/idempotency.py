"""Every POST that stores something may carry an `Idempotency-Key`: sent twice, done once (`core.idempotency`).

An answer is given again to a caller who still has every role it took and still is whom it took, and with secrets that
are still valid.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from core.errors import ConflictError
from core.idempotency import SecretRenewedError, Ticket
from core.models import StoredAnswer
from core.transactions import atomic
from tournaments import trust
from tournaments.access import credentials
from tournaments.actors import LINKED, SELF, Actor, Grants, noting_grants
from tournaments.models import Club, Entry, Event, Player, Role, Table
from tournaments.services.history import refuse_too_many
from tournaments.services.permissions import require_role, require_say

if TYPE_CHECKING:
    from rest_framework.request import Request

    from api.base import ApiView

Handler = Callable[..., Response]
HEADER = OpenApiParameter(
    "Idempotency-Key",
    location=OpenApiParameter.HEADER,
    description="Sent again with the same key, the request is done once and answered as the first time.",
)
UNGUESSABLE = 16  # characters of a key that tells, without a credential, whose answer it is
SECRETS = {"token", "secret"}  # the members of an answer that are secrets; a name that looks like one stays a name


class SecretShownError(ConflictError):
    """The first request created a secret, which is shown once only."""

    code = "secret-already-shown"


def idempotent(handler: Handler) -> Handler:
    """Make a POST handler answer a repeated request with its first answer."""

    @functools.wraps(handler)
    def once(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> Response:
        ticket = _ticket(view, request)
        if ticket is None:
            return handler(view, request, *args, **kwargs)
        view.read_ahead()
        with atomic():
            known = ticket.find()
            if known is not None:
                return _replay(known, view.actor, is_sure=_is_sure(view.actor, ticket))
            with noting_grants() as grants:
                response = handler(view, request, *args, **kwargs)
            refuse_too_many(view.actor, "answers")
            redacted = _map_secrets(response.data, credentials.redact)
            ticket.keep(redacted, status=response.status_code, grants=_lasting(grants, view.actor))
        return response

    return cast("Handler", extend_schema(parameters=[HEADER])(once))


def first_answer(view: ApiView, request: Request) -> Response | None:
    """Return the first answer to a repeated request, before work of several transactions; None where it is the first.

    Such work must do nothing where it is done already, and gives its answer by an `idempotent` handler.
    """
    ticket = _ticket(view, request)
    if ticket is None:
        return None
    with atomic():
        known = ticket.find()
        return _replay(known, view.actor, is_sure=_is_sure(view.actor, ticket)) if known else None


def _ticket(view: ApiView, request: Request) -> Ticket | None:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    scope = view.actor.throttle_key or request.path[: StoredAnswer.LONGEST_SCOPE]
    return Ticket(scope, key, _fingerprint(request))


def _is_sure(actor: Actor, ticket: Ticket) -> bool:
    """Say whether it is the same caller who asks again."""
    return actor.throttle_key is not None or len(ticket.key) >= UNGUESSABLE


def _fingerprint(request: Request) -> str:
    body = repr(request.data).encode("utf-8", "surrogatepass")
    return hashlib.sha256(f"{request.method} {request.get_full_path()} ".encode() + body).hexdigest()


def _lasting(grants: Grants, actor: Actor) -> Grants:
    """Return what a caller must still have to be answered again: all but what the work ended, as forgetting does."""
    people = [key for key, what in grants if what == SELF]
    found = Player.objects.filter(pk__in=people) if people else ()
    return grants - {(player.pk, SELF) for player in found if not trust.is_account_of(actor, player)}


def _replay(known: StoredAnswer, actor: Actor, *, is_sure: bool) -> Response:
    """Answer again; a link only where it is sure that the same caller asks, who cannot have guessed the key."""
    roles = [(key, what) for key, what in known.grants if what not in {SELF, LINKED}]
    for club, role in roles:
        require_role(actor=actor, club=Club(pk=club), role=Role(role))
    secrets: list[str] = []

    def collect(text: str) -> str:
        secrets.append(text)
        return text

    _map_secrets(known.body, collect)
    for player in Player.objects.filter(pk__in=[key for key, what in known.grants if what in {SELF, LINKED}]):
        require_say(actor, player)
    if secrets and not is_sure:
        raise SecretShownError(_("The link in this answer is shown again only for a key that nobody guesses: a UUID."))
    if any(text in credentials.SHOWN_ONCE for text in secrets):
        raise SecretShownError(_("This secret was shown when it was made. Revoke it and make another."))
    _refuse_old_codes(known.body)
    return Response(_map_secrets(known.body, _derive_again(secrets)), status=known.status)


def _derive_again(redacted: list[str]) -> Callable[[str], str]:
    uids = [credentials.uid_of(text) for text in redacted]
    generations = dict(Entry.objects.filter(uid__in=uids).values_list("uid", "generation"))
    generations |= dict(Table.objects.filter(uid__in=uids).values_list("uid", "generation"))

    def derive(text: str) -> str:
        uid = credentials.uid_of(text)
        secret = credentials.derive(text[:4], uid, generations[uid]) if uid in generations else ""
        if not credentials.is_redacted(text, secret):
            raise _renewed()
        return secret

    return derive


def _refuse_old_codes(body: Any) -> None:
    """Refuse to show a code of an event that leads nowhere any more."""
    shown: dict[str, str] = {}

    def collect(members: dict[str, Any]) -> dict[str, Any]:
        if "join_code" in members and "id" in members:
            shown[members["id"]] = members["join_code"]
        return members

    json.loads(json.dumps(body), object_hook=collect)
    if shown and shown != dict(Event.objects.filter(uid__in=shown).values_list("uid", "join_code")):
        raise _renewed()


def _renewed() -> SecretRenewedError:
    return SecretRenewedError(_("This was done, and its link was renewed since. Ask for the one that is valid."))


def _map_secrets(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value as the client receives it, dates and lazy texts as JSON, with every secret in it changed."""

    def changed(members: dict[str, Any]) -> dict[str, Any]:
        found = {name: change(members[name]) for name in SECRETS if isinstance(members.get(name), str)}
        return members | found if found else members

    return json.loads(json.dumps(value, cls=JSONEncoder), object_hook=changed)
