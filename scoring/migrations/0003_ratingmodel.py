from django.db import migrations, models

import engines


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_append_only")]

    operations = [
        migrations.CreateModel(
            name="RatingModel",
            fields=[
                (
                    "game",
                    models.CharField(
                        choices=engines.choices, max_length=20, primary_key=True, serialize=False, verbose_name="game"
                    ),
                ),
                ("fingerprint", models.CharField(max_length=64, verbose_name="fingerprint")),
            ],
            options={"verbose_name": "rating model", "verbose_name_plural": "rating models"},
        ),
    ]
