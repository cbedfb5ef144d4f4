"""The demo, as an application: its command."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """The command that fills a demo."""

    name = "demo"
