"""Write down how names look in which a line or a circle stands for a letter."""

from django.db import migrations
from django.db.models import Q

from core.likeness import DRAWN, look, look_folded


def fill(apps, editor):
    players = apps.get_model("tournaments", "Player").objects
    drawn = Q(*(("name__contains", chr(code)) for code in DRAWN), _connector=Q.OR)
    for player in players.filter(drawn).only("pk", "name"):
        players.filter(pk=player.pk).update(look=look(player.name), look_folded=look_folded(player.name))


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0035_looks_of_twins"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
