"""Encrypt a message so that the phone alone reads it, and not the push service that carries it (RFC 8291)."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tournaments.push.keys import CURVE, decoded, point_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

RECORD = 4096  # bytes that every push service carries; a message is one record
BLOCK = 512  # texts are filled up to so many bytes, so that their length tells nothing
AUTH_LENGTH = 16
LAST = b"\x02"  # ends the text of the last record; zeros may follow


def phone_key(text: str) -> EllipticCurvePublicKey:
    """Return the key of a phone; ValueError where it is none."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(text))


def phone_secret(text: str) -> bytes:
    """Return the secret that a phone gave with its key; ValueError where it is none."""
    secret = decoded(text)
    if len(secret) != AUTH_LENGTH:
        raise ValueError("a secret has 16 bytes")
    return secret


def encrypt(
    text: bytes,
    *,
    p256dh: str,
    auth: str,
    salt: bytes | None = None,
    own: EllipticCurvePrivateKey | None = None,
    block: int = BLOCK,
) -> bytes:
    """Return the body of a message to a phone. Salt and own key are new for each message, unless a test names them."""
    salt, own = salt or secrets.token_bytes(16), own or ec.generate_private_key(CURVE)
    theirs = phone_key(p256dh)
    points = point_of(theirs) + point_of(own.public_key())
    shared = _derive(own.exchange(ec.ECDH(), theirs), phone_secret(auth), b"WebPush: info\0" + points, 32)
    key = _derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(shared, salt, b"Content-Encoding: nonce\0", 12)
    filled = text + LAST
    filled += bytes(-len(filled) % block)
    head = salt + RECORD.to_bytes(4) + bytes([len(points) // 2]) + point_of(own.public_key())
    return head + AESGCM(key).encrypt(nonce, filled, None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)
