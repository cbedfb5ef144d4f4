"""Who is calling, and with which role. `selectors` say what a caller sees, services what they may do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

from core.models import User
from core.statements import Prepared
from tournaments.models import Club, Credential, Entry, Membership, Role, Scope, Table


class Kind(StrEnum):
    """The kinds of callers."""

    NOBODY = "nobody"
    USER = "user"
    KEY = "key"
    ENTRY = "entry"
    TABLE = "table"


ORDER = [Role.SCOREKEEPER, Role.ORGANISER, Role.OWNER]
SELF = "self"  # beside the roles: that the caller is somebody, by their account
LINKED = "linked"  # that the caller's account became somebody's by what was done
Grants = set[tuple[int, str]]  # roles by the key of their club, `SELF` and `LINKED` by that of the person

_MEMBER = Prepared(lambda club, user: Membership.objects.filter(club=club, user=user), int, int)
_granted: ContextVar[Grants | None] = ContextVar("granted", default=None)


@contextmanager
def noting_grants() -> Iterator[Grants]:
    """Collect every role, and self, that callers are found to have in the block: what its outcome was allowed by."""
    grants: Grants = set()
    token = _granted.set(grants)
    try:
        yield grants
    finally:
        _granted.reset(token)


def note_grant(key: int, what: str) -> None:
    """Write down what a caller was found to have, where that is being collected."""
    if (granted := _granted.get()) is not None:
        granted.add((key, what))


@dataclass(frozen=True, slots=True)
class Actor:
    """A caller, by the credential they showed. `user` is a logged-in person or the bearer of an `lsu_` token.

    `device` tells one browser from another by a cookie of ours; it is empty for callers without one. `area` is the
    part of the API that a key calls: only in those it was made for it acts as an organiser.
    """

    kind: Kind = Kind.NOBODY
    user: User | None = None
    credential: Credential | None = None
    entry: Entry | None = None
    table: Table | None = None
    device: str = ""
    area: Scope | None = None

    @property
    def label(self) -> str:
        """Who this is, for the history: the kind of credential and what it stands for, and never an address."""
        match self.kind:
            case Kind.USER:
                return f"user {self.user and self.user.public_name}"
            case Kind.KEY:
                return f"key {self.credential and self.credential.name}"
            case Kind.ENTRY:
                return f"player {self.entry}"
            case Kind.TABLE:
                return f"table slip {self.table and self.table.number}"
        return "nobody"

    @property
    def is_bearer(self) -> bool:
        """Whether the caller showed a credential with the request, rather than being logged in."""
        return self.kind in {Kind.ENTRY, Kind.TABLE} or self.credential is not None

    @property
    def throttle_key(self) -> str | None:
        """What the caller's requests are counted under; None for callers without a credential."""
        match self.kind:
            case Kind.USER:
                return f"user-{self.user and self.user.pk}"
            case Kind.KEY:
                return f"key-{self.credential and self.credential.pk}"
            case Kind.ENTRY:
                return f"entry-{self.entry and self.entry.pk}"
            case Kind.TABLE:
                return f"table-{self.table and self.table.pk}"
        return None

    def holds_link_of(self, entry: Entry) -> bool:
        """Say whether the caller showed the personal link of an entry: the one that it has, as it was read."""
        own = self.entry if self.kind == Kind.ENTRY else None
        return own is not None and (own.pk, own.generation) == (entry.pk, entry.generation)

    def role_in(self, club: Club) -> Role | None:
        """Return the caller's role in a club; its own key acts as an organiser where its scopes allow it."""
        if self.kind == Kind.KEY and self.credential and self.credential.club_id == club.pk:
            return Role.ORGANISER if self.credential.allows(self.area) else None
        if self.kind == Kind.USER and self.user:
            member = _MEMBER.first(club.pk, self.user.pk)
            return None if member is None else Role(member.role)
        return None

    def is_at_least(self, role: Role, club: Club) -> bool:
        """Say whether the caller has a role in a club, or a higher one."""
        own = self.role_in(club)
        is_granted = own is not None and ORDER.index(own) >= ORDER.index(role)
        if is_granted:
            note_grant(club.pk, role.value)
        return is_granted


NOBODY = Actor()
