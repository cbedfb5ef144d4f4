"""Take people's names out of sheets that nobody judged to be one, and out of what people gave as reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from django.db.models import Exists, OuterRef, Q

from core.statements import parts
from scoring.models import Attempt, Draft, Report, Voice
from tournaments.models import LONGEST_AUTHOR, Membership
from tournaments.services.forgetting import Forgotten, Kept, Messages, forget_authors, rewrite_texts


def _at_tables(them: Forgotten) -> Iterator[Q]:
    """Yield where sheets may name people: at any table of their events, also one that they left or never sat at."""
    return (Q(table__round__event__in=part) for part in parts(them.events))


def _out_of_sheets(them: Forgotten, sheets: Sequence[Kept]) -> list[Any]:
    return [them.words([event]).out_of_json(them.out_of_json(sheet)) for sheet, event in sheets]


_sheets = partial(Messages, clean=_out_of_sheets, of="table__round__event", among=_at_tables)
# Legal sheets hold ids, and stay as they are.
SHEETS = (
    _sheets(Attempt, "sheet"),
    _sheets(Draft, "sheet", version="version"),
    _sheets(Draft, "writers", version="version"),  # by what the sheet calls each value
)


def forget(them: Forgotten) -> None:
    """Replace people's names in the reasons given in their events, and on sheets that their accounts sent."""
    rewrite_texts(Report.objects.all(), "table__round__event", them)
    rewrite_texts(Voice.objects.all(), "report__table__round__event", them)
    forget_authors(Attempt.objects.all(), "table__round__event", them)
    # As in the history, an account that works for the club to this day stays.
    club = OuterRef("table__round__event__club")
    is_member = Exists(Membership.objects.filter(club=club, user=OuterRef("user")))
    author = f"user {them.gone.name}"[:LONGEST_AUTHOR]
    Report.objects.filter(~is_member, user__in=them.gone.accounts).update(author=author)
