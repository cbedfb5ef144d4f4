"""Users, who log in by e-mail, where they are logged in, mail to them, and the heartbeat of the worker."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.addresses import is_address
from core.ids import ID_LENGTH, new_id
from core.signals import password_replaced


class UserManager(BaseUserManager["User"]):
    """Create and find users by their e-mail address, whatever its case."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create a user; without a password they cannot log in until one is set."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create a user who may do everything in the admin."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        """Find the user a login form names."""
        return self.at(username or "").get()

    def at(self, address: str) -> models.QuerySet[User]:
        """Return the account of an address, if there is one."""
        return self.filter(is_address("email", address))


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who runs events. Players need no account.

    A new password in place of another ends every session and token in the same transaction, whoever sets it.
    """

    LONGEST_NAME = 80
    LONGEST_EMAIL = 254

    email = models.EmailField(_("e-mail address"), max_length=LONGEST_EMAIL)
    email_proved_at = models.DateTimeField(
        _("address proved"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("When a password was set by a secret that went to the address by mail, and nowhere else."),
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    _password: str | None  # what was set and is not saved yet, in Django's base class
    _has_replaced_password = False

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.UniqueConstraint(
                Lower("email"), name="core_user_email_uniq", violation_error_message=_("This e-mail is taken.")
            )
        ]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def public_name(self) -> str:
        """What others are shown of the account: its name, or its number where that is missing or an address."""
        return self.name if self.name and "@" not in self.name else f"#{self.pk}"

    def clean(self) -> None:
        """Put the domain of the address in lower case."""
        super().clean()
        self.email = type(self).objects.normalize_email(self.email)

    def set_password(self, raw_password: str | None) -> None:
        """Set a password; the first one replaces none, and ends nothing."""
        self._has_replaced_password |= self.has_usable_password()
        super().set_password(raw_password)

    def set_unusable_password(self) -> None:
        """Take the password away."""
        self._has_replaced_password |= self.has_usable_password()
        super().set_unusable_password()

    def save(self, *args: Any, **options: Any) -> None:
        """Save; where the password was replaced, whatever stood on the former one ends."""
        # The same password, only hashed anew at a login, is left as None in `_password` by Django.
        is_other = self._password is not None or not self.has_usable_password()
        has_replaced, self._has_replaced_password = self._has_replaced_password and is_other, False
        with transaction.atomic():
            super().save(*args, **options)
            if has_replaced:
                password_replaced.send(type(self), user=self)


class Login(models.Model):
    """Where somebody is logged in: a session that its owner can recognise and end. It goes with its session."""

    LONGEST_BROWSER = 60

    # Code from before this table deletes sessions without knowing of it, while both run; hence no constraint.
    session = models.OneToOneField(
        Session, models.CASCADE, primary_key=True, db_constraint=False, related_name="login", verbose_name=_("session")
    )
    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="logins", verbose_name=_("user"))
    browser = models.CharField(_("browser"), max_length=LONGEST_BROWSER, blank=True)
    created_at = models.DateTimeField(_("since"), auto_now_add=True)
    last_seen_at = models.DateTimeField(_("last seen"))

    class Meta:
        verbose_name = _("login")
        verbose_name_plural = _("logins")
        ordering = ["-last_seen_at"]

    def __str__(self) -> str:
        return self.browser or str(_("Unknown browser"))


class OutgoingMail(models.Model):
    """A mail that is to be sent, or was. Its text may hold a secret, and is erased once nobody will send it again.

    The link of a password is made when the mail is sent: until then nothing here tells whether there is an account.
    """

    class Kind(models.TextChoices):
        """What a mail is about."""

        INVITATION = "invitation", _("invitation")
        PASSWORD = "password", _("link to set a password")
        EVENT = "event", _("news of an event")

    LONGEST_SUBJECT = 200
    LONGEST_ERROR = 80

    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    to = models.EmailField(_("to"))
    subject = models.CharField(_("subject"), max_length=LONGEST_SUBJECT, blank=True)
    body = models.TextField(_("text"), blank=True)
    about = models.CharField(_("id of the event"), max_length=ID_LENGTH, blank=True, default="", db_default="")
    origin = models.CharField(_("address of the service"), max_length=200, blank=True)
    language = models.CharField(_("language"), max_length=10, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(_("next attempt"), null=True, blank=True, default=timezone.now)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=LONGEST_ERROR, blank=True)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["next_attempt_at"], condition=Q(next_attempt_at__isnull=False), name="core_mail_due"),
            models.Index(fields=["created_at"], name="core_mail_created"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"


class StartCode(models.Model):
    """The hash of the code that a terminal shows while a service has no account."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("code of the first start")
        verbose_name_plural = _("codes of the first start")

    def __str__(self) -> str:
        return str(self.created_at)


class Heartbeat(models.Model):
    """When a message last went all the way from the scheduler through the broker to a worker and the database."""

    name = models.CharField(_("name"), max_length=40, primary_key=True)
    sent_at = models.DateTimeField(_("sent"))
    done_at = models.DateTimeField(_("done"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return self.name


class Epoch(models.Model):
    """Which life of the database this is: the one row, replaced with whatever puts another state in place."""

    value = models.CharField(max_length=8, primary_key=True)

    def __str__(self) -> str:
        return self.value


class StoredAnswer(models.Model):
    """The answer to a request that carried an `Idempotency-Key`, replayed when the request comes again.

    It is written in the transaction of the work itself, so there is an answer exactly when the work was done.
    """

    LONGEST_SCOPE = 80
    LONGEST_KEY = 200

    scope = models.CharField(_("scope"), max_length=LONGEST_SCOPE)
    key = models.CharField(_("key"), max_length=LONGEST_KEY)
    fingerprint = models.CharField(_("fingerprint of the request"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"))
    body = models.JSONField(_("body"))
    grants = models.JSONField(
        _("roles it took"), default=list, help_text=_("Whoever repeats it must have them still.")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("stored answer")
        verbose_name_plural = _("stored answers")
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="core_storedanswer_uniq")]

    def __str__(self) -> str:
        return self.key


class Derived(models.Model):
    """Something computed from final reports, and how far behind it is: `done` catches up with `wanted`.

    Changes that no worker has seen yet are rows of `StaleMark`; a claim adds them to `wanted`. `done` is also the
    version of what was computed. For ratings, `since_at` and `since_table` are the first table in
    order whose result may have changed; None where only later ones came. `edition` is the code that computed it, or
    the newest that wanted it since; where `vouched_at` is not `computed_at`, it was other code that computed it last.
    """

    class Kind(models.TextChoices):
        """What is computed."""

        STANDINGS = "standings", _("standings")
        RATINGS = "ratings", _("ratings")
        SEASON = "season", _("season")

    LONGEST_ERROR = 500

    kind = models.CharField(_("what"), max_length=12, choices=Kind)
    key = models.CharField(_("of"), max_length=20, help_text=_("The id of an event or season, or the slug of a game."))
    wanted = models.PositiveBigIntegerField(_("wanted"), default=1)
    done = models.PositiveBigIntegerField(_("done"), default=0)
    since_at = models.DateTimeField(_("affected from"), null=True, blank=True)
    since_table = models.PositiveBigIntegerField(_("affected table"), null=True, blank=True)
    stale_since = models.DateTimeField(_("out of date since"), null=True, blank=True)
    claimed_until = models.DateTimeField(_("claimed until"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    parked_at = models.DateTimeField(_("parked"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=LONGEST_ERROR, blank=True)
    computed_at = models.DateTimeField(_("computed"), null=True, blank=True)
    # Workers of a former version may run beside newer ones for a while, and know neither column.
    edition = models.PositiveSmallIntegerField(_("edition of the code"), default=0, db_default=0)
    vouched_at = models.DateTimeField(_("computed by that edition"), null=True, blank=True)

    class Meta:
        verbose_name = _("computation")
        verbose_name_plural = _("computations")
        ordering = ["kind", "key"]
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="core_derived_uniq")]
        indexes = [
            models.Index(fields=["stale_since"], condition=Q(stale_since__isnull=False), name="core_derived_stale")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.key}"


class StaleMark(models.Model):
    """That something computed is stale: a row for each change, until a worker takes it in.

    Results of many events change the ratings of one game. If each updated the row of that computation, their
    transactions would wait for each other until they commit; rows that are only added wait for nobody.
    """

    kind = models.CharField(_("what"), max_length=12, choices=Derived.Kind)
    key = models.CharField(_("of"), max_length=20)
    since_at = models.DateTimeField(_("affected from"), null=True, blank=True)
    since_table = models.PositiveBigIntegerField(_("affected table"), null=True, blank=True)
    at = models.DateTimeField(_("marked"), auto_now_add=True)
    edition = models.PositiveSmallIntegerField(_("edition of the code"), default=0, db_default=0)

    class Meta:
        verbose_name = _("change not computed yet")
        verbose_name_plural = _("changes not computed yet")
        indexes = [models.Index(fields=["kind", "key"], name="core_stalemark_of")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.key}"
