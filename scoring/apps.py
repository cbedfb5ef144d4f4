"""The application of reports, standings and ratings."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    """Reports, standings, ratings."""

    name = "scoring"
    verbose_name = _("Scoring")
