"""The first start: who reads the terminal of a service without any account makes the first one, and a club with it.

A code that only the terminal shows proves that. It is kept as a hash, good for the service that printed it last, and
gone with its first use; once there is an account it is worth nothing.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from core.ids import new_code, typed_code
from core.models import StartCode, User
from tournaments.access import credentials
from tournaments.actors import Actor, Kind
from tournaments.errors import StartCodeError
from tournaments.models import Club
from tournaments.services.clubs import create_club


def show_code() -> str:
    """Return a new code to show in the terminal; the one before is good no more. Empty where there is an account."""
    if User.objects.exists():
        return ""
    code = f"{new_code()}-{new_code()}"
    with transaction.atomic():
        StartCode.objects.all().delete()
        StartCode.objects.create(digest=_digest(code))
    return code


def is_waiting() -> bool:
    """Say whether the service waits for its first account: a terminal shows a code, and there is no account."""
    return StartCode.objects.exists() and not User.objects.exists()


def find_code(code: str) -> StartCode | None:
    """Return the code as it is kept, however it was typed; None for a wrong one."""
    return StartCode.objects.filter(digest=_digest(code)).first() if is_waiting() else None


def _digest(code: str) -> str:
    return credentials.digest(typed_code(code))


@transaction.atomic
def begin(*, code: str, club: str, email: str, name: str, password: str, time_zone: str) -> tuple[User, Club]:
    """Make the first account, who runs the service, and their club; the code is used up.

    Whoever deletes the code is first: a second request waits for the row, finds none, and is refused.
    """
    deleted, _rows = StartCode.objects.filter(digest=_digest(code)).delete()
    if not deleted or User.objects.exists():
        raise StartCodeError(_("This is not the code that the terminal shows, or it was used."))
    owner = User.objects.create_superuser(email, password, name=name)
    return owner, create_club(actor=Actor(Kind.USER, user=owner), name=club, time_zone=time_zone)
