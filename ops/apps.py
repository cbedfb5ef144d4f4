"""Running the service, as an application: its commands."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """Commands that serve, back up and move the service."""

    name = "ops"
