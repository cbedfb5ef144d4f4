"""The pages, as an application: their template tags."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The pages."""

    name = "web"
