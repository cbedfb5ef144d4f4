"""Django's command line for this project, of `./run manage` and `ludoscore manage` alike."""

from __future__ import annotations

import os
import sys

from django.core.management import CommandError, execute_from_command_line

from core.tables import missing_tables_told
from ops import start


def main() -> None:
    """Run the command that the arguments name; what somebody can mend ends with a sentence, and no traceback."""
    start.mend_process()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        for word in sys.argv:
            _refuse_no_text(word)
        with missing_tables_told():
            execute_from_command_line(sys.argv)
    except CommandError as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"CommandError: {error}")


def _refuse_no_text(word: str) -> None:
    try:
        word.encode()
    except UnicodeEncodeError as error:
        shown = os.fsencode(word).decode(errors="replace")
        raise CommandError(f"{shown} is not UTF-8.") from error


if __name__ == "__main__":
    main()
