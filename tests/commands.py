"""Run the management commands of the documents, page by page, in one process and one folder.

A program (`python -m tests.commands JSON`): each page begins with a migrated database that holds one player.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path


def main(pages: dict[str, list[list[str]]]) -> None:
    """Run the commands of every page; the first one that fails ends it."""
    from django.core.management import call_command
    from django.db import connection

    from tests.factories import PlayerFactory

    database = Path(connection.settings_dict["NAME"])
    fresh = database.with_suffix(".fresh")
    call_command("migrate", verbosity=0)
    player = PlayerFactory()
    connection.close()
    shutil.copy(database, fresh)
    for page, commands in pages.items():
        connection.close()
        shutil.copy(fresh, database)
        for words in commands:
            print(page, *words, flush=True)
            if words[0] == "restore" and "--overwrite" not in words:  # it is said to need an empty database
                connection.close()
                os.truncate(database, 0)
            call_command(*(player.uid if word == "ID" else word for word in words))


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    os.chdir(os.environ["LUDOSCORE_DATA"])
    main(json.loads(sys.argv[1]))
