"""Public ids: short, opaque, and too many to guess."""

from __future__ import annotations

import secrets

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that looks like something else when read aloud
ID_LENGTH = 16
CODE_LENGTH = 6


def new_id() -> str:
    """Return a new id of about 79 random bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def new_code() -> str:
    """Return a new code that people type: six capital letters and digits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH)).upper()


def typed_code(text: str) -> str:
    """Return a code as it was made, however people typed it: in small letters, with spaces, with hyphens."""
    return "".join(filter(str.isalnum, text)).upper()
