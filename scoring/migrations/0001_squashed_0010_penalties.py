"""Make the tables of an empty database at once; one of a former version goes through the steps that this replaces."""

import importlib

import core.ids
import django.core.serializers.json
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import engines
from django.conf import settings
from django.db import migrations, models


# A module whose name begins with a digit has no import statement.
append_only = importlib.import_module("scoring.migrations.0002_append_only")


class Migration(migrations.Migration):

    replaces = [
        ('scoring', '0001_initial'),
        ('scoring', '0002_append_only'),
        ('scoring', '0003_ratingmodel'),
        ('scoring', '0004_browsers'),
        ('scoring', '0005_cancelled_rounds'),
        ('scoring', '0006_no_addresses'),
        ('scoring', '0007_result_changed_at'),
        ('scoring', '0008_rounds_of_standings'),
        ('scoring', '0009_draft_writers'),
        ('scoring', '0010_penalties'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('tournaments', '0001_squashed_0025_prizes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='draft', serialize=False, to='tournaments.table', verbose_name='table')),
                ('sheet', models.JSONField(default=dict, verbose_name='sheet')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('author', models.CharField(max_length=120, verbose_name='who')),
                ('writers', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='By the path of each value that is there.', verbose_name='who wrote what')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
            ],
            options={
                'verbose_name': 'draft',
                'verbose_name_plural': 'drafts',
            },
        ),
        migrations.CreateModel(
            name='RatingModel',
            fields=[
                ('game', models.CharField(choices=engines.choices, max_length=20, primary_key=True, serialize=False, verbose_name='game')),
                ('fingerprint', models.CharField(max_length=64, verbose_name='fingerprint')),
            ],
            options={
                'verbose_name': 'rating model',
                'verbose_name_plural': 'rating models',
            },
        ),
        migrations.CreateModel(
            name='Replay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=engines.choices, max_length=20, verbose_name='game')),
                ('why', models.CharField(max_length=500, verbose_name='why')),
                ('since_at', models.DateTimeField(blank=True, null=True, verbose_name='from')),
                ('since_table', models.PositiveBigIntegerField(blank=True, null=True, verbose_name='table')),
                ('tables', models.PositiveBigIntegerField(verbose_name='tables')),
                ('players_moved', models.PositiveIntegerField(verbose_name='players moved')),
                ('largest_move', models.PositiveIntegerField(help_text='In thousandths of a point.', verbose_name='largest move')),
                ('facts', models.JSONField(blank=True, default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='facts')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
            ],
            options={
                'verbose_name': 'replay',
                'verbose_name_plural': 'replays',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=40, verbose_name='refused as')),
                ('sheet', models.JSONField(verbose_name='sheet')),
                ('author', models.CharField(max_length=120, verbose_name='who')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='received')),
                ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='tournaments.entry', verbose_name='seat')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='tournaments.table', verbose_name='table')),
            ],
            options={
                'verbose_name': 'attempt',
                'verbose_name_plural': 'attempts',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=engines.choices, max_length=20, verbose_name='game')),
                ('at', models.DateTimeField(verbose_name='after')),
                ('table', models.PositiveBigIntegerField(verbose_name='table')),
                ('tables', models.PositiveBigIntegerField(verbose_name='tables so far')),
                ('state', models.BinaryField(verbose_name='ratings')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
            ],
            options={
                'verbose_name': 'checkpoint',
                'verbose_name_plural': 'checkpoints',
                'ordering': ['game', '-at', '-table'],
                'constraints': [models.UniqueConstraint(fields=('game', 'at', 'table'), name='scoring_checkpoint_uniq')],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.CharField(default=core.ids.new_id, editable=False, max_length=16, unique=True)),
                ('version', models.PositiveIntegerField(verbose_name='version')),
                ('status', models.CharField(choices=[('pending', 'waiting'), ('final', 'final'), ('disputed', 'disputed'), ('replaced', 'replaced'), ('withdrawn', 'withdrawn')], default='pending', max_length=12, verbose_name='status')),
                ('sheet', models.JSONField(blank=True, null=True, verbose_name='sheet')),
                ('minimal', models.CharField(help_text='Of what a table must report: equal for sheets that agree.', max_length=64, verbose_name='fingerprint')),
                ('standings', models.JSONField(default=list, verbose_name='standings')),
                ('forfeits', models.JSONField(blank=True, default=list, verbose_name='forfeits')),
                ('flags', models.JSONField(blank=True, default=list, help_text='Why somebody should look at it.', verbose_name='flags')),
                ('author', models.CharField(help_text='The kind of credential and what it stands for.', max_length=120, verbose_name='who')),
                ('device', models.CharField(blank=True, help_text='Tells at this table which browser sent it.', max_length=32, verbose_name='browser')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='why')),
                ('played_at', models.DateTimeField(blank=True, null=True, verbose_name='played')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='received')),
                ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='tournaments.entry', verbose_name='seat')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='tournaments.table', verbose_name='table')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'report',
                'verbose_name_plural': 'reports',
                'ordering': ['table_id', 'version'],
                'constraints': [models.UniqueConstraint(fields=('table', 'version'), name='scoring_report_version_uniq'), models.UniqueConstraint(condition=models.Q(('status', 'final')), fields=('table',), name='scoring_report_one_final'), models.CheckConstraint(condition=models.Q(('status__in', ['pending', 'final', 'disputed', 'replaced', 'withdrawn'])), name='scoring_report_status')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='result', serialize=False, to='tournaments.table', verbose_name='table')),
                ('game', models.CharField(choices=engines.choices, max_length=20, verbose_name='game')),
                ('first_final_at', models.DateTimeField(verbose_name='first final')),
                ('played_at', models.DateTimeField(verbose_name='played')),
                ('is_rated', models.BooleanField(verbose_name='rated')),
                ('is_counted', models.BooleanField(default=True, verbose_name='counts')),
                ('changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now, editable=False, verbose_name='changed')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='tournaments.event', verbose_name='event')),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='scoring.report', verbose_name='report')),
            ],
            options={
                'verbose_name': 'result',
                'verbose_name_plural': 'results',
                'ordering': ['first_final_at', 'table_id'],
                'indexes': [models.Index(fields=['game', 'first_final_at', 'table'], name='scoring_result_order'), models.Index(fields=['event', 'first_final_at'], name='scoring_result_event'), models.Index(fields=['changed_at', 'table'], name='scoring_result_changed')],
            },
        ),
        migrations.CreateModel(
            name='Placing',
            fields=[
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='placing', serialize=False, to='tournaments.seat', verbose_name='seat')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('at', models.DateTimeField(verbose_name='first final')),
                ('rank', models.PositiveSmallIntegerField(verbose_name='rank')),
                ('score', models.IntegerField(blank=True, null=True, verbose_name='score')),
                ('is_forfeit', models.BooleanField(default=False, verbose_name='forfeited')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placings', to='tournaments.entry', verbose_name='entry')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.event', verbose_name='event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placings', to='tournaments.player', verbose_name='player')),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placings', to='scoring.result', verbose_name='result')),
            ],
            options={
                'verbose_name': 'placing',
                'verbose_name_plural': 'placings',
                'ordering': ['result_id', 'rank', 'seat_id'],
                'indexes': [models.Index(fields=['player', 'game', '-at', '-seat'], name='scoring_placing_player'), models.Index(fields=['event'], name='scoring_placing_event')],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('placing', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='change', serialize=False, to='scoring.placing', verbose_name='placing')),
                ('before', models.IntegerField(verbose_name='before')),
                ('after', models.IntegerField(verbose_name='after')),
            ],
            options={
                'verbose_name': 'rating change',
                'verbose_name_plural': 'rating changes',
            },
        ),
        migrations.CreateModel(
            name='SeasonRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField(verbose_name='place')),
                ('rank', models.PositiveIntegerField(verbose_name='rank')),
                ('points', models.BigIntegerField(verbose_name='points')),
                ('events', models.PositiveIntegerField(verbose_name='events')),
                ('results', models.JSONField(default=list, verbose_name='results')),
                ('reason', models.JSONField(default=dict, verbose_name='reason')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='tournaments.player', verbose_name='player')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='tournaments.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'season standing',
                'verbose_name_plural': 'season standings',
                'ordering': ['season_id', 'place'],
                'constraints': [models.UniqueConstraint(fields=('season', 'place'), name='scoring_seasonrow_place_uniq'), models.UniqueConstraint(fields=('season', 'player'), name='scoring_seasonrow_player_uniq')],
            },
        ),
        migrations.CreateModel(
            name='StandingRow',
            fields=[
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='standing', serialize=False, to='tournaments.entry', verbose_name='entry')),
                ('place', models.PositiveIntegerField(help_text='The order of the list; ties share a rank.', verbose_name='place')),
                ('rank', models.PositiveIntegerField(verbose_name='rank')),
                ('points', models.BigIntegerField(verbose_name='points')),
                ('penalty', models.BigIntegerField(db_default=0, default=0, help_text='What penalties took off the points, in 840ths.', verbose_name='penalty')),
                ('tables', models.PositiveIntegerField(verbose_name='tables')),
                ('tiebreaks', models.JSONField(default=list, verbose_name='tie-breaks')),
                ('reason', models.JSONField(default=dict, verbose_name='reason')),
                ('is_ranked', models.BooleanField(default=True, help_text='Open play: enough tables were played.', verbose_name='counts')),
                ('rounds', models.JSONField(blank=True, db_default=[], default=list, help_text='Round, rank after it, points, place and seats of the table.', verbose_name='rounds')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='tournaments.event', verbose_name='event')),
            ],
            options={
                'verbose_name': 'standing',
                'verbose_name_plural': 'standings',
                'ordering': ['event_id', 'place'],
                'constraints': [models.UniqueConstraint(fields=('event', 'place'), name='scoring_standingrow_place_uniq')],
            },
        ),
        migrations.CreateModel(
            name='Voice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('says', models.CharField(choices=[('confirm', 'confirms'), ('dispute', 'disputes')], max_length=8, verbose_name='says')),
                ('device', models.CharField(blank=True, max_length=32, verbose_name='browser')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='why')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='voices', to='tournaments.entry', verbose_name='seat')),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='voices', to='scoring.report', verbose_name='report')),
            ],
            options={
                'verbose_name': 'voice',
                'verbose_name_plural': 'voices',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('report', 'entry'), name='scoring_voice_uniq')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=engines.choices, max_length=20, verbose_name='game')),
                ('rating', models.IntegerField(verbose_name='rating')),
                ('tables', models.PositiveIntegerField(verbose_name='tables')),
                ('last_played', models.DateTimeField(verbose_name='last played')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='tournaments.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'rating',
                'verbose_name_plural': 'ratings',
                'ordering': ['game', '-rating', 'player_id'],
                'indexes': [models.Index(fields=['game', '-rating', 'player'], name='scoring_rating_board')],
                'constraints': [models.UniqueConstraint(fields=('player', 'game'), name='scoring_rating_uniq')],
            },
        ),
        migrations.RunPython(append_only.protect, append_only.unprotect),
    ]
