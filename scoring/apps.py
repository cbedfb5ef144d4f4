"""The application of reports, standings and ratings."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScoringConfig(AppConfig):
    """Reports, standings, ratings."""

    name = "scoring"
    verbose_name = _("Scoring")

    def ready(self) -> None:
        """Have what is stale computed, what is cancelled or private taken away, and others told."""
        from core import computations  # noqa: PLC0415
        from scoring import tasks  # noqa: PLC0415
        from scoring.rankings.seasons import store  # noqa: PLC0415
        from scoring.services import counting, phones  # noqa: PLC0415
        from scoring.services.forgetting import SHEETS, forget  # noqa: PLC0415
        from tournaments.services import events, forgetting  # noqa: PLC0415

        computations.tell(tasks.publish_refresh)
        events.when_cancelled(counting.uncount)
        events.when_rated_otherwise(counting.mark_rated_otherwise)
        events.when_hidden(store.take_away)
        events.when_changed(phones.publish_look)
        forgetting.tell(forget)
        forgetting.look_into(*SHEETS)
