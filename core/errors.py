"""The base of every error a user can correct; `api.errors` turns them into problems (RFC 9457)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar


class DomainError(Exception):
    """Something the present state or a rule does not allow.

    `code` is stable and kebab-case, `status` the HTTP status it becomes, `facts` are added to the problem, and
    `errors` lists single faults as `{"code", "path", "message"}` where there are several. `retry_after` says after how
    many seconds the same request may succeed.
    """

    code: ClassVar[str]
    status: ClassVar[int]
    retry_after: ClassVar[int | None] = None

    def __init__(self, detail: str, *, errors: Sequence[dict[str, Any]] = (), **facts: Any) -> None:
        super().__init__(detail)
        self.detail, self.errors, self.facts = detail, errors, facts


class ConflictError(DomainError):
    """The present state does not allow it."""

    code = "conflict"
    status = 409


class RuleBrokenError(DomainError):
    """What was sent breaks a rule."""

    code = "rule-broken"
    status = 422
