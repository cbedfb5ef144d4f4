"""Secrets that open the API to users and clubs. The secrets of players and tables are derived and never stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.ids import ID_LENGTH, new_id
from tournaments.models.people import Club


class Scope(models.TextChoices):
    """What a club's key may do. Every key reads; the three in the middle are parts of what an organiser does."""

    READ = "read", _("read what members read")
    RESULTS = "results", _("report and decide results")
    EVENTS = "events", _("run events, with their entries and rounds")
    PEOPLE = "people", _("keep the list of people")
    WRITE = "write", _("everything that organisers do")


class Credential(models.Model):
    """A token of a user (`lsu_…`) or the key of a club (`lsk_…`): its hash, and the beginning to tell it by."""

    LONGEST_NAME = 80

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="credentials",
        verbose_name=_("user"),
    )
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="credentials", verbose_name=_("club")
    )
    scope = models.CharField(_("scope"), max_length=40, default=Scope.WRITE)  # one, or several with a space between
    prefix = models.CharField(_("begins with"), max_length=12, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("credential")
        verbose_name_plural = _("credentials")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(user=None, club__isnull=False) | Q(user__isnull=False, club=None),
                name="tournaments_credential_of_one",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def scopes(self) -> list[Scope]:
        """What a key was made for."""
        return [Scope(name) for name in self.scope.split()]

    @property
    def has_expired(self) -> bool:
        """Whether the day is over on which it ends."""
        return self.expires_at is not None and self.expires_at <= timezone.now()

    def allows(self, area: Scope | None) -> bool:
        """Say whether a key may do what organisers do in an area; what is in none is for keys that may everything."""
        return not {area, Scope.WRITE}.isdisjoint(self.scopes)

    @classmethod
    def working(cls) -> Q:
        """Return what is true of credentials that neither were revoked nor have expired, by the database's clock.

        Statements are kept and asked again, so that a moment written into one would stay what it was.
        """
        return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=Now()))


class KeyUse(models.Model):
    """How often a key made a call on a day, and how that was answered: the log of its use."""

    credential = models.ForeignKey(Credential, models.CASCADE, related_name="uses", verbose_name=_("key"))
    day = models.DateField(_("day"))
    method = models.CharField(_("method"), max_length=8)
    route = models.CharField(_("call"), max_length=120)
    status = models.PositiveSmallIntegerField(_("answered"), help_text=_("The first digit of the status."))
    count = models.PositiveIntegerField(_("times"))
    last_at = models.DateTimeField(_("last"))

    class Meta:
        verbose_name = _("use of a key")
        verbose_name_plural = _("uses of keys")
        ordering = ["-last_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["credential", "day", "method", "route", "status"], name="tournaments_keyuse_once_a_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.method} {self.route} {self.status}xx"
