"""Take e-mail addresses out of the history, reports and attempts: accounts without a name were written by theirs.

There is no way back, and none is needed: the account itself is linked beside it. Seasons of public clubs that counted
private events are computed anew without them.
"""

from django.db import migrations
from django.db.models import F
from django.utils import timezone

LABELS = [("tournaments", "Action", "actor"), ("scoring", "Report", "author"), ("scoring", "Attempt", "author")]
KIND = "user "


def take_addresses_out(apps, editor):
    if editor.connection.vendor == "postgresql":
        editor.execute("SELECT set_config('ludoscore.rewriting', 'on', true)")
    users = apps.get_model("core", "User").objects
    for app, model, field in LABELS:
        rows = apps.get_model(app, model).objects.filter(
            **{f"{field}__startswith": KIND, f"{field}__contains": "@"}
        )
        for label in rows.order_by().values_list(field, flat=True).distinct():
            user = users.filter(email__iexact=label.removeprefix(KIND)).first()
            name = f"#{user.pk}" if user else "–"
            if user and user.name and "@" not in user.name:
                name = user.name
            rows.filter(**{field: label}).update(**{field: f"{KIND}{name}"})


def compute_seasons_anew(apps, editor):
    seasons = apps.get_model("tournaments", "Season").objects.filter(club__is_public=True, events__is_public=False)
    stale = apps.get_model("core", "Derived").objects.filter(kind="season", key__in=seasons.values("uid"))
    stale.update(wanted=F("wanted") + 1, stale_since=timezone.now())


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0002_derived"),
        ("scoring", "0005_cancelled_rounds"),
        ("tournaments", "0007_club_rated_openly"),
    ]

    operations = [
        migrations.RunPython(take_addresses_out, migrations.RunPython.noop),
        migrations.RunPython(compute_seasons_anew, migrations.RunPython.noop),
    ]
