"""The application of clubs, people, events, rounds and tables."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Clubs, people, events, rounds and tables."""

    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        """End tokens with the password of their user."""
        from core import signals  # noqa: PLC0415
        from tournaments.services import credentials  # noqa: PLC0415

        signals.password_replaced.connect(credentials.end_with_password)
