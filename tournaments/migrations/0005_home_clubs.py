"""Give everybody whom a club already knows a home: the club that knew the record first.

Clubs that came later, by entering somebody else's person, get nothing. A record that no club knows any more has the club
of its first event, and one without either has none.
"""

from django.db import migrations
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce


def give_homes(apps, schema_editor):
    Player = apps.get_model("tournaments", "Player")
    known = apps.get_model("tournaments", "Affiliation").objects.filter(player=OuterRef("pk")).order_by("pk")
    entered = apps.get_model("tournaments", "Entry").objects.filter(player=OuterRef("pk")).order_by("pk")
    first = Coalesce(Subquery(known.values("club")[:1]), Subquery(entered.values("event__club")[:1]))
    Player.objects.filter(home=None).update(home=first)


def take_homes(apps, schema_editor):
    apps.get_model("tournaments", "Player").objects.update(home=None)


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0004_player_home")]

    operations = [migrations.RunPython(give_homes, take_homes)]
