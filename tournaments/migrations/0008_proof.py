"""Say whom unproven phones claim to be, show codes for other phones, and let joining be closed and capped.

Entries that are unverified from before stay so: their links prove nothing, and their tables stay rated as they are.
Events from before have no cap; new ones have the usual one.
"""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

MOST_ENTRIES = {
    "blank": True,
    "help_text": "More do not come in by the code. Organisers may still enter people.",
    "null": True,
    "validators": [django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)],
    "verbose_name": "players at most",
}


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0007_club_rated_openly")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="claims",
            field=models.ForeignKey(
                blank=True,
                help_text="A known player, until somebody vouches or says that it is not them.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="claimed_by",
                to="tournaments.player",
                verbose_name="says to be",
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="code_since",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="When its phone was shown a code for another phone.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="joining",
            field=models.CharField(
                choices=[("open", "open"), ("closed", "closed")], default="open", max_length=8, verbose_name="joining"
            ),
        ),
        migrations.AddField(
            model_name="event", name="most_entries", field=models.PositiveIntegerField(default=None, **MOST_ENTRIES)
        ),
        migrations.AlterField(
            model_name="event", name="most_entries", field=models.PositiveIntegerField(default=300, **MOST_ENTRIES)
        ),
        migrations.AlterField(
            model_name="entry",
            name="is_verified",
            field=models.BooleanField(
                default=True, help_text="Whether the personal link proves who the player is.", verbose_name="verified"
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("code_since", None), _negated=True),
                fields=["code_since"],
                name="tournaments_entry_code",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("event", "claims"), name="tournaments_entry_claims_uniq"),
        ),
    ]
