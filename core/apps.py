"""The application of users and other common ground."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    """Users and common ground."""

    name = "core"
    verbose_name = _("Accounts")
