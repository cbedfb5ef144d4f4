"""Write down how names look that have letters whose look was lost, or lines and circles that stand for one."""

from django.db import migrations
from django.db.models import Q

from core.likeness import DRAWN, SHAPES, look, look_folded


def fill(apps, editor):
    players = apps.get_model("tournaments", "Player").objects
    letters = Q(*(("name__contains", chr(code)) for code in {**SHAPES, **DRAWN}), _connector=Q.OR)
    for player in players.filter(letters).only("pk", "name"):
        players.filter(pk=player.pk).update(look=look(player.name), look_folded=look_folded(player.name))


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0034_entries_that_claim"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
