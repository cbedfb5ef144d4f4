"""Write down how names look that have a character which looks like several letters."""

from django.db import migrations

from core.likeness import look, look_folded

AT_ONCE = 1000


def fill(apps, editor):
    players = apps.get_model("tournaments", "Player").objects
    for player in players.only("pk", "name", "look", "look_folded").order_by("pk").iterator(AT_ONCE):
        looks = look(player.name), look_folded(player.name)
        if looks != (player.look, player.look_folded):
            players.filter(pk=player.pk).update(look=looks[0], look_folded=looks[1])


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0037_words_of_merges"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
