from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0010_epoch'),
    ]

    operations = [
        migrations.AddField(
            model_name='outgoingmail',
            name='about',
            field=models.CharField(blank=True, db_default='', default='', max_length=16, verbose_name='id of the event'),
        ),
    ]
