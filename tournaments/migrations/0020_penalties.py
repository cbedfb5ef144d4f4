import core.ids
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0019_more_messages"),
    ]

    operations = [
        migrations.CreateModel(
            name="Penalty",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.CharField(default=core.ids.new_id, editable=False, max_length=16, unique=True)),
                ("points", models.DecimalField(decimal_places=3, max_digits=9, verbose_name="points")),
                (
                    "round",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="The number of the round in which it happened.",
                        null=True,
                        verbose_name="round",
                    ),
                ),
                ("reason", models.CharField(max_length=500, verbose_name="why")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="given")),
                ("taken_back_at", models.DateTimeField(blank=True, null=True, verbose_name="taken back")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="penalties",
                        to="tournaments.entry",
                        verbose_name="entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="penalties",
                        to="tournaments.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "penalty",
                "verbose_name_plural": "penalties",
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("points__gt", 0)), name="tournaments_penalty_points")
                ],
            },
        ),
    ]
