"""Fault 39: an account for somebody else's address, and what is left of one after its password was replaced."""

from __future__ import annotations

import re
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener
from uuid import uuid4

import pytest

from core.models import User
from tests.factories import UserFactory
from tests.faults.phones import call
from tests.faults.rig_names import MAILS, SECRETS_SHOWN, TOKENS_STAY
from tests.faults.stand import Stand, wait_for
from tournaments.actors import Actor, Kind
from tournaments.models import Membership
from tournaments.services.clubs import create_club
from tournaments.services.credentials import create_token

PASSWORD = "battery staple"


class Browser:
    """Somebody's browser, which keeps cookies and follows where it is led."""

    def __init__(self, stand: Stand) -> None:
        self.origin = f"http://127.0.0.1:{stand.port}"
        self.jar = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar))

    def open(self, path: str, **form: str) -> str:
        """Open a page, or send its form; return what is shown in the end."""
        token = next((cookie.value for cookie in self.jar if cookie.name == "csrftoken"), None)
        data = urlencode({**form, "csrfmiddlewaretoken": token or ""}).encode() if form else None
        try:
            with self.opener.open(self.origin + path, data, timeout=10) as answer:
                return str(answer.read().decode())
        except HTTPError as error:
            return error.read().decode()


def club_and_token(name: str) -> tuple[str, str]:
    """Return a new club, and a token of its owner."""
    owner = Actor(Kind.USER, user=UserFactory(email=f"{uuid4().hex}@example.org"))
    club = create_club(actor=owner, name=f"{name} {uuid4().hex[:6]}")
    return club.slug, create_token(actor=owner, name="laptop")[1]


def invite(stand: Stand, slug: str, token: str, address: str) -> str | None:
    """Invite somebody, and return the secret that the answer shows."""
    body = {"email": address, "role": "owner"}
    answer = call(stand.port, "POST", f"/api/v1/clubs/{slug}/invitations/", body, token=token)
    assert answer.status == 201
    return answer.body["secret"]  # type: ignore[no-any-return]


def mailed(stand: Stand, address: str, page: str) -> str:
    """Wait for a mail to an address, and return the link to a page that it holds."""

    def look() -> str | None:
        texts = (path.read_text() for path in (stand.folder / MAILS).glob("*"))
        found = [re.search(rf"http://\S+?({page}\S+)", text) for text in texts if f"To: {address}" in text]
        return next((match[1] for match in found if match), None)

    return str(wait_for(look))


def set_password(stand: Stand, browser: Browser, address: str) -> str:
    """Ask for a link and set a password by it, as whoever reads the mail of an address."""
    browser.open("/password/reset/")
    assert "Check your mail" in browser.open("/password/reset/", email=address)
    browser.open(mailed(stand, address, "/password/set/"))
    return browser.open("/password/set/", new_password1=PASSWORD, new_password2=PASSWORD)


def squat(address: str) -> tuple[User, str]:
    """Make an account for an address that nobody proved, as was possible once, with a token for later."""
    user = UserFactory(email=address)
    return user, create_token(actor=Actor(Kind.USER, user=user), name="for later")[1]


@pytest.mark.fault(39, "account for a victim's address by an invitation of one's own; a token from before a reset")
def test_39_no_account_without_proof_and_no_token_after_its_password(stand, ledger, figures):
    victim, other = (f"{uuid4().hex}@example.org" for _ in range(2))
    slug, eve = club_and_token("Eve's")
    assert invite(stand, slug, eve, victim) is None, "the secret is in the victim's mailbox alone"
    link = mailed(stand, victim, "/invitations/")
    for guess in ("lsi_" + "A" * 43, ""):
        assert "There is no such invitation" in Browser(stand).open(f"/invitations/?secret={guess}")
    assert not User.objects.filter(email=victim).exists()
    phone = Browser(stand)
    assert "Create the account" in phone.open(link), "the victim's own way is open"

    squatted, old = squat(other)
    real, owner = club_and_token("Real")
    assert invite(stand, real, owner, other) is None
    link = mailed(stand, other, "/invitations/")
    accept = {"secret": link.partition("=")[2]}
    assert call(stand.port, "POST", "/api/v1/invitations/accept/", accept, token=old).code == "address-unproven"
    phone = Browser(stand)
    assert "nobody has proved" in phone.open(link)
    assert "Your password is set" in set_password(stand, phone, other)
    assert call(stand.port, "GET", "/api/v1/me/", token=old).status == 401
    assert "Accept the invitation" in phone.open(link)
    phone.open(link, accept="1")
    assert Membership.objects.get(user=squatted).club.slug == real
    eves = Browser(stand)
    eves.open("/login/")
    assert "is not right" in eves.open("/login/", username=other, password="correct horse")
    figures.clean("no secret shown, no account; password and token of the squatter ended")


def test_39_control_a_shown_secret_makes_an_account_for_anybody(stand):
    victim = f"{uuid4().hex}@example.org"
    slug, eve = club_and_token("Eve's")
    stand.arm(SECRETS_SHOWN)
    try:
        secret = invite(stand, slug, eve, victim)
        browser = Browser(stand)
        browser.open(f"/invitations/?secret={secret}")
        browser.open(f"/invitations/?secret={secret}", name="Eve", new_password1=PASSWORD, new_password2=PASSWORD)
    finally:
        stand.disarm(SECRETS_SHOWN)
    assert User.objects.filter(email=victim).exists()


def test_39_control_a_token_outlives_the_password_where_nobody_is_told(stand):
    address = f"{uuid4().hex}@example.org"
    _user, old = squat(address)
    stand.arm(TOKENS_STAY)
    try:
        set_password(stand, Browser(stand), address)
    finally:
        stand.disarm(TOKENS_STAY)
    assert call(stand.port, "GET", "/api/v1/me/", token=old).status == 200
