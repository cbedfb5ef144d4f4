"""Lead every merged record to its person in one step: two merges at once could leave one that led to a merged one.

It becomes what the two merges would have left one after the other, so that they can be taken back and the person be
forgotten. Of a person who was forgotten meanwhile, nobody found such a record: it stands for itself again, under its
name, so that whoever runs its club sees it and can have it forgotten too.
"""

import datetime as dt

from django.db import migrations
from django.utils import timezone

BEFORE_EVERYTHING = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def flatten(apps, editor):
    Player = apps.get_model("tournaments", "Player")
    into = dict(Player.objects.exclude(merged_into=None).values_list("pk", "merged_into"))
    chained = sorted(record for record, kept in into.items() if kept in into)
    gone = set(Player.objects.exclude(anonymised_at=None).values_list("pk", flat=True)) if chained else set()
    paths = [path_from(record, into, gone) for record in chained]
    for record, *ahead in paths:
        Player.objects.filter(pk=record).update(merged_into=ahead[-1] if ahead else None)
        tell_merges(apps, record, ahead)
        tell_clubs(apps, record, ahead)
    mark(apps, {record for path in paths for record in path} | {into[record] for record in chained})


def path_from(record, into, gone):
    """Return a record and those that it leads to; one with a name ends before those who were forgotten."""
    path = [record]
    while (kept := into.get(path[-1])) and kept not in path and (record in gone or kept not in gone):
        path.append(kept)
    return path


def tell_merges(apps, record, ahead):
    """Let the merges of the records on the way take this one along; one that leads nowhere any more is taken back."""
    merges = apps.get_model("tournaments", "Merge").objects.filter(undone_at=None)
    if not ahead:
        merges.filter(gone=record).update(undone_at=timezone.now())
    for merge in merges.filter(gone__in=ahead[:-1]):
        merge.moved = sorted({*merge.moved, record})
        merge.save(update_fields=["moved"])


def tell_clubs(apps, record, ahead):
    """Let the clubs that know a record know its person."""
    known = apps.get_model("tournaments", "Affiliation").objects
    clubs = known.filter(player=record).values_list("club", flat=True)
    rows = [known.model(club_id=club, player_id=kept) for kept in ahead[-1:] for club in clubs]
    known.bulk_create(rows, ignore_conflicts=True)


def mark(apps, records):
    """Write down that ratings and seasons with these records are out of date; the sweep finds it."""
    events = apps.get_model("tournaments", "Event").objects.filter(entries__player__in=records).order_by()
    marks = apps.get_model("core", "StaleMark").objects
    for game in events.values_list("game", flat=True).distinct():
        marks.create(kind="ratings", key=game, since_at=BEFORE_EVERYTHING, since_table=0)
    for season in events.exclude(season=None).values_list("season__uid", flat=True).distinct():
        marks.create(kind="season", key=season)


class Migration(migrations.Migration):

    dependencies = [
        ("core", "0006_edition_of_computations"),
        ("tournaments", "0030_ties_of_a_club"),
    ]

    operations = [
        migrations.RunPython(flatten, migrations.RunPython.noop),
    ]
