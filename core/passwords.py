"""Links by which people set a password, and what setting one by a mailed link proves.

There are two kinds, told apart by what signs them: one that went by mail alone proves the address, one that an
operator handed over does not. Both work once, within a day, and not after a login.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from core import second_factor

if TYPE_CHECKING:
    from core.models import User


class Tokens(PasswordResetTokenGenerator):
    """Django's tokens, also where a clock stands before the year from which they count."""

    def _num_seconds(self, moment: dt.datetime | dt.date) -> int:
        return max(super()._num_seconds(moment), 0)


class MailedTokens(Tokens):
    """Tokens that are mailed, and shown to nobody."""

    key_salt = "core.passwords.MailedTokens"


class AnyTokens(Tokens):
    """Accept tokens of both kinds."""

    def check_token(self, user: User | None, token: str | None) -> bool:
        """Say whether a token is good for a user."""
        return mailed_tokens.check_token(user, token) or handed_tokens.check_token(user, token)


handed_tokens = Tokens()
mailed_tokens = MailedTokens()
any_tokens = AnyTokens()


def link(user: User, origin: str, *, is_mailed: bool) -> str:
    """Return the link by which a user sets a password. Its token stands in the query, because paths are logged."""
    tokens = mailed_tokens if is_mailed else handed_tokens
    secret = {"user": urlsafe_base64_encode(force_bytes(user.pk)), "token": tokens.make_token(user)}
    return f"{origin}{reverse('web:set-password')}?{urlencode(secret)}"


def prove_address(user: User) -> None:
    """Note, in the transaction in which it was stored, that whoever set this password reads the mail of the address.

    An account that nobody had proved may have been made by somebody else: its second factor is theirs and goes, as
    sessions and tokens went with the former password. An address that was changed meanwhile is not proved.
    """
    now = type(user).objects.select_for_update(no_key=True).get(pk=user.pk)
    if now.email_proved_at is None and now.email == user.email:
        second_factor.switch_off(user)
        user.email_proved_at = timezone.now()
        user.save(update_fields=["email_proved_at"])
