from django.db import migrations, models

from core import epochs


def begin(apps, schema_editor):
    apps.get_model("core", "Epoch").objects.using(schema_editor.connection.alias).create(value=epochs.new())


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0009_start_code'),
    ]

    operations = [
        migrations.CreateModel(
            name='Epoch',
            fields=[
                ('value', models.CharField(max_length=8, primary_key=True, serialize=False)),
            ],
        ),
        migrations.RunPython(begin, migrations.RunPython.noop),
    ]
