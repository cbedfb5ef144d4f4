"""Users, who log in by e-mail, and the heartbeat of the worker."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


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
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who runs events. Players need no account."""

    email = models.EmailField(_("e-mail address"))
    name = models.CharField(_("name"), max_length=80, blank=True)
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

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

    def clean(self) -> None:
        """Put the domain of the address in lower case."""
        super().clean()
        self.email = type(self).objects.normalize_email(self.email)


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


class StoredAnswer(models.Model):
    """The answer to a request that carried an `Idempotency-Key`, replayed when the request comes again.

    It is written in the transaction of the work itself, so there is an answer exactly when the work was done.
    """

    scope = models.CharField(_("scope"), max_length=80)
    key = models.CharField(_("key"), max_length=200)
    fingerprint = models.CharField(_("fingerprint of the request"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"))
    body = models.JSONField(_("body"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("stored answer")
        verbose_name_plural = _("stored answers")
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="core_storedanswer_uniq")]

    def __str__(self) -> str:
        return self.key


class Derived(models.Model):
    """Something computed from final reports, and how far behind it is: `done` catches up with `wanted`.

    `done` is also the version of what was computed. For ratings, `since_at` and `since_table` are the first table in
    order whose result may have changed; None where only later ones came.
    """

    class Kind(models.TextChoices):
        """What is computed."""

        STANDINGS = "standings", _("standings")
        RATINGS = "ratings", _("ratings")
        SEASON = "season", _("season")

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
    error = models.CharField(_("error"), max_length=500, blank=True)
    computed_at = models.DateTimeField(_("computed"), null=True, blank=True)

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

    @property
    def is_up_to_date(self) -> bool:
        """Whether nothing has changed since it was computed."""
        return self.done == self.wanted
