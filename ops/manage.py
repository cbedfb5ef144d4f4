"""Django's command line for this project, of `./run manage` and `ludoscore manage` alike."""

from __future__ import annotations

import os
import signal
import sys
import threading

from ops import start

SOON = 0.1  # seconds


def main() -> None:
    """Run the command that the arguments name; what somebody can mend ends with a sentence, and no traceback."""
    start.mend_process()
    sys.unraisablehook = _interrupt_again
    # Whatever a shell says that is set up for another project.
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


def _interrupt_again(lost: sys.UnraisableHookArgs) -> None:
    """Repeat a Ctrl-C that came while Python threw an object away, where it is told of and goes no further."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    again = threading.Timer(SOON, os.kill, (os.getpid(), signal.SIGINT))  # not here, where it would be lost once more
    again.daemon = True
    again.start()


def _run() -> None:
    # Loading takes seconds on a slow machine, in which somebody may change their mind.
    from django.core.management import CommandError, execute_from_command_line  # noqa: PLC0415

    from core.tables import missing_tables_told  # noqa: PLC0415

    try:
        for word in sys.argv:
            _refuse_no_text(word)
        with missing_tables_told():
            execute_from_command_line(sys.argv)
    except (CommandError, start.SetupError) as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"CommandError: {error}")


def _refuse_no_text(word: str) -> None:
    try:
        word.encode()
    except UnicodeEncodeError as error:
        shown = os.fsencode(word).decode(errors="replace")
        raise start.SetupError(f"{shown} is not UTF-8.") from error


if __name__ == "__main__":
    main()
