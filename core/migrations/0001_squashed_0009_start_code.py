"""Make the tables of an empty database at once; one of a former version goes through the steps that this replaces."""

import core.ids
import core.models
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('core', '0001_initial'),
        ('core', '0002_derived'),
        ('core', '0003_stale_marks'),
        ('core', '0004_answer_grants'),
        ('core', '0005_drop_wrong_passwords'),
        ('core', '0006_edition_of_computations'),
        ('core', '0007_logins_and_mails'),
        ('core', '0008_news_of_an_event'),
        ('core', '0009_start_code'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('sessions', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='name')),
                ('sent_at', models.DateTimeField(verbose_name='sent')),
                ('done_at', models.DateTimeField(verbose_name='done')),
            ],
            options={
                'verbose_name': 'heartbeat',
                'verbose_name_plural': 'heartbeats',
            },
        ),
        migrations.CreateModel(
            name='StartCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
            ],
            options={
                'verbose_name': 'code of the first start',
                'verbose_name_plural': 'codes of the first start',
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('email_proved_at', models.DateTimeField(blank=True, editable=False, help_text='When a password was set by a secret that went to the address by mail, and nowhere else.', null=True, verbose_name='address proved')),
                ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ('is_staff', models.BooleanField(default=False, verbose_name='may use the admin')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='joined')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='core_user_email_uniq', violation_error_message='This e-mail is taken.')],
            },
            managers=[
                ('objects', core.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Derived',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('standings', 'standings'), ('ratings', 'ratings'), ('season', 'season')], max_length=12, verbose_name='what')),
                ('key', models.CharField(help_text='The id of an event or season, or the slug of a game.', max_length=20, verbose_name='of')),
                ('wanted', models.PositiveBigIntegerField(default=1, verbose_name='wanted')),
                ('done', models.PositiveBigIntegerField(default=0, verbose_name='done')),
                ('since_at', models.DateTimeField(blank=True, null=True, verbose_name='affected from')),
                ('since_table', models.PositiveBigIntegerField(blank=True, null=True, verbose_name='affected table')),
                ('stale_since', models.DateTimeField(blank=True, null=True, verbose_name='out of date since')),
                ('claimed_until', models.DateTimeField(blank=True, null=True, verbose_name='claimed until')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('parked_at', models.DateTimeField(blank=True, null=True, verbose_name='parked')),
                ('error', models.CharField(blank=True, max_length=500, verbose_name='error')),
                ('computed_at', models.DateTimeField(blank=True, null=True, verbose_name='computed')),
                ('edition', models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name='edition of the code')),
                ('vouched_at', models.DateTimeField(blank=True, null=True, verbose_name='computed by that edition')),
            ],
            options={
                'verbose_name': 'computation',
                'verbose_name_plural': 'computations',
                'ordering': ['kind', 'key'],
                'indexes': [models.Index(condition=models.Q(('stale_since__isnull', False)), fields=['stale_since'], name='core_derived_stale')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'key'), name='core_derived_uniq')],
            },
        ),
        migrations.CreateModel(
            name='Login',
            fields=[
                ('session', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='login', serialize=False, to='sessions.session', verbose_name='session')),
                ('uid', models.CharField(default=core.ids.new_id, editable=False, max_length=16, unique=True)),
                ('browser', models.CharField(blank=True, max_length=60, verbose_name='browser')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='since')),
                ('last_seen_at', models.DateTimeField(verbose_name='last seen')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='logins', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'login',
                'verbose_name_plural': 'logins',
                'ordering': ['-last_seen_at'],
            },
        ),
        migrations.CreateModel(
            name='OutgoingMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('invitation', 'invitation'), ('password', 'link to set a password'), ('event', 'news of an event')], max_length=12, verbose_name='kind')),
                ('to', models.EmailField(max_length=254, verbose_name='to')),
                ('subject', models.CharField(blank=True, max_length=200, verbose_name='subject')),
                ('body', models.TextField(blank=True, verbose_name='text')),
                ('origin', models.CharField(blank=True, max_length=200, verbose_name='address of the service')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='created')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('next_attempt_at', models.DateTimeField(blank=True, default=django.utils.timezone.now, null=True, verbose_name='next attempt')),
                ('sent_at', models.DateTimeField(blank=True, null=True, verbose_name='sent')),
                ('error', models.CharField(blank=True, max_length=80, verbose_name='error')),
            ],
            options={
                'verbose_name': 'mail',
                'verbose_name_plural': 'mails',
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('next_attempt_at__isnull', False)), fields=['next_attempt_at'], name='core_mail_due'), models.Index(fields=['created_at'], name='core_mail_created')],
            },
        ),
        migrations.CreateModel(
            name='StaleMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('standings', 'standings'), ('ratings', 'ratings'), ('season', 'season')], max_length=12, verbose_name='what')),
                ('key', models.CharField(max_length=20, verbose_name='of')),
                ('since_at', models.DateTimeField(blank=True, null=True, verbose_name='affected from')),
                ('since_table', models.PositiveBigIntegerField(blank=True, null=True, verbose_name='affected table')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='marked')),
                ('edition', models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name='edition of the code')),
            ],
            options={
                'verbose_name': 'change not computed yet',
                'verbose_name_plural': 'changes not computed yet',
                'indexes': [models.Index(fields=['kind', 'key'], name='core_stalemark_of')],
            },
        ),
        migrations.CreateModel(
            name='StoredAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(max_length=80, verbose_name='scope')),
                ('key', models.CharField(max_length=200, verbose_name='key')),
                ('fingerprint', models.CharField(max_length=64, verbose_name='fingerprint of the request')),
                ('status', models.PositiveSmallIntegerField(verbose_name='status')),
                ('body', models.JSONField(verbose_name='body')),
                ('grants', models.JSONField(default=list, help_text='Whoever repeats it must have them still.', verbose_name='roles it took')),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='created')),
            ],
            options={
                'verbose_name': 'stored answer',
                'verbose_name_plural': 'stored answers',
                'constraints': [models.UniqueConstraint(fields=('scope', 'key'), name='core_storedanswer_uniq')],
            },
        ),
    ]
