"""What an organiser or a player can be told: every refusal of this app, with its code and status."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from core.errors import ConflictError, DomainError, RuleBrokenError


class ForbiddenError(DomainError):
    """The caller may see it and not do it."""

    code = "forbidden"
    status = 403


class SeatOthersError(DomainError):
    """In open play a player seats themselves and nobody else."""

    code = "seat-others"
    status = 403


class PlayerElsewhereError(DomainError):
    """The person's home is another club, which this one cannot enter."""

    code = "player-elsewhere"
    status = 403


class TiedRecentlyError(DomainError):
    """The person's account was tied to them too recently to take them away."""

    code = "tied-recently"
    status = 403


class EventStatusError(ConflictError):
    """The event is not in a state that allows this."""

    code = "event-status"


class EventOvertakenError(EventStatusError):
    """The event changed while a round was being seated."""


class GameInvalidError(RuleBrokenError):
    """The definition of a club's own game makes no sense; `errors` says where."""

    code = "game-invalid"

    @classmethod
    def of(cls, errors: list[dict[str, Any]]) -> GameInvalidError:
        """Return the error with everything that is wrong."""
        return cls(_("This is not a game that can be played; `errors` says why."), errors=errors)


class GameTakenError(ConflictError):
    """The club already has a game with this slug."""

    code = "game-taken"


class GameInUseError(ConflictError):
    """Events are played by the game, so it stays."""

    code = "game-in-use"


class TooManyGamesError(ConflictError):
    """The club has as many games, or the game as many versions, as are kept."""

    code = "too-many-games"


class RoundStatusError(ConflictError):
    """The round is not in a state that allows this."""

    code = "round-status"


class RoundIncompleteError(ConflictError):
    """A table of the round has no final result."""

    code = "round-incomplete"


class RoundOpenError(ConflictError):
    """Another round of the event is still open."""

    code = "round-open"


class CallClosedError(ConflictError):
    """The call for the organiser is done, or cannot be answered so."""

    code = "call-closed"


class PenaltyInvalidError(RuleBrokenError):
    """The penalty cannot be given as it is; `errors` says why."""

    code = "penalty-invalid"


class TooFewPlayersError(ConflictError):
    """There are fewer players than the smallest table seats."""

    code = "too-few-players"


class AlreadyEnteredError(ConflictError):
    """The player is already in this event."""

    code = "already-entered"


class JoiningClosedError(ConflictError):
    """Nobody comes in by the code of this event now."""

    code = "joining-closed"


class StartCodeError(ConflictError):
    """The first account was made already, or the code of the first start is another one."""

    code = "start-code"


class SignUpClosedError(ConflictError):
    """Nobody signs up ahead for this event now."""

    code = "sign-up-closed"


class EventFullError(ConflictError):
    """As many players are in the event as may come in by its code."""

    code = "event-full"


class TooManyMailsError(DomainError):
    """An address got many invitations today, and nobody's mailbox is filled from here."""

    code = "too-many-mails"
    status = 429
    retry_after = 3600


class TooManyTablesError(DomainError):
    """A player formed more tables in open play than anybody plays at."""

    code = "too-many-tables"
    status = 429
    retry_after = 60


class TooManyActionsError(DomainError):
    """A phone did more in a short time than anybody does in an evening."""

    code = "too-many-actions"
    status = 429
    retry_after = 60


class JoiningBusyError(DomainError):
    """More joined in the last minute than a full house does."""

    code = "joining-busy"
    status = 429
    retry_after = 60


class ProofWrongError(ForbiddenError):
    """The link or the code proves nothing, or not this."""

    code = "proof-wrong"


class ProofNeededError(ForbiddenError):
    """This player is known elsewhere and comes in by themselves, or is nobody yet."""

    code = "proof-needed"


class EntriesUnprovenError(ConflictError):
    """Entries of the event say they are somebody known, and nobody has answered."""

    code = "entries-unproven"


class NameTakenError(ConflictError):
    """Somebody else in this event has this name."""

    code = "name-taken"


class NameAlikeError(ConflictError):
    """Somebody in this event, or of the club, has a name that looks like this one."""

    code = "name-alike"


class EntryStatusError(ConflictError):
    """The entry is not in a state that allows this."""

    code = "entry-status"


class TableStatusError(ConflictError):
    """The table is not in a state that allows this."""

    code = "table-status"


class LastOwnerError(ConflictError):
    """A club must keep an owner."""

    code = "last-owner"


class ClubCreationError(DomainError):
    """Clubs are created by the operator here."""

    code = "club-creation"
    status = 403


class SlugTakenError(ConflictError):
    """Another club has this slug."""

    code = "slug-taken"


class AlreadyMemberError(ConflictError):
    """The person is already a member, or already invited."""

    code = "already-member"


class AccountExistsError(ConflictError):
    """There is already an account with this address."""

    code = "account-exists"


class AddressUnprovenError(DomainError):
    """Nobody has proved that the address of the account is theirs."""

    code = "address-unproven"
    status = 403


class PlayerGoneError(ConflictError):
    """The record was merged into another, or its person is anonymous."""

    code = "player-gone"


class AlreadyLinkedError(ConflictError):
    """The player has an account, or the account has a player."""

    code = "already-linked"


class AlreadyKeptApartError(ConflictError):
    """The two players are already kept apart, or are the same person."""

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


class MergedElsewhereError(ConflictError):
    """A record of another club is merged with somebody whom their home club, or their account, wants to forget."""

    code = "merged-elsewhere"


class ConsentNeededError(ForbiddenError):
    """The other record belongs to somebody who has to agree first."""

    code = "consent-needed"


class MergeRequestOverError(ConflictError):
    """The request to merge was answered or taken back, has expired, or its asker speaks for nobody any more."""

    code = "merge-request-over"


class MergeRequestOpenError(ConflictError):
    """Somebody has already asked to merge these two records."""

    code = "merge-request-open"


class MergeDeclinedError(ConflictError):
    """The other side said no not long ago."""

    code = "merge-declined"


class TooManyMergeRequestsError(ConflictError):
    """The asker has as many requests open as they can have."""

    code = "too-many-merge-requests"


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


class KeyInvalidError(RuleBrokenError):
    """A key is to end in the past, or too far ahead."""

    code = "key-invalid"


class WebhookInvalidError(RuleBrokenError):
    """Nothing may be sent to the address of a webhook."""

    code = "webhook-invalid"


class WebhookOffError(ConflictError):
    """The webhook is switched off."""

    code = "webhook-off"


class SubscriptionInvalidError(RuleBrokenError):
    """Nothing can be sent to what a browser is said to hand out."""

    code = "subscription-invalid"


class PushOffError(ConflictError):
    """The service sends no messages to phones."""

    code = "push-off"


class TooManyWebhooksError(ConflictError):
    """The club has as many webhooks as a club can have."""

    code = "too-many-webhooks"
