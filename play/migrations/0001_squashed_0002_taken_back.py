"""Make the tables of an empty database at once; one of a former version goes through the steps that this replaces."""

import core.ids
import django.db.models.deletion
import django.utils.timezone
import engines
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('play', '0001_initial'),
        ('play', '0002_taken_back'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('tournaments', '0001_squashed_0025_prizes'),
    ]

    operations = [
        migrations.CreateModel(
            name='TableRecord',
            fields=[
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='record', serialize=False, to='tournaments.table', verbose_name='table')),
                ('variant', models.CharField(max_length=20, verbose_name='variant')),
                ('seats', models.JSONField(verbose_name='seats')),
                ('options', models.JSONField(blank=True, default=dict, verbose_name='options')),
                ('moves', models.JSONField(verbose_name='moves')),
                ('minimal', models.CharField(max_length=64, verbose_name='fingerprint')),
                ('author', models.CharField(max_length=120, verbose_name='who')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='received')),
            ],
            options={
                'verbose_name': 'record of a table',
                'verbose_name_plural': 'records of tables',
            },
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=engines.choices, max_length=20, verbose_name='game')),
                ('variant', models.CharField(max_length=20, verbose_name='variant')),
                ('options', models.JSONField(blank=True, default=dict, verbose_name='options')),
                ('day', models.DateField(verbose_name='day')),
                ('seed', models.CharField(max_length=64, verbose_name='seed')),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='tournaments.club', verbose_name='club')),
            ],
            options={
                'verbose_name': 'challenge',
                'verbose_name_plural': 'challenges',
                'ordering': ['-day', 'game', 'club_id'],
                'constraints': [models.UniqueConstraint(fields=('club', 'game', 'day'), name='play_challenge_of_club'), models.UniqueConstraint(condition=models.Q(('club', None)), fields=('game', 'day'), name='play_challenge_of_everybody')],
            },
        ),
        migrations.CreateModel(
            name='SoloGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.CharField(default=core.ids.new_id, editable=False, max_length=16, unique=True)),
                ('game', models.CharField(choices=engines.choices, max_length=20, verbose_name='game')),
                ('variant', models.CharField(max_length=20, verbose_name='variant')),
                ('options', models.JSONField(blank=True, default=dict, verbose_name='options')),
                ('seats', models.JSONField(verbose_name='seats')),
                ('house', models.CharField(blank=True, max_length=20, verbose_name='house player')),
                ('seed', models.CharField(max_length=64, verbose_name='seed')),
                ('moves', models.JSONField(blank=True, default=list, verbose_name='moves')),
                ('taken_back', models.PositiveIntegerField(default=0, verbose_name='moves taken back')),
                ('status', models.CharField(choices=[('playing', 'being played'), ('over', 'over')], default='playing', max_length=8, verbose_name='status')),
                ('score', models.IntegerField(blank=True, null=True, verbose_name='score')),
                ('is_won', models.BooleanField(blank=True, null=True, verbose_name='won')),
                ('holder', models.CharField(max_length=64, verbose_name='phone')),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ('is_hidden', models.BooleanField(default=False, verbose_name='taken off the board')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='begun')),
                ('moved_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='last move')),
                ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished')),
                ('challenge', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='games', to='play.challenge', verbose_name='challenge')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'game in play',
                'verbose_name_plural': 'games in play',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['holder', 'created_at'], name='play_solo_holder'), models.Index(fields=['status', 'moved_at'], name='play_solo_idle'), models.Index(fields=['challenge', '-is_won', '-score'], name='play_solo_board')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('challenge__isnull', False)), fields=('challenge', 'holder'), name='play_one_try_a_phone'), models.UniqueConstraint(condition=models.Q(('challenge__isnull', False), ('user__isnull', False)), fields=('challenge', 'user'), name='play_one_try_a_user'), models.UniqueConstraint(condition=models.Q(('challenge', None), ('status', 'playing')), fields=('holder', 'game', 'variant'), name='play_one_open_game'), models.CheckConstraint(condition=models.Q(('status__in', ['playing', 'over'])), name='play_solo_status')],
            },
        ),
    ]
