"""Mail by SMTP, where a server has a time for the whole of a mail: `EMAIL_TIMEOUT` bounds each of its lines."""

from __future__ import annotations

import smtplib
import socket
from contextlib import ExitStack, suppress
from threading import Timer
from typing import Any

from django.core.mail.backends import smtp

LONGEST = 30.0  # seconds from the connection to its end; with a whole shift before it still within a task's time


class Session(smtplib.SMTP):
    """A connection that is cut when its time is over, however busily the server talks."""

    def __init__(self, *given: Any, **more: Any) -> None:
        self._at_end = ExitStack()
        super().__init__(*given, **more)

    def _get_socket(self, *given: Any) -> socket.socket:
        opened: socket.socket = super()._get_socket(*given)  # type: ignore[misc]  # what `SMTP_SSL` overrides too
        # The first socket object is given up when TLS takes over; a second one of the same connection stays.
        same = self._at_end.enter_context(opened.dup())
        timer = Timer(LONGEST, _cut, [same])
        timer.daemon = True
        timer.start()
        self._at_end.callback(timer.cancel)
        return opened

    def close(self) -> None:
        """Close the connection, which then needs no end."""
        try:
            super().close()
        finally:
            self._at_end.close()


def _cut(connection: socket.socket) -> None:
    with connection, suppress(OSError):  # it may have ended by itself just now
        connection.shutdown(socket.SHUT_RDWR)


class EmailBackend(smtp.EmailBackend):
    """Django's own, with such connections, whose end is nobody's failure."""

    connection_class = Session

    def close(self) -> None:
        """Take leave of the server, whatever it answers.

        It has taken or refused the mails by then. An error from here would make one that was taken look unsent, and
        it would be sent again, and would hide why one was refused.
        """
        connection = self.connection
        with suppress(OSError):  # errors of `smtplib` and `ssl` are such, too
            super().close()
        if connection is not None:
            with suppress(OSError):
                connection.close()
