"""A certificate of the service's own, for HTTPS in a room where nobody else could issue one.

No browser knows who signed it, so each phone warns once; whoever compares the fingerprint knows that nobody listens.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LASTS = dt.timedelta(days=365)  # browsers refuse what lasts much longer
RENEWED = dt.timedelta(days=30)  # before its end
NAME = "Ludoscore"
FILE = "certificate.pem"


class Certificate(NamedTuple):
    """The file that holds a certificate and its key, and what tells it from any other."""

    file: Path
    fingerprint: str


def own_certificate(data: Path, address: str, now: dt.datetime) -> Certificate:
    """Return the certificate in the data folder, or a new one: for another address, near its end, or unusable."""
    file, names = data / FILE, _names(address)
    found = _read(file)
    if found is None or not _is_usable(found, names, now):
        found = _make(file, names, now)
    return Certificate(file, found.fingerprint(hashes.SHA256()).hex(":").upper())


def _names(address: str) -> list[x509.GeneralName]:
    """Return the names under which this machine is reached: the address, its own name, and itself."""
    machine = socket.gethostname()
    hosts = dict.fromkeys([address, machine, f"{machine}.local", "localhost", "127.0.0.1", "::1"])
    return [_name(host) for host in hosts if host.isascii()]


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _read(file: Path) -> x509.Certificate | None:
    try:
        content = file.read_bytes()
        serialization.load_pem_private_key(content, None)
        return x509.load_pem_x509_certificate(content)
    except (OSError, ValueError):
        return None


def _is_usable(found: x509.Certificate, names: Iterable[x509.GeneralName], now: dt.datetime) -> bool:
    known = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    # One that was made while the clock was ahead is not valid yet.
    is_of_now = found.not_valid_before_utc <= now < found.not_valid_after_utc - RENEWED
    return is_of_now and set(names) <= set(known)


def _make(file: Path, names: list[x509.GeneralName], now: dt.datetime) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))  # phones whose clock is a little behind
        .not_valid_after(now + LASTS)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    _write(file, secret + made.public_bytes(serialization.Encoding.PEM))
    return made


def _write(file: Path, content: bytes) -> None:
    """Put a file for its owner alone in place, whole or not at all."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    part.replace(file)
