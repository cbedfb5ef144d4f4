from django.db import migrations, models

import tournaments.models.people


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='season',
            name='tiebreaks',
            field=models.JSONField(
                blank=True, default=tournaments.models.people.default_season_tiebreaks, verbose_name='tie-breaks'
            ),
        ),
    ]
