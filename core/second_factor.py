"""A second factor for whoever wants one: codes of an app (TOTP), and recovery codes for the day the phone is gone.

Wrong codes make the next attempt wait, longer each time and never longer than some minutes: whoever knows somebody's
password can neither guess the code nor keep them out.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from core.clocks import TOLERATED

if TYPE_CHECKING:
    from core.models import User

NAME = "Ludoscore"
DIGITS = 6  # of the app's codes; recovery codes are longer
RECOVERY_CODES = 10
MOST_COUNTED = 10  # wrong codes: each doubles the wait, from a second to 2 ** 9, which is nine minutes


def is_on(user: User) -> bool:
    """Say whether somebody logs in with a second factor."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def recovery_codes_left(user: User) -> int:
    """Return how many recovery codes somebody has not used."""
    return int(StaticToken.objects.filter(device__user=user).count())


def prepare(user: User) -> TOTPDevice:
    """Return the device that an app is being paired with; it opens nothing until a code of it was given.

    No constraint keeps somebody from having two, so whoever opens the page twice at once waits for themselves.
    """
    unpaired = TOTPDevice.objects.filter(user=user, confirmed=False)
    if (known := unpaired.first()) is not None:
        return known
    with transaction.atomic():
        get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
        return unpaired.first() or TOTPDevice.objects.create(user=user, confirmed=False, name=NAME)


@transaction.atomic
def switch_on(user: User, code: str) -> list[str]:
    """Ask for the app's code from now on, and return the recovery codes; none where the code is wrong."""
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
    if device is None or is_on(user) or not _verify(device, code):
        return []
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    return renew_recovery_codes(user)


@transaction.atomic
def renew_recovery_codes(user: User) -> list[str]:
    """Return new recovery codes, which replace the former ones and are shown once."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=NAME)
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def is_recovery_code(code: str) -> bool:
    """Say whether a code cannot be the app's, by its length."""
    return len("".join(code.split())) != DIGITS


@transaction.atomic
def verify(user: User, code: str) -> bool:
    """Say whether a code is the app's present one or a recovery code, each of which works once."""
    model = StaticDevice if is_recovery_code(code) else TOTPDevice
    device = model.objects.select_for_update().filter(user=user, confirmed=True).first()
    return device is not None and _verify(device, code)


def _verify(device: Any, code: str) -> bool:
    _forget_future(device)
    if device.verify_token("".join(code.split()).lower()):
        return True
    if device.throttling_failure_count > MOST_COUNTED:
        device.throttling_failure_count = MOST_COUNTED
        device.save(update_fields=["throttling_failure_count"])
    return False


def _forget_future(device: Any) -> None:
    """Forget when a wrong code and the last right one came, where a clock that was set back since wrote that down.

    Until the time comes again, which may take a year, every code would have to wait or seem used.
    """
    failed_at = device.throttling_failure_timestamp
    if failed_at is not None and failed_at > timezone.now() + TOLERATED:
        device.throttling_failure_timestamp = None
    if isinstance(device, TOTPDevice):
        present = (int(time.time()) - device.t0) // device.step + device.drift
        if device.last_t > present + device.tolerance:
            device.last_t = -1


def seconds_to_wait(user: User) -> int:
    """Return how many seconds must pass before a code of the app is read again."""
    device = TOTPDevice.objects.filter(user=user).order_by("-confirmed").first()
    if device is None:
        return 0
    _forget_future(device)
    _is_allowed, why = device.verify_is_allowed()
    return math.ceil((why["locked_until"] - timezone.now()).total_seconds()) if why else 0


def switch_off(user: User) -> bool:
    """Ask for the password alone from now on; say whether that changed anything."""
    was_on = is_on(user)
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    return was_on


def forget_unpaired(user: User, **_: Any) -> None:
    """Forget the key of an app that was never paired: whoever had the former password may have read it."""
    TOTPDevice.objects.filter(user=user, confirmed=False).delete()


def lift_wait(user: User, **_: Any) -> None:
    """Forget wrong codes of somebody whose password was replaced: they were of one who knew the former."""
    for model in (TOTPDevice, StaticDevice):
        model.objects.filter(user=user).update(throttling_failure_count=0, throttling_failure_timestamp=None)
