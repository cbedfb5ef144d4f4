"""The kinds of secrets: how they look, how they are made, and how one is recognised.

`lsu_` and `lsk_` are random and kept as a hash. `lse_`, `lst_` and `lsp_` are derived from the server's key, the id
of the entry, table or event and its generation: they can be shown again, and are revoked by raising the generation.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import secrets
from typing import Final

from django.conf import settings

from core.ids import ALPHABET, ID_LENGTH

USER: Final = "lsu_"
CLUB: Final = "lsk_"
ENTRY: Final = "lse_"
TABLE: Final = "lst_"
PROJECTOR: Final = "lsp_"  # shows one event's projector page, join code included, to a machine without a login
INVITATION: Final = "lsi_"  # opens no door of the API: it is accepted once, by a person with an account
WEBHOOK: Final = "whsec_"  # opens nothing: it signs the messages of a webhook, and is kept for that
SHOWN_ONCE = (USER, CLUB, INVITATION, WEBHOOK)
SHOWN = 10  # characters of a random secret that are kept readable, to tell it by
MAC_LENGTH = 32


def new_secret(prefix: str) -> str:
    """Return a new random secret of a user or a club."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """Return the hash a random secret is found by; it has enough entropy to need no salt."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def derive(prefix: str, uid: str, generation: int) -> str:
    """Return the secret of an entry, a table or a projector."""
    return prefix + uid + _mac(settings.SECRET_KEY, prefix, uid, generation)


def _mac(key: str, prefix: str, uid: str, generation: int) -> str:
    message = f"{prefix}{uid}:{generation}".encode()
    return hmac.new(key.encode(), message, hashlib.sha256).hexdigest()[:MAC_LENGTH]


def uid_of(secret: str) -> str:
    """Return the id that a derived secret names, whether or not it is genuine; empty where it names none."""
    uid = secret[len(ENTRY) : len(ENTRY) + ID_LENGTH]
    return uid if uid.isascii() and uid.isalnum() else ""  # a database may refuse to look for anything else


def is_genuine(secret: str, uid: str, generation: int) -> bool:
    """Say whether a derived secret was made for this id and generation, by this server's key or one before it."""
    prefix = secret[: len(ENTRY)]
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    offered = secret.encode()
    return any(
        hmac.compare_digest(offered, (prefix + uid + _mac(key, prefix, uid, generation)).encode()) for key in keys
    )


def one_time_code(uid: str, generation: int, since: dt.datetime) -> str:
    """Return the code that the phone of an entry shows since some moment, to be typed on another phone."""
    message = f"code:{uid}:{generation}:{since.timestamp()}".encode()
    number = int.from_bytes(hmac.digest(settings.SECRET_KEY.encode(), message, "sha256"))
    # Eight letters, because a right code works however many wrong ones came before: all guesses of ten minutes at any
    # speed a server has are less than a millionth of them.
    return "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(8)).upper()


def redact(secret: str) -> str:
    """Return what of a secret may be stored: its kind, and of a derived one the id and a digest it is known by."""
    if secret.startswith(WEBHOOK):
        return WEBHOOK
    prefix = secret[: len(ENTRY)]
    if prefix not in {ENTRY, TABLE, PROJECTOR}:
        return prefix
    return prefix + uid_of(secret) + digest(secret)[:MAC_LENGTH]


def is_redacted(redacted: str, secret: str) -> bool:
    """Say whether this secret is the one that was redacted: it is not, once it was renewed."""
    return hmac.compare_digest(redacted.encode(), redact(secret).encode())
