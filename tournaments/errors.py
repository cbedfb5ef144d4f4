"""What an organiser or a player can be told: every refusal of this app, with its code and status."""

from __future__ import annotations

from core.errors import ConflictError, DomainError, RuleBrokenError


class ForbiddenError(DomainError):
    """The caller may see it and not do it."""

    code = "forbidden"
    status = 403


class EventStatusError(ConflictError):
    """The event is not in a state that allows this."""

    code = "event-status"


class RoundStatusError(ConflictError):
    """The round is not in a state that allows this."""

    code = "round-status"


class RoundIncompleteError(ConflictError):
    """A table of the round has no final result."""

    code = "round-incomplete"


class RoundOpenError(ConflictError):
    """Another round of the event is still open."""

    code = "round-open"


class TooFewPlayersError(ConflictError):
    """There are fewer players than the smallest table seats."""

    code = "too-few-players"


class AlreadyEnteredError(ConflictError):
    """The player is in this event already."""

    code = "already-entered"


class NameTakenError(ConflictError):
    """Somebody else in this event has this name."""

    code = "name-taken"


class EntryStatusError(ConflictError):
    """The entry is not in a state that allows this."""

    code = "entry-status"


class TableStatusError(ConflictError):
    """The table is not in a state that allows this."""

    code = "table-status"


class LastOwnerError(ConflictError):
    """A club must keep an owner."""

    code = "last-owner"


class SlugTakenError(ConflictError):
    """Another club has this slug."""

    code = "slug-taken"


class AlreadyMemberError(ConflictError):
    """The person is a member or invited already."""

    code = "already-member"


class AccountExistsError(ConflictError):
    """Somebody has an account with this address already."""

    code = "account-exists"


class PlayerGoneError(ConflictError):
    """The record was merged into another, or its person is anonymous."""

    code = "player-gone"


class AlreadyLinkedError(ConflictError):
    """The player has an account, or the account has a player."""

    code = "already-linked"


class AlreadyKeptApartError(ConflictError):
    """The two players are kept apart already, or are one."""

    code = "already-kept-apart"


class SeasonTakenError(ConflictError):
    """The club has a season of this name."""

    code = "season-taken"


class SeasonInvalidError(RuleBrokenError):
    """The settings of a season contradict each other."""

    code = "season-invalid"


class MergeConflictError(ConflictError):
    """The two records cannot be one person."""

    code = "merge-conflict"


class MergeFinalError(ConflictError):
    """Something new is attached to the merged record, so the merge cannot be taken back."""

    code = "merge-final"


class SeatingInvalidError(RuleBrokenError):
    """A seating does not seat every player of the round exactly once at tables of allowed sizes."""

    code = "seating-invalid"


class EventInvalidError(RuleBrokenError):
    """The settings of an event contradict each other or the game."""

    code = "event-invalid"


class ImportInvalidError(RuleBrokenError):
    """A CSV file has lines that cannot be imported; nothing was."""

    code = "import-invalid"


class InvitationInvalidError(ConflictError):
    """The invitation was used, has expired, or is for somebody else."""

    code = "invitation-invalid"


class WebhookInvalidError(RuleBrokenError):
    """Nothing may be sent to the address of a webhook."""

    code = "webhook-invalid"


class WebhookOffError(ConflictError):
    """The webhook is switched off."""

    code = "webhook-off"


class TooManyWebhooksError(ConflictError):
    """The club has as many webhooks as a club can have."""

    code = "too-many-webhooks"
