"""Nothing in a cancelled round or event counts: take away what earlier versions left rated."""

from django.db import migrations
from django.db.models import F, Min


def uncount(apps, schema_editor):
    Round = apps.get_model("tournaments", "Round")
    Table = apps.get_model("tournaments", "Table")
    Event = apps.get_model("tournaments", "Event")
    Report = apps.get_model("scoring", "Report")
    Result = apps.get_model("scoring", "Result")
    Placing = apps.get_model("scoring", "Placing")
    RatingChange = apps.get_model("scoring", "RatingChange")
    Round.objects.filter(event__status="cancelled").exclude(status="cancelled").update(
        status="cancelled", version=F("version") + 1
    )
    tables = Table.objects.filter(round__status="cancelled")
    Report.objects.filter(table__in=tables, status__in=["pending", "disputed", "final"]).update(status="replaced")
    results = Result.objects.filter(table__in=tables, is_counted=True)
    rated = list(results.filter(is_rated=True).order_by("game").values_list("game").annotate(Min("first_final_at")))
    events = list(Event.objects.filter(results__in=results).distinct().values_list("pk", "uid"))
    RatingChange.objects.filter(placing__result__in=results).delete()
    Placing.objects.filter(result__in=results).delete()
    results.update(is_counted=False)
    tables.exclude(status="dropped").update(status="dropped", version=F("version") + 1)
    Event.objects.filter(pk__in=[pk for pk, _uid in events]).update(version=F("version") + 1)
    for _pk, uid in events:
        mark(apps, "standings", uid)
    for game, since in rated:
        mark(apps, "ratings", game, since)


def mark(apps, kind, key, since=None):
    """Write down that a computation is out of date, as `core.computations` does; the sweep finds it."""
    table = None if since is None else 0
    apps.get_model("core", "StaleMark").objects.create(kind=kind, key=key, since_at=since, since_table=table)


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0004_answer_grants"),
        ("scoring", "0004_browsers"),
        ("tournaments", "0003_webhooks"),
    ]

    operations = [migrations.RunPython(uncount, migrations.RunPython.noop)]
