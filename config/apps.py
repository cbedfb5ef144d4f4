"""The project itself as an application: its system checks and its commands."""

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    """Register the checks of the deployment."""

    name = "config"
    verbose_name = "Ludoscore"

    def ready(self) -> None:
        """Load what registers itself."""
        from config import celery, checks, pool  # noqa: F401, PLC0415

        pool.install()
