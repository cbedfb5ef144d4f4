"""The application of users and other common ground."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    """Users and common ground."""

    name = "core"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Write down logins, end them with their password, and overlook what nobody can read in a header."""
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415

        from core import headers, second_factor, sessions, signals  # noqa: PLC0415

        user_logged_in.connect(sessions.note_login)
        signals.password_replaced.connect(sessions.end_with_password)
        signals.password_replaced.connect(second_factor.forget_unpaired)
        signals.password_replaced.connect(second_factor.lift_wait)
        headers.be_forgiving()
