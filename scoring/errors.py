"""What somebody who reports can be told: every refusal of this app, with its code and status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.errors import ConflictError, DomainError, RuleBrokenError

if TYPE_CHECKING:
    from scoring.models import Draft


class SheetRefusedError(RuleBrokenError):
    """A sheet that cannot be a result of its table; it is kept as an attempt."""

    def __init__(self, detail: str, *, sheet: Any, errors: Sequence[dict[str, Any]] = (), **facts: Any) -> None:
        super().__init__(detail, errors=errors, **facts)
        self.sheet = sheet


class ReportInvalidError(SheetRefusedError):
    """The sheet breaks a rule of its game."""

    code = "report-invalid"


class ReportSeatsError(SheetRefusedError):
    """The seats of the sheet are not those of the table."""

    code = "report-seats"


class ReportVariantError(SheetRefusedError):
    """The table plays another variant than the sheet says."""

    code = "report-variant"


class PlayedAtError(DomainError):
    """A table cannot have been played at this time."""

    code = "invalid-fields"
    status = 400


class TableClosedError(ConflictError):
    """The table has a final result."""

    code = "table-closed"


class ReportStatusError(ConflictError):
    """The report was replaced or withdrawn, or cannot be disputed or withdrawn any more."""

    code = "report-status"


class OwnReportError(DomainError):
    """Nobody confirms or disputes their own report."""

    code = "own-report"
    status = 403


class SamePhoneError(DomainError):
    """The browser that sent a sheet, or already confirmed it, is no second voice."""

    code = "same-phone"
    status = 403


class SentPersonallyError(DomainError):
    """A player sent a sheet from their own phone, which a slip or a scorekeeper does not touch."""

    code = "sent-personally"
    status = 403


class TooManySheetsError(ConflictError):
    """One voice sent more different sheets of a table than anybody corrects."""

    code = "too-many-sheets"


class DraftConflictError(ConflictError):
    """Somebody else at the table changed the sheet in the meantime; the answer includes the newer draft."""

    code = "draft-conflict"

    def __init__(self, detail: str, *, draft: Draft) -> None:
        super().__init__(detail)
        self.draft = draft


class DraftTooLongError(DomainError):
    """A draft is longer, or has many times more entries, than any score sheet."""

    code = "draft-too-long"
    status = 413


class DecisionInvalidError(RuleBrokenError):
    """A decision does not say what the result is, or why."""

    code = "decision-invalid"


class FileInvalidError(RuleBrokenError):
    """A file contradicts itself; nothing of it was taken."""

    code = "file-invalid"


class FileDiffersError(ConflictError):
    """The club has this event already, and this file says something else of it."""

    code = "file-differs"


class FileOvertakenError(ConflictError):
    """Something that a file depends on was changed here again and again while its sheets were judged."""

    code = "file-overtaken"
    retry_after = 2

    def __init__(self) -> None:
        super().__init__(_("What this file depends on was changed here meanwhile. Send it again."))
