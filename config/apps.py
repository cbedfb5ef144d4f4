"""The project itself as an application: its system checks."""

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    """Register the checks of the deployment, and the Celery application that tasks belong to."""

    name = "config"
    verbose_name = "Ludoscore"

    def ready(self) -> None:
        """Load what registers itself."""
        from config import celery, checks  # noqa: F401, PLC0415
