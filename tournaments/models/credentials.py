"""Secrets that open the API to users and clubs. The secrets of players and tables are derived and never stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.ids import ID_LENGTH, new_id
from tournaments.models.people import Club


class Scope(models.TextChoices):
    """What a club's key may do."""

    READ = "read", _("read")
    WRITE = "write", _("read and write")


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
    scope = models.CharField(_("scope"), max_length=8, choices=Scope, default=Scope.WRITE)
    prefix = models.CharField(_("begins with"), max_length=12, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
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
