"""Bring a list of players into a club, all of it or none."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from core.likeness import folded, looks
from core.names import NameInvalidError, clean_name
from core.statements import insert_all
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import ImportInvalidError
from tournaments.models import Affiliation, Club, Player, Role
from tournaments.services.locks import lock_club
from tournaments.services.permissions import require_role

MOST_LINES = 5_000
LONGEST_CELL = 4 * Player.LONGEST_NAME + 1  # characters that are read: enough to tell that it is no name
MOST_LIKE = 3  # people whom a name in doubt may mean
HEADERS = {"name", "nom", "player", "joueur"}
DELIMITERS = ",;\t"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line cannot be imported."""

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A name that looks like one of the club's own people, by its line: perhaps the same, typed otherwise."""

    line: int
    name: str
    like: list[Player]


@dataclass(slots=True)
class Import:
    """What a file holds: players the club does not know yet, players it does, those in doubt, and unusable lines."""

    new: list[Player] = field(default_factory=list)
    known: list[Player] = field(default_factory=list)
    doubtful: list[Doubtful] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def import_players(*, actor: Actor, club: Club, text: str, is_dry_run: bool, as_new: Collection[int] = ()) -> Import:
    """Make a record of everybody in a CSV file whom the club does not know by name.

    A name that looks like one of the club's people makes no second record, unless its line is among `as_new`.
    A dry run only says what would happen; a file with a problem is refused whole.
    """
    file = sort_out(actor=actor, club=club, text=text, as_new=as_new)
    return file.found if is_dry_run else take_sorted(actor=actor, file=file)


@dataclass(frozen=True, slots=True)
class SortedFile:
    """A file, and what it holds for a club of these people: their keys and names."""

    club: Club
    text: str
    as_new: Collection[int]
    people: list[tuple[int, str]]
    found: Import


def sort_out(*, actor: Actor, club: Club, text: str, as_new: Collection[int]) -> SortedFile:
    """Say what a CSV file holds; this is what costs, and on SQLite one writer holds up all others: call it before."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    people = list(selectors.own_players(club))
    found = _sort_out(club, people, text, as_new)
    return SortedFile(club, text, as_new, [(player.pk, player.name) for player in people], found)


@transaction.atomic
def take_sorted(*, actor: Actor, file: SortedFile) -> Import:
    """Make a record of everybody new in a file; it is sorted out again where the club's people changed since."""
    require_role(actor=actor, club=file.club, role=Role.ORGANISER)
    lock_club(file.club)  # the same file twice at once would make everybody twice
    if list(selectors.own_players(file.club).values_list("pk", "name")) != file.people:
        file = sort_out(actor=actor, club=file.club, text=file.text, as_new=file.as_new)
    found = file.found
    if found.problems:
        errors = [{"code": each.code, "path": ["csv", each.line], "message": each.message} for each in found.problems]
        raise ImportInvalidError(_("Nothing was imported; `errors` says which lines to correct."), errors=errors)
    insert_all(found.new)
    insert_all([Affiliation(club=file.club, player=player) for player in found.new])
    return found


def names_in(text: str) -> tuple[list[tuple[int, str]], list[Problem]]:
    """Return the names in a CSV file with their lines, and what is wrong with other lines."""
    problems: list[Problem] = []
    return list(_names(text, problems)), problems


def _sort_out(club: Club, people: Sequence[Player], text: str, as_new: Collection[int]) -> Import:
    found = Import()
    known = {player.name.casefold(): player for player in people}
    by_look: dict[str, list[Player]] = defaultdict(list)
    for player in people:
        for look in _looks(player.name):
            by_look[look].append(player)
    seen: dict[str, int] = {}
    for line, cell in _names(text, found.problems):
        try:
            name = clean_name(cell)
        except NameInvalidError as error:
            found.problems.append(Problem(line, error.code, error.detail))
            continue
        key = name.casefold()
        if (first := seen.setdefault(key, line)) != line:
            message = _("“{name}” is already in line {line}.").format(name=name, line=first)
            found.problems.append(Problem(line, "name-repeated", message))
        elif key in known:
            found.known.append(known[key])
        elif (like := _like(name, by_look)) and line not in as_new:
            found.doubtful.append(Doubtful(line, name, like))
        else:
            found.new.append(Player(name=name, home=club))
    return found


def _looks(name: str) -> set[str]:
    """Return what a name is recognised by though it was typed otherwise: accents, case, letters that look alike."""
    return {folded(name), *looks(name)}


def _like(name: str, by_look: Mapping[str, list[Player]]) -> list[Player]:
    """Return the people whose names look like one, the nearest few."""
    found = {player.pk: player for look in sorted(_looks(name)) for player in by_look.get(look, [])}
    return list(found.values())[:MOST_LIKE]


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
                message = _("A file can have at most {most} lines.").format(most=MOST_LINES)
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
                yield rows.line_num, row[column or 0][:LONGEST_CELL] if len(row) > (column or 0) else ""
    except csv.Error as error:
        problems.append(Problem(rows.line_num, "malformed-csv", _("This is not CSV: {error}.").format(error=error)))


def _name_column(row: list[str]) -> int | None:
    return next((index for index, cell in enumerate(row) if cell.strip().casefold() in HEADERS), None)
