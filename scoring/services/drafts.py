"""The score sheet of a table while it is filled in, shared by everybody at the table."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core.strict_json import written_length
from core.transactions import anew_after
from scoring import rules
from scoring.draft_merging import Clash, Habits, Path, merge, same, values
from scoring.errors import DraftConflictError, DraftTooLongError
from scoring.models import Draft
from scoring.services.reports import require_open
from scoring.sheet_differences import FRAME, place
from tournaments.actors import Actor, Kind
from tournaments.models import Entry, Table
from tournaments.services.tables import require_at_table

MOST_ENTRIES = 4_000  # of a draft; the largest sheets of simulated games have 300
# Of a draft as it is kept, as of any sheet that is sent; and of the paths of all its entries together, by which is
# written down who made them. The largest legal sheet, a hundred rounds of a club's own game, has 23,000.
MOST_BYTES = settings.SHEET_MAX_BYTES
Merge: TypeAlias = tuple[Draft, Sequence[Clash]]  # a draft as it is now, and what two wrote there


class Question(NamedTuple):
    """A value that two phones wrote differently, where it stands in words, and who wrote the one that is there."""

    clash: Clash
    place: str
    author: str
    author_name: str


class Shared(NamedTuple):
    """A draft after a phone added to it, and what its people have to be asked."""

    draft: Draft
    questions: Sequence[Question]


def draft_of(*, actor: Actor, table: Table) -> Draft:
    """Return the draft of a table; an empty one with version 0 where nobody has begun."""
    require_at_table(actor=actor, table=table)
    return Draft.objects.filter(table=table).first() or Draft(table=table, sheet={}, version=0)


def save_draft(*, actor: Actor, table: Table, sheet: dict[str, Any], version: int) -> Draft:
    """Save a draft over the version it was made from; the same one sent again is saved once.

    No lock is taken: the version decides who was first, and nothing else depends on a draft.
    """
    require_at_table(actor=actor, table=table)
    require_open(table)
    _refuse_long(sheet)
    is_saved = _update(actor, table, sheet, version) if version else _create(actor, table, sheet) is not None
    if not is_saved:
        current = draft_of(actor=actor, table=table)
        if not current.version or not same(current.sheet, sheet):
            raise _conflict(current)
    return Draft.objects.get(table=table)


def merge_draft(
    *, actor: Actor, table: Table, sheet: dict[str, Any], base: Mapping[str, Any] | None = None, version: int = 0
) -> Shared:
    """Add to the draft what a phone changed since the base, the sheet as it knew it; ask where somebody else did too.

    What both changed stays as it is there. Without a base nothing is known of what the phone saw, so it only adds. So
    it is where the draft is younger than the version the phone knew: it was given up meanwhile, and begun again.
    """
    require_at_table(actor=actor, table=table)
    require_open(table)
    _refuse_long(sheet)
    _refuse_long(base)
    draft, clashes = _shared(partial(_merge, actor, table, sheet, base, version))
    return Shared(draft, _questions(table, draft, clashes))


def _shared(share: Callable[[QuerySet[Draft]], Merge]) -> Merge:
    """Merge before anything is locked, because nobody is to wait for a long sheet; anew where others were quicker.

    Where they are each time it is done once more under the lock: nothing that a phone sent is lost.
    """
    with suppress(DraftConflictError):
        return anew_after(DraftConflictError, lambda: share(Draft.objects.all()))
    with transaction.atomic():
        return share(_locked())


def _merge(
    actor: Actor,
    table: Table,
    sheet: dict[str, Any],
    base: Mapping[str, Any] | None,
    version: int,
    drafts: QuerySet[Draft],
) -> Merge:
    draft = drafts.filter(table=table).first()
    if draft is None:
        if (made := _create(actor, table, sheet)) is None:
            raise _conflict(draft_of(actor=actor, table=table))
        return made, ()
    is_known = base is not None and version <= draft.version
    merged = merge(base=base if base and is_known else {}, theirs=draft.sheet, yours=sheet, habits=_habits(table))
    if not same(merged.sheet, draft.sheet):
        _refuse_long(merged.sheet)
        if not _write(actor, draft, merged.sheet):
            raise _conflict(draft)
    return draft, merged.clashes


def _conflict(draft: Draft) -> DraftConflictError:
    detail = _("Somebody else changed the sheet in the meantime. Look at their version first.")
    return DraftConflictError(detail, draft=draft)


def _refuse_long(sheet: Mapping[str, Any] | None) -> None:
    """Refuse what no score sheet is: of every entry is compared and written down who made it, at each keystroke.

    It is written down by the path of the entry, so one long name above many entries would be kept as often.
    """
    if written_length(sheet) > MOST_BYTES:
        raise DraftTooLongError(_("A score sheet has no more than {number} kB.").format(number=MOST_BYTES // 1000))
    level: list[tuple[Any, int]] = [(sheet, 0)]
    found = paths = 0
    while level:
        found += len(level)
        paths += sum(length for _value, length in level)
        if found > MOST_ENTRIES:
            raise DraftTooLongError(_("A score sheet has no more than {most} entries.").format(most=MOST_ENTRIES))
        if paths > MOST_BYTES:
            raise DraftTooLongError(_("A score sheet has no names as long as these."))
        level = [inner for value, length in level for inner in _inside(value, length)]


def _inside(value: Any, length: int) -> Iterator[tuple[Any, int]]:
    """Yield what a value holds, each with the length of its path as it is written."""
    if isinstance(value, dict):
        yield from ((inner, length + written_length(name)) for name, inner in value.items())
    elif isinstance(value, list):
        yield from ((inner, length + 1 + len(str(at))) for at, inner in enumerate(value))


def _locked() -> QuerySet[Draft]:
    """Return the drafts, to be changed by one phone after the other."""
    return Draft.objects.select_for_update()


def _create(actor: Actor, table: Table, sheet: dict[str, Any]) -> Draft | None:
    """Begin the draft of a table; None where somebody else has."""
    writers = _writers({}, {}, sheet, actor)
    try:
        with transaction.atomic():
            return Draft.objects.create(table=table, sheet=sheet, author=author_of(actor), writers=writers)
    except IntegrityError:
        return None


def _update(actor: Actor, table: Table, sheet: dict[str, Any], version: int) -> bool:
    draft = Draft.objects.filter(table=table, version=version).first()
    return draft is not None and _write(actor, draft, sheet)


def _write(actor: Actor, draft: Draft, sheet: dict[str, Any]) -> bool:
    """Put a sheet over a draft, where that still is as it was read; say whether it was."""
    own = _as_read(draft)
    draft.writers = _writers(draft.writers, draft.sheet, sheet, actor)
    draft.sheet, draft.author = sheet, author_of(actor)
    draft.version, draft.updated_at = draft.version + 1, timezone.now()
    names = ("sheet", "version", "author", "writers", "updated_at")
    return bool(own.update(**{name: getattr(draft, name) for name in names}))


def _as_read(draft: Draft) -> QuerySet[Draft]:
    return Draft.objects.filter(pk=draft.pk, version=draft.version)


def author_of(actor: Actor) -> str:
    """Return what a draft calls who wrote it: the id of the entry, else the kind of caller."""
    return actor.entry.uid if actor.entry else actor.kind.value


def _habits(table: Table) -> Habits:
    engine = rules.game_of(table.round.event)
    return Habits(
        is_worked_out=lambda path: path[:1] != () and (path[0] in FRAME or engine.is_worked_out(path)),
        is_one_value=engine.is_one_value,
        is_assumed=engine.is_assumed,
    )


def _writers(known: Mapping[str, str], before: Any, after: Any, actor: Actor) -> dict[str, str]:
    """Return who wrote each value that is there now."""
    was, author = dict(values(before)), author_of(actor)
    return {
        _key(path): known.get(_key(path), author) if path in was and same(was[path], value) else author
        for path, value in values(after)
        if path[0] not in FRAME
    }


def _key(path: Path) -> str:
    return "/".join(map(str, path))


def _writers_at(draft: Draft, paths: Sequence[Path]) -> list[str]:
    """Return for each path who wrote the value there, or a part of it; who wrote last where nothing is there."""
    keys = sorted(draft.writers)
    found = []
    for own in map(_key, paths):
        at = bisect_left(keys, f"{own}/")
        key = own if own in draft.writers else keys[at] if at < len(keys) and keys[at].startswith(f"{own}/") else None
        found.append(draft.author if key is None else draft.writers[key])
    return found


def _questions(table: Table, draft: Draft, clashes: Sequence[Clash]) -> list[Question]:
    """Return the clashes with who wrote what is there; who took a value away is who wrote last."""
    engine = rules.game_of(table.round.event)
    authors = _writers_at(draft, [clash.path for clash in clashes])
    names = dict(Entry.objects.filter(uid__in=authors).values_list("uid", "name")) if authors else {}
    names[Kind.TABLE.value] = _("The table’s slip")
    return [
        Question(clash, place(engine, clash.path), author, names.get(author, _("The organiser")))
        for clash, author in zip(clashes, authors, strict=True)
    ]
