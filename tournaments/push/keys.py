"""The key by which push services know this service (VAPID, RFC 8292), and what is signed with it.

It is derived from the server's key like personal links are, so it needs no place of its own and is the same on every
machine. A browser subscribes for one public key: while a key is being replaced, phones are served by the former one.
"""

from __future__ import annotations

import base64
import datetime as dt
import functools
import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
GOOD_FOR = dt.timedelta(hours=12)  # of a signature; push services refuse more than a day


def encoded(raw: bytes) -> str:
    """Return bytes as browsers and push services write them."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes that a text stands for; ValueError where it is none."""
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)


def point_of(key: EllipticCurvePublicKey) -> bytes:
    """Return a public key as 65 bytes."""
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


@functools.cache
def _derived(secret: str) -> tuple[str, EllipticCurvePrivateKey]:
    # 16 bytes more than the key has, so that no key is likelier than another.
    derivation = HKDF(algorithm=hashes.SHA256(), length=48, salt=None, info=b"ludoscore web push")
    number = int.from_bytes(derivation.derive(secret.encode())) % (ORDER - 1) + 1
    key = ec.derive_private_key(number, CURVE)
    return encoded(point_of(key.public_key())), key


def public_key() -> str:
    """Return the key that a browser subscribes for."""
    return _derived(settings.SECRET_KEY)[0]


def signature(endpoint: str, *, key: str, now: dt.datetime) -> str | None:
    """Return the header that shows a push service who sends; None where the phone's key is none of ours any more."""
    known = dict(map(_derived, [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]))
    if key not in known:
        return None
    parts = urlsplit(endpoint)
    claims: dict[str, str | int] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + GOOD_FOR).timestamp()),
        "sub": settings.PUBLIC_URL if settings.IS_HTTPS else f"mailto:{settings.DEFAULT_FROM_EMAIL}",
    }
    return f"vapid t={_token(claims, known[key])},k={key}"


def _token(claims: dict[str, str | int], key: EllipticCurvePrivateKey) -> str:
    parts = [{"typ": "JWT", "alg": "ES256"}, claims]
    said = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    one, other = utils.decode_dss_signature(key.sign(said.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{said}.{encoded(one.to_bytes(32) + other.to_bytes(32))}"
