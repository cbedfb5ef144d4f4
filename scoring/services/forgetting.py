"""Take somebody's name out of sheets that nobody judged to be one, and out of what people gave as reasons."""

from __future__ import annotations

from scoring.models import Attempt, Draft, Report, Voice
from tournaments.models import Table
from tournaments.services.forgetting import Forgotten, rewrite_reasons


def forget(person: Forgotten) -> None:
    """Replace a person's names in what was said at their tables. Legal sheets hold ids, and stay as they are."""
    tables = Table.objects.filter(seats__entry__in=person.entries)
    names = person.told_apart
    for model in (Attempt, Draft):
        for row in model.objects.filter(table__in=tables):
            if (clean := person.out_of_json(row.sheet, names)) != row.sheet:
                model.objects.filter(pk=row.pk).update(sheet=clean)
    rewrite_reasons(Report.objects.filter(table__in=tables), person, names)
    rewrite_reasons(Voice.objects.filter(report__table__in=tables), person, names)
