"""The application of clubs, people, events, rounds and tables."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Clubs, people, events, rounds and tables."""

    name = "tournaments"
    verbose_name = _("Tournaments")
