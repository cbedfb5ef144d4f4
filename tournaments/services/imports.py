"""Bring a list of players into a club, all of it or none."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from core.names import NameInvalidError, clean_name
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import ImportInvalidError
from tournaments.models import Affiliation, Club, Player, Role
from tournaments.services.permissions import require_role

MOST_LINES = 5_000
HEADERS = {"name", "nom", "player", "joueur"}
DELIMITERS = ",;\t"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line cannot be imported."""

    line: int
    code: str
    message: str


@dataclass(slots=True)
class Import:
    """What a file holds: players the club does not know yet, players it does, and lines nobody can use."""

    new: list[Player] = field(default_factory=list)
    known: list[Player] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@transaction.atomic
def import_players(*, actor: Actor, club: Club, text: str, is_dry_run: bool) -> Import:
    """Make a record of everybody in a CSV file whom the club does not know by name.

    A dry run only says what would happen; a file with a problem is refused whole.
    """
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    Club.objects.select_for_update().get(pk=club.pk)  # the same file twice at once would make everybody twice
    found = _sort_out(club, text)
    if is_dry_run:
        return found
    if found.problems:
        errors = [{"code": each.code, "path": ["csv", each.line], "message": each.message} for each in found.problems]
        raise ImportInvalidError(_("Nothing was imported; `errors` says which lines to mend."), errors=errors)
    Player.objects.bulk_create(found.new)
    Affiliation.objects.bulk_create(Affiliation(club=club, player=player) for player in found.new)
    return found


def _sort_out(club: Club, text: str) -> Import:
    found = Import()
    known = {player.name.casefold(): player for player in selectors.known_players(club)}
    seen: dict[str, int] = {}
    for line, cell in _names(text, found.problems):
        try:
            name = clean_name(cell)
        except NameInvalidError as error:
            found.problems.append(Problem(line, error.code, error.detail))
            continue
        key = name.casefold()
        if (first := seen.setdefault(key, line)) != line:
            message = _("“{name}” stands in line {line} already.").format(name=name, line=first)
            found.problems.append(Problem(line, "name-repeated", message))
        elif key in known:
            found.known.append(known[key])
        else:
            found.new.append(Player(name=name))
    return found


def _names(text: str, problems: list[Problem]) -> Iterator[tuple[int, str]]:
    """Yield line number and name of every line that holds one; say of the others what is wrong.

    A first line that names its columns says which one holds the names; without it there is one column.
    """
    text = text.removeprefix("\ufeff")
    first_line = text.partition("\n")[0]
    rows = csv.reader(text.splitlines(keepends=True), delimiter=max(DELIMITERS, key=first_line.count), strict=True)
    column = None
    try:
        for number, row in enumerate(rows):
            if number - (column is not None) >= MOST_LINES:
                message = _("A file can have {most} lines at the most.").format(most=MOST_LINES)
                problems.append(Problem(rows.line_num, "too-many-lines", message))
                return
            if number == 0 and (column := _name_column(row)) is not None:
                continue
            if not any(cell.strip() for cell in row):
                continue
            if len(row) > 1 and column is None:
                message = _("There is more than a name. Say in the first line which column is the `name`.")
                problems.append(Problem(rows.line_num, "columns", message))
            else:
                yield rows.line_num, row[column or 0] if len(row) > (column or 0) else ""
    except csv.Error as error:
        problems.append(Problem(rows.line_num, "malformed-csv", _("This is not CSV: {error}.").format(error=error)))


def _name_column(row: list[str]) -> int | None:
    return next((index for index, cell in enumerate(row) if cell.strip().casefold() in HEADERS), None)
