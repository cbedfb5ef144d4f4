"""Records of real tables: attached to a table whose result they tell, and shown with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from play import rules
from play.errors import RecordInvalidError
from play.models import TableRecord
from scoring import rules as judging
from scoring.models import Report
from scoring.services.counting import said_now
from scoring.services.reports import author_of
from tournaments.actors import Actor, Kind
from tournaments.errors import ForbiddenError, TableStatusError
from tournaments.models import Table
from tournaments.services.events import bump
from tournaments.services.history import record as write_down
from tournaments.services.tables import lock_table, require_at_table


def attach_record(*, actor: Actor, table: Table, record: Any) -> TableRecord:
    """Attach the record of its game to a table: it is replayed, and must tell what a sheet of the table says."""
    require_at_table(actor=actor, table=table)
    report = rules.report_of(record)  # before anything is locked
    if report["game"] != table.round.event.game:
        raise RecordInvalidError(_("This is a record of another game."), game=table.round.event.game)
    judging.judge(table, report)
    with transaction.atomic():
        now = lock_table(table)
        _require_touchable(actor, now)
        minimal = judging.minimal(now.round.event, report)
        sheets = now.reports.filter(status__in=Report.STANDING)
        if not sheets:
            raise TableStatusError(_("Send the sheet of the table first, then its record."))
        told = next((sheet for sheet in sheets if minimal in {sheet.minimal, said_now(sheet)[0]}), None)
        if told is None:
            raise RecordInvalidError(_("This record tells another result than the sheet of the table."))
        kept, _created = TableRecord.objects.update_or_create(
            table=now,
            defaults={
                "variant": record["variant"],
                "seats": record["seats"],
                "options": record.get("options", {}),
                "moves": record["moves"],
                "minimal": told.minimal,
                "author": author_of(actor),
            },
        )
        _tell(actor, now, "record-attached")
    return kept


def remove_record(*, actor: Actor, table: Table) -> None:
    """Take the record off a table."""
    require_at_table(actor=actor, table=table)
    with transaction.atomic():
        now = lock_table(table)
        _require_touchable(actor, now)
        removed, _rows = TableRecord.objects.filter(table=now).delete()
        if removed:
            _tell(actor, now, "record-removed")


def _require_touchable(actor: Actor, table: Table) -> None:
    """Refuse to let a slip, which anybody in the room may hold, touch what somebody attached in their own name."""
    others = TableRecord.objects.filter(table=table).exclude(author=Kind.TABLE.value)
    if actor.kind == Kind.TABLE and others.exists():
        raise ForbiddenError(_("A slip speaks for nobody. Use a personal link."))


def _tell(actor: Actor, table: Table, verb: str) -> None:
    """Write down what happened to the record of a locked table, and let the pages of table and event show it."""
    Table.objects.filter(pk=table.pk).change()
    bump(table.round.event)
    write_down(actor=actor, event=table.round.event, verb=verb, table=table)


def recorded(tables: Iterable[Table]) -> set[int]:
    """Return the keys of those tables to which a record was attached that tells the result that counts."""
    told = TableRecord.objects.filter(table__in=tables, minimal=F("table__result__report__minimal"))
    return set(told.filter(table__result__is_counted=True).values_list("table", flat=True))


def has_record(table: Table) -> bool:
    """Say whether a record was attached to a table, whether its result counts or not."""
    return TableRecord.objects.filter(table=table).exists()


def record_of(table: Table) -> TableRecord | None:
    """Return the record of a table's result; None where there is none, or the result is another by now."""
    final = table.reports.filter(status=Report.Status.FINAL).values("minimal")
    found = TableRecord.objects.filter(table=table, minimal__in=final)
    return found.select_related("table__round__event__club").first()
