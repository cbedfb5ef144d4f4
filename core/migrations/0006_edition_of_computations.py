from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("core", "0005_drop_wrong_passwords")]

    operations = [
        migrations.AddField(
            model_name="derived",
            name="edition",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name="edition of the code"),
        ),
        migrations.AddField(
            model_name="derived",
            name="vouched_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="computed by that edition"),
        ),
        migrations.AddField(
            model_name="stalemark",
            name="edition",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name="edition of the code"),
        ),
    ]
