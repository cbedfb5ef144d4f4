"""Django's command line for this project, of `./run manage` and `ludoscore manage` alike."""

from __future__ import annotations

import os
import signal
import sys

from ops import start


def main() -> None:
    """Run the command that the arguments name; what somebody can mend ends with a sentence, and no traceback."""
    start.mend_process()
    # Whatever a shell says that is set up for another project.
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


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
