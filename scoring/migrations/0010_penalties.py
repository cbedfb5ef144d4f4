from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0009_draft_writers"),
    ]

    operations = [
        migrations.AddField(
            model_name="standingrow",
            name="penalty",
            field=models.BigIntegerField(
                db_default=0,
                default=0,
                help_text="What penalties took off the points, in 840ths.",
                verbose_name="penalty",
            ),
        ),
    ]
