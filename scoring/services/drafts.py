"""The score sheet of a table while it is filled in, shared by everybody at the table."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import DraftConflictError
from scoring.models import Draft
from scoring.services.reports import require_open
from tournaments.actors import Actor
from tournaments.models import Table
from tournaments.services.tables import require_at_table


def draft_of(*, actor: Actor, table: Table) -> Draft:
    """Return the draft of a table; an empty one with version 0 where nobody has begun."""
    require_at_table(actor=actor, table=table)
    return Draft.objects.filter(table=table).first() or Draft(table=table, sheet={}, version=0)


def save_draft(*, actor: Actor, table: Table, sheet: dict[str, Any], version: int) -> Draft:
    """Save a draft over the version it was made from; the same one sent again is saved once.

    No lock is taken: the version decides who was first, and nothing else depends on a draft.
    """
    require_at_table(actor=actor, table=table)
    require_open(table)
    if not (_update if version else _create)(actor, table, sheet, version):
        current = draft_of(actor=actor, table=table)
        if not current.version or current.sheet != sheet:
            detail = _("Somebody else changed the sheet in the meantime. Look at their version first.")
            raise DraftConflictError(detail, draft=current)
    return Draft.objects.get(table=table)


def _create(actor: Actor, table: Table, sheet: dict[str, Any], version: int) -> bool:
    try:
        with transaction.atomic():
            Draft.objects.create(table=table, sheet=sheet, author=_author(actor))
    except IntegrityError:
        return False
    return True


def _update(actor: Actor, table: Table, sheet: dict[str, Any], version: int) -> bool:
    own = Draft.objects.filter(table=table, version=version)
    changed = own.update(sheet=sheet, version=F("version") + 1, author=_author(actor), updated_at=timezone.now())
    return bool(changed)


def _author(actor: Actor) -> str:
    """Say whose phone it was, by the id of the entry."""
    return actor.entry.uid if actor.entry else actor.kind.value
