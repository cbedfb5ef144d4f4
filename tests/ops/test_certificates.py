"""The certificate of our own: kept, for its owner alone, renewed when it must be; and HTTPS with it."""

from __future__ import annotations

import datetime as dt
import hashlib
import http.client
import re
import ssl
from contextlib import closing

import pytest
from cryptography import x509
from django.test import Client

from ops.certificates import FILE, LASTS, own_certificate
from tests.ops.test_serve import Service

NOW = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)


def test_certificate_is_kept_for_its_owner_alone(tmp_path):
    made = own_certificate(tmp_path, "192.168.1.7", NOW)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
    assert made.file.stat().st_mode & 0o777 == 0o600
    assert own_certificate(tmp_path, "192.168.1.7", NOW + dt.timedelta(days=300)) == made
    assert own_certificate(tmp_path, "localhost", NOW) == made, "this machine itself is in every one"


@pytest.mark.parametrize(
    ("address", "later"),
    [
        ("192.168.1.8", dt.timedelta()),
        ("192.168.1.7", LASTS - dt.timedelta(days=29)),
        ("192.168.1.7", LASTS + dt.timedelta(days=9)),
        ("192.168.1.7", dt.timedelta(days=-365)),
    ],
    ids=["another address", "near its end", "past its end", "made while the clock was ahead"],
)
def test_certificate_is_renewed(tmp_path, address, later):
    made = own_certificate(tmp_path, "192.168.1.7", NOW)
    assert own_certificate(tmp_path, address, NOW + later).fingerprint != made.fingerprint


@pytest.mark.parametrize("content", [b"", b"hello", b"-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"])
def test_file_that_is_no_certificate_is_replaced(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    made = own_certificate(tmp_path, "cafe.example", NOW)
    x509.load_pem_x509_certificate(made.file.read_bytes())


def test_room_is_served_by_https_with_the_fingerprint_that_was_printed(tmp_path, up_to_date):
    data = up_to_date(tmp_path / "data")
    with Service(data, "--https", PUBLIC_URL="https://127.0.0.1", OWN_CERTIFICATE="True") as service:
        said = service.log.read_text()
        context = ssl.create_default_context(cafile=data / FILE)  # a phone that accepted it
        known = http.client.HTTPSConnection("127.0.0.1", service.port, context=context, timeout=20)
        with closing(known):
            known.connect()
            shown = hashlib.sha256(known.sock.getpeercert(binary_form=True)).hexdigest().upper()
            assert re.sub(":", "", said).count(shown) == 1
            known.request("GET", "/login/")
            answer = known.getresponse()
            text = answer.read().decode()
        assert answer.status == 200, "and no redirect to where it came from"
        cookies = answer.headers.get_all("Set-Cookie")
        assert cookies
        assert all("Secure" in cookie for cookie in cookies)
        assert answer.headers["Strict-Transport-Security"] is None, "a browser would let nobody past its warning"
        assert "not encrypted" not in text
        warned = http.client.HTTPSConnection("127.0.0.1", service.port, timeout=20)
        with closing(warned), pytest.raises(ssl.SSLCertVerificationError):  # a phone that did not
            warned.connect()
        plain = http.client.HTTPConnection("127.0.0.1", service.port, timeout=20)
        with closing(plain):
            plain.request("GET", "/login/")
            with pytest.raises((http.client.HTTPException, OSError)):
                plain.getresponse()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("host", "is_secure", "is_warned"),
    [
        ("192.168.1.7:8000", False, True),
        ("192.168.1.7:8000", True, False),
        ("127.0.0.1:8000", False, False),
        ("localhost", False, False),
        ("[::1]:8000", False, False),
    ],
)
def test_organiser_is_warned_where_others_can_read_the_password(settings, host, is_secure, is_warned):
    settings.ALLOWED_HOSTS = ["*"]
    answer = Client().get("/login/", headers={"Host": host}, secure=is_secure)
    assert ("This connection is not encrypted" in answer.content.decode()) == is_warned


def test_room_without_encryption_is_told_so_and_organisers_log_in_on_this_machine(tmp_path, up_to_date):
    with Service(up_to_date(tmp_path / "data"), "--qr", PUBLIC_URL="http://192.0.2.7:8000") as service:
        said = service.log.read_text()
    assert "anybody near can read passwords" in said
    assert f"at http://127.0.0.1:{service.port}/login/" in said
