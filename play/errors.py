"""What somebody who plays, or who brings a record, can be told."""

from __future__ import annotations

from core.errors import ConflictError, DomainError, RuleBrokenError


class MoveIllegalError(RuleBrokenError):
    """The move breaks a rule of the game; the position is as it was."""

    code = "move-illegal"


class MoveNumberError(ConflictError):
    """Another move was made meanwhile, in another tab or by a request that arrived."""

    code = "move-number"


class RecordInvalidError(RuleBrokenError):
    """The record cannot be replayed, or is not that of the table."""

    code = "record-invalid"


class SetupInvalidError(RuleBrokenError):
    """The game cannot be played like this."""

    code = "setup-invalid"


class ChallengeOverError(ConflictError):
    """The day of the challenge is over."""

    code = "challenge-over"


class GameRunningError(ConflictError):
    """What was asked for is shown when the game is over."""

    code = "game-running"


class GameOverError(ConflictError):
    """The game is over: nothing of it is taken back, and nothing is left to advise."""

    code = "game-over"


class PlayFirstError(DomainError):
    """The records of a challenge are shown to those who have finished it, and to everybody once it is over."""

    code = "play-first"
    status = 403


class PracticeOnlyError(DomainError):
    """Moves are taken back, and advice is given, in practice against the house alone."""

    code = "practice-only"
    status = 403


class NothingToUndoError(ConflictError):
    """There is no move of the person to take back."""

    code = "nothing-to-undo"


class TooManyGamesError(DomainError):
    """More games were begun from one phone or one address than anybody plays."""

    code = "too-many-games"
    status = 429
    retry_after = 3600


class TooLongError(ConflictError):
    """The game has more moves than any that is played to win."""

    code = "game-too-long"
