"""The `ludoscore` command of an installed wheel."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NoReturn

from ops import start

# Not `-m` alone: it would look for packages in the folder somebody happens to be in first.
PYTHON = [sys.executable, "-P", "-m"]
MANAGE = [*PYTHON, "ops.manage"]
HELP = """\
Run Ludoscore. Everything it keeps goes into the folder that LUDOSCORE_DATA names,
or else into the data folder of the user who starts it.

  ludoscore serve             migrate and serve on http://127.0.0.1:8000
  ludoscore serve --lan       serve to the phones in the room, and show a QR code
  ludoscore demo              the same with a demo: clubs, people, an evening in progress
  ludoscore manage COMMAND …  run a Django command: createsuperuser, migrate, …
  ludoscore check             judge reports, a line of JSON each, from standard input
  ludoscore simulate GAME …   play whole games and write their reports
  ludoscore replay, play      turn records into reports, play at the terminal
"""


def main() -> int:
    """Run the verb that comes first; return the exit status of what does not replace this process."""
    start.mend_process()
    verb, *arguments = sys.argv[1:] or ["--help"]
    try:
        return _run(verb, arguments)
    except start.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _run(verb: str, arguments: list[str]) -> int:
    match verb:
        case "serve" | "demo":
            command, environment, url = start.serving(arguments, name=f"ludoscore {verb}", help_text=HELP)
            start.prepare_data()
            if verb == "demo":
                start.fill_demo(MANAGE, url, environment)
            _become([*MANAGE, *command], environment)
        case "manage":
            start.prepare_data(is_written=False)
            _become([*MANAGE, *arguments], os.environ)
        case "check" | "simulate" | "replay" | "play":
            _become([*PYTHON, "engines", verb, *arguments], os.environ)
        case "-h" | "--help":
            print(HELP, end="")
            return 0
    raise start.SetupError(f"Cannot make sense of `{verb}`: ludoscore --help lists what there is.")


def _become(command: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Replace this process, so that signals and exit codes need no passing on."""
    os.umask(start.file_mask())
    os.execve(command[0], command, dict(environment, PYTHONUNBUFFERED="1"))
