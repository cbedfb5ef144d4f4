"""Who is calling, and with which role. `selectors` say what a caller sees, services what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.models import User
from tournaments.models import Club, Credential, Entry, Membership, Role, Scope, Table


class Kind(StrEnum):
    """The kinds of callers."""

    NOBODY = "nobody"
    USER = "user"
    KEY = "key"
    ENTRY = "entry"
    TABLE = "table"


ORDER = [Role.SCOREKEEPER, Role.ORGANISER, Role.OWNER]


@dataclass(frozen=True, slots=True)
class Actor:
    """A caller, by the credential they showed. `user` is a logged-in person or the bearer of an `lsu_` token."""

    kind: Kind = Kind.NOBODY
    user: User | None = None
    credential: Credential | None = None
    entry: Entry | None = None
    table: Table | None = None

    @property
    def label(self) -> str:
        """Who this is, for the history: the kind of credential and what it stands for."""
        match self.kind:
            case Kind.USER:
                return f"user {self.user}"
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

    def role_in(self, club: Club) -> Role | None:
        """Return the caller's role in a club; a club's own key with the scope `write` acts as an organiser."""
        if self.kind == Kind.KEY and self.credential and self.credential.club_id == club.pk:
            return Role.ORGANISER if self.credential.scope == Scope.WRITE else None
        if self.kind == Kind.USER and self.user:
            role = Membership.objects.filter(club=club, user=self.user).values_list("role", flat=True).first()
            return Role(role) if role else None
        return None

    def is_at_least(self, role: Role, club: Club) -> bool:
        """Say whether the caller has a role in a club, or a higher one."""
        own = self.role_in(club)
        return own is not None and ORDER.index(own) >= ORDER.index(role)


NOBODY = Actor()
