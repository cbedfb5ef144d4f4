"""Take people's names out of sheets that nobody judged to be one, and out of what people gave as reasons."""

from __future__ import annotations

from django.db.models import F

from core.statements import parts
from scoring.models import Attempt, Draft, Report, Voice
from tournaments.models import Table
from tournaments.services.forgetting import Forgotten, rewrite_texts, save


def forget(them: Forgotten) -> None:
    """Replace people's names in what was said at their tables. Legal sheets hold ids, and stay as they are."""
    for part in parts([entry.pk for entry, _ in them.entries]):
        tables = Table.objects.filter(seats__entry__in=part)
        for model in (Attempt, Draft):
            changed = []
            for row in model.objects.filter(table__in=tables).annotate(of=F("table__round__event")):
                if (clean := them.words([row.of]).out_of_json(them.out_of_json(row.sheet))) != row.sheet:
                    row.sheet = clean
                    changed.append(row)
            save(changed, "sheet")
        rewrite_texts(Report.objects.filter(table__in=tables), "table__round__event", them)
        rewrite_texts(Voice.objects.filter(report__table__in=tables), "report__table__round__event", them)
