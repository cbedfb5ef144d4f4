"""The application of games in play and their records."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayConfig(AppConfig):
    """Games in play, challenges, records."""

    name = "play"
    verbose_name = _("Play")

    def ready(self) -> None:
        """Have a person's games forgotten and exported with everything else of theirs."""
        from play.services import people  # noqa: PLC0415
        from scoring import exports  # noqa: PLC0415
        from tournaments.services import forgetting  # noqa: PLC0415

        forgetting.tell(people.forget)
        exports.add("play", people.everything_about)
