"""Browsers on this machine that subscribe to messages: a real push service, and the keys to read what it gets."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tests.tournaments.receivers import Receiver, receiver
from tournaments.push.keys import decoded, encoded, point_of


@dataclass
class Browser:
    """A browser and its push service, as the other side of RFC 8291: it reads what was encrypted for it."""

    service: Receiver
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def keys(self) -> dict[str, str]:
        """What the browser hands out with its address."""
        return {"p256dh": encoded(point_of(self.key.public_key())), "auth": encoded(self.auth)}

    @property
    def subscription(self) -> dict[str, Any]:
        """What the browser hands out."""
        return {"endpoint": self.service.url, "keys": self.keys}

    @property
    def read(self) -> list[dict[str, str]]:
        """Every message that came, in the clear."""
        return [json.loads(self.decrypt(body)) for _headers, body in self.service.got]

    @property
    def titles(self) -> list[str]:
        """What the messages say."""
        return [message["title"] for message in self.read]

    def decrypt(self, body: bytes) -> bytes:
        """Return what a message says, without what fills it up."""
        salt, length = body[:16], body[20]
        point, sealed = body[21 : 21 + length], body[21 + length :]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        info = b"WebPush: info\0" + point_of(self.key.public_key()) + point
        secret = derived(self.key.exchange(ec.ECDH(), theirs), self.auth, info, 32)
        key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        text, _end, _filling = AESGCM(key).decrypt(nonce, sealed, None).rpartition(b"\x02")
        return text


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def sender_of(authorization: str) -> dict[str, Any]:
    """Return what a sender says of itself, once its signature was verified with the key that it names."""
    kind, _, rest = authorization.partition(" ")
    said = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert kind == "vapid"
    head, claims, signature = said["t"].split(".")
    raw = decoded(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(said["k"]))
    try:
        key.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise AssertionError("signed by somebody else") from None
    return {**json.loads(decoded(claims)), "key": said["k"], "alg": json.loads(decoded(head))["alg"]}


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Run the push service of a browser."""
    with receiver() as running:
        running.status = 201
        yield Browser(running)
