"""Pages to log in, to set a password, to see one's account and to accept an invitation."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
import threading
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth import hashers
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.http import urlencode

from core import brute_force, costly, limits, logins, mails
from core.models import OutgoingMail, User
from ops.management.commands.serve import Command as Serve
from tests.factories import ClubFactory, CredentialFactory, KeyFactory, MembershipFactory, UserFactory
from tests.interleaving import meanwhile
from tests.web.markup import tags
from tests.web.test_design import is_inline, is_our_own
from tests.web.test_layout import SMALLER_THAN_A_THUMB
from tournaments import links
from tournaments.actors import Actor, Kind
from tournaments.errors import AccountExistsError, AddressUnprovenError, InvitationInvalidError
from tournaments.models import Credential, Invitation, Membership, Role
from tournaments.services import members

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"
NEW = {"name": "Ana", "new_password1": "battery staple", "new_password2": "battery staple"}


@pytest.fixture
def with_mail(settings):
    """A mail server is set up."""
    settings.EMAIL_HOST = "mail.example.org"


@pytest.fixture
def ana():
    """Somebody with an account."""
    return UserFactory(email="Ana@example.org", name="Ana")


@pytest.fixture
def secret(db):
    """The secret of an invitation of ana@example.org, who has no account unless a test makes one."""
    club = ClubFactory(name="Café Meeple")
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.OWNER).user)
    return members.invite(actor=owner, club=club, email="ana@example.org", role=Role.ORGANISER, page="/")[1]


def invitation_page(secret):
    return f"/invitations/?{urlencode({'secret': secret})}"


def log_in(client, address, password=PASSWORD, **query):
    return client.post(f"/login/?{urlencode(query)}", {"username": address, "password": password})


def follow(client, link):
    """Open a link to set a password, and return the page it leads to."""
    return client.get(link.removeprefix("http://testserver"), follow=True)


def mailed_link():
    """Let the worker send what waits, and return the link of the last mail."""
    mails.send_due()
    return re.search(r"http://testserver(/password/set/\S+)", mail.outbox[-1].body)[1]


# --- Every page -------------------------------------------------------------------------------------------------

PAGES = {
    "/login/": ("Log in", "Se connecter"),
    "/password/reset/": ("sends no mail", "n’envoie pas d’e-mails"),
    "a reset by mail": ("Send the link", "Envoyer le lien"),
    "/password/reset/sent/": ("Check your mail", "Consultez vos e-mails"),
    "/password/set/": ("does not work any more", "ne fonctionne plus"),
    "/password/": ("Change your password", "Changer votre mot de passe"),
    "/account/": ("Your account", "Votre compte"),
    "/invitations/": ("no such invitation", "n’existe pas"),
    "the form of a link": ("Set a password", "Choisir un mot de passe"),
    "an invitation without account": ("Create the account", "Créer le compte"),
    "an invitation": ("Accept the invitation", "Accepter l’invitation"),
    "too many at once": ("Too many ask for this at once", "Trop de demandes à la fois"),
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("page", PAGES)
def test_page_speaks_both_languages_and_keeps_to_the_design(client, secret, page, language, settings):
    client.cookies["django_language"] = language
    if page in {"/password/", "/account/", "an invitation"}:
        client.force_login(UserFactory(email="ana@example.org", is_staff=True))
    if page == "the form of a link":
        response = follow(client, links.password_link(UserFactory(), ""))
    elif page == "a reset by mail":
        settings.EMAIL_HOST = "mail.example.org"
        response = client.get("/password/reset/")
    elif page == "too many at once":
        with ExitStack() as all_threads:
            for _ in range(costly.MOST):
                all_threads.enter_context(costly._place(costly._threads))
            response = log_in(client, "ana@example.org", "wrong")
    else:
        response = client.get(invitation_page(secret) if page.startswith("an") else page)
    html = response.content.decode()
    assert PAGES[page][language == "fr"] in html
    found = tags(html)
    assert len(tags(html, "h1")) == 1
    assert [tag for tag in found if is_inline(tag)] == []
    addresses = [tag.attributes[name] for tag in found for name in ("href", "src", "action") if name in tag.attributes]
    assert all(map(is_our_own, addresses))
    fields = [tag.attributes for tag in tags(html, "input") if tag.attributes["type"] != "hidden"]
    assert [field["name"] for field in fields if not {"autocomplete", "disabled"} & field.keys()] == []


@pytest.mark.parametrize("path", ["/login/", "/logout/", "/password/", "/password/reset/", "/account/", "invitation"])
def test_forms_need_their_token(path, secret, ana):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana)
    path = invitation_page(secret) if path == "invitation" else path
    assert client.post(path, {"username": "ana@example.org"}).status_code == 403
    assert Membership.objects.filter(user=ana).count() == 0


# --- Logging in -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["Ana@example.org", "ana@example.org", "ANA@EXAMPLE.ORG"])
def test_login_by_any_case_of_the_address(client, ana, address):
    response = log_in(client, address)
    assert (response.status_code, response.url) == (302, "/organise/")
    html = client.get("/").content.decode()
    assert ">Ana</a>" in html
    assert "Log out" in html
    assert client.post("/logout/").url == "/"
    assert "Log out" not in client.get("/").content.decode()


def test_wrong_password_is_said_and_nothing_more(client, ana):
    pages = [log_in(client, address, "wrong").content.decode() for address in ("ana@example.org", "bo@example.org")]
    assert all("The address or the password is not right." in page for page in pages)


def test_logging_out_needs_a_form(client, ana):
    client.force_login(ana)
    assert client.get("/logout/").status_code == 405


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("/password/", "/password/"),
        ("https://evil.example/", "/organise/"),
        ("//evil.example/", "/organise/"),
        ("javascript:alert(1)", "/organise/"),
    ],
)
def test_login_leads_on_within_the_service_only(client, ana, wanted, given):
    assert log_in(client, "ana@example.org", next=wanted).url == given


@pytest.mark.parametrize("path", ["/account/", "/password/"])
def test_pages_of_an_account_lead_to_the_login(client, path):
    assert client.get(path).url == f"/login/?next={path}"


# --- Passwords --------------------------------------------------------------------------------------------------


def test_password_is_reset_by_mail(client, ana, with_mail):
    answer = client.post("/password/reset/", {"email": "ANA@example.org"})
    assert answer.url == "/password/reset/sent/"
    assert mail.outbox == [], "no request waits for a mail server"
    page = follow(client, mailed_link())
    (message,) = mail.outbox
    assert message.to == ["Ana@example.org"]
    assert page.redirect_chain == [("/password/set/", 302)], "the token does not stay in the address"
    passwords = {name: value for name, value in NEW.items() if name != "name"}
    assert client.post("/password/set/", passwords).url == "/account/"
    assert "Your password is set" in client.get("/account/").content.decode()
    ana.refresh_from_db()
    assert ana.check_password("battery staple")
    assert ana.email_proved_at is not None
    assert follow(Client(), mailed_link()).status_code == 410, "a link works once"


def test_link_that_was_handed_over_proves_no_address(client, ana, with_mail):
    follow(client, links.password_link(ana, ""))
    client.post("/password/set/", NEW)
    ana.refresh_from_db()
    assert (ana.check_password("battery staple"), ana.email_proved_at) == (True, None)


def test_without_mail_the_page_says_whom_to_ask(client, ana):
    for answer in (client.get("/password/reset/"), client.post("/password/reset/", {"email": ana.email})):
        assert "This service sends no mail" in answer.content.decode()
    assert not OutgoingMail.objects.exists()


def test_operator_makes_a_link(client, ana, capsys):
    call_command("password_link", "ana@EXAMPLE.org", "--origin", "http://testserver/")
    link = capsys.readouterr().out.strip()
    assert follow(client, link).status_code == 200
    with pytest.raises(CommandError, match="no active account"):
        call_command("password_link", "bo@example.org")


def test_mail_is_in_the_language_of_whoever_asks(client, ana, with_mail):
    client.post("/password/reset/", {"email": ana.email}, headers={"accept-language": "fr"})
    mails.send_due()
    assert mail.outbox[0].subject == "Choisissez votre mot de passe Ludoscore"
    assert "Le lien sert une fois" in mail.outbox[0].body


def test_link_in_the_mail_has_the_public_address(client, ana, settings, with_mail):
    settings.PUBLIC_URL = "https://scores.example.org"
    client.post("/password/reset/", {"email": ana.email})
    mails.send_due()
    assert "https://scores.example.org/password/set/?user=" in mail.outbox[0].body


@pytest.mark.parametrize(
    ("port", "is_behind_proxy", "origin"),
    [
        ("80", False, "http://testserver"),
        ("8000", False, "http://testserver:8000"),
        ("8000", True, "http://testserver"),
    ],
)
def test_link_in_a_mail_has_the_port_that_is_served_whatever_a_request_says(
    client, ana, settings, with_mail, port, is_behind_proxy, origin
):
    settings.TRUSTED_PROXY = is_behind_proxy
    for host in ("testserver:6666", "testserver"):
        asked = client.post("/password/reset/", {"email": ana.email}, headers={"host": host}, SERVER_PORT=port)
        assert asked.url == "/password/reset/sent/"
    assert {each.origin for each in OutgoingMail.objects.all()} == {origin}
    mails.send_due()
    assert f"{origin}/password/set/?user=" in mail.outbox[0].body


def test_unknown_address_is_answered_alike_and_costs_the_same(client, ana, with_mail):
    UserFactory(email="gone@example.org", is_active=False)
    seen = set()
    for address in ("bo@example.org", "gone@example.org", ana.email, ana.email):
        with CaptureQueriesContext(connection) as queries:
            assert client.post("/password/reset/", {"email": address}).url == "/password/reset/sent/"
        seen.add(tuple(query["sql"].partition(" ")[0] for query in queries))
    assert len(seen) == 1
    mails.send_due()
    assert [message.to for message in mail.outbox] == [[ana.email]]
    assert OutgoingMail.objects.count() == 1, "of the others nothing is kept"


def test_nobody_is_mailed_twice_in_a_minute(client, ana, with_mail):
    for _ in range(3):
        client.post("/password/reset/", {"email": ana.email})
        mails.send_due()
    assert len(mail.outbox) == 1


def test_nobodys_mailbox_is_filled_with_links_and_whoever_needs_one_has_one(client, ana, with_mail):
    def ask():
        client.post("/password/reset/", {"email": ana.email})
        mails.send_due()
        OutgoingMail.objects.update(sent_at=timezone.now() - timezone.timedelta(minutes=2))

    for _ in range(mails.MOST_A_DAY + 5):
        ask()
    assert len(mail.outbox) == mails.MOST_A_DAY
    assert follow(client, mailed_link()).status_code == 200, "they all work"
    User.objects.filter(pk=ana.pk).update(last_login=timezone.now())  # which ends them
    ask()
    assert len(mail.outbox) == mails.MOST_A_DAY + 1


def test_whoever_never_had_a_password_gets_a_link_too(client, with_mail):
    user = User.objects.create_user("bo@example.org")
    client.post("/password/reset/", {"email": user.email})
    assert follow(client, mailed_link()).status_code == 200


def test_link_ends_after_a_day(client, ana, monkeypatch):
    link = links.password_link(ana, "")
    late = timezone.make_naive(timezone.now() + dt.timedelta(days=1, minutes=1))
    monkeypatch.setattr("django.contrib.auth.tokens.PasswordResetTokenGenerator._now", lambda self: late)
    assert follow(client, link).status_code == 410


@pytest.mark.parametrize("page", ["/login/", "/password/", "/account/second-factor/", "a link", "an invitation"])
def test_whoever_types_a_password_is_warned_where_others_can_read_it(client, secret, ana, page, settings):
    settings.ALLOWED_HOSTS = ["*"]
    if page.startswith(("/password/", "/account/")):
        client.force_login(ana)
    if page == "a link":
        follow(client, links.password_link(ana, ""))
    if page == "an invitation":
        ana.delete()
    path = {"a link": "/password/set/", "an invitation": invitation_page(secret)}.get(page, page)
    for host, is_warned in (("192.168.1.7:8000", True), ("127.0.0.1:8000", False)):
        html = client.get(path, headers={"Host": host}).content.decode()
        assert 'type="password"' in html
        assert ("This connection is not encrypted" in html) == is_warned


@pytest.mark.parametrize("query", ["?user=x&token=y", "?token=y", "?user=MQ&token=", "?user=MQ"])
def test_made_up_link_opens_nothing_and_leaves_nothing(client, ana, query):
    """Each one left a session of as much as an address holds, 60 kB, for two weeks."""
    assert client.get(f"/password/set/{query}", follow=True).status_code == 410
    assert Session.objects.count() == 0


def test_link_of_another_person_opens_nothing(client, ana):
    follow(client, links.password_link(ana, ""))
    other = links.password_link(UserFactory(), "").partition("&")[0]
    assert follow(client, f"{other}&token=x").status_code == 410
    assert client.post("/password/set/", NEW).status_code == 410


def test_password_is_changed_by_the_old_one(client, ana):
    client.force_login(ana)
    wrong = client.post("/password/", NEW | {"old_password": "wrong"})
    assert 'aria-invalid="true"' in wrong.content.decode()
    assert client.post("/password/", NEW | {"old_password": PASSWORD}).url == "/account/"
    assert client.get("/account/").status_code == 200, "one stays logged in"
    ana.refresh_from_db()
    assert ana.check_password("battery staple")


@pytest.mark.parametrize("address", ["/password/", "/account/second-factor/"])
def test_password_of_who_is_logged_in_is_checked_in_turn_and_counted_like_any(client, ana, address):
    """Whoever has the browser of somebody else for a moment guesses no faster than at the login."""
    client.force_login(ana)
    sent = NEW | {"old_password": "guess", "password": "guess", "code": "123456"}
    for _ in range(logins.MOST_WRONG):
        assert client.post(address, sent).status_code == 200
    assert limits.is_used_up(logins.WRONG, f"user {ana.pk}", logins.MOST_WRONG, logins.KEPT_FOR)
    with ExitStack() as others:
        for _ in range(2):
            others.enter_context(costly._place(costly.SUSPECT_PASSWORD.places))
        assert client.post(address, sent).status_code == 429


def change(client, ana):
    client.post("/password/", NEW | {"old_password": PASSWORD})


def reset(client, ana):
    follow(client, links.password_link(ana, ""))
    client.post("/password/set/", NEW)


def by_admin(client, ana):
    operator = Client()
    operator.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    passwords = {"usable_password": "true", "password1": "battery staple", "password2": "battery staple"}
    assert operator.post(f"/admin/core/user/{ana.pk}/password/", passwords).status_code == 302


def taken_away_by_admin(client, ana):
    operator = Client()
    operator.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    answer = operator.post(f"/admin/core/user/{ana.pk}/password/", {"usable_password": "false", "unset-password": "1"})
    assert answer.status_code == 302


def set_password_while(client, user, page, others_come):
    """Send the form of a page that sets a password, and let others come once it is known that the sender may."""
    if page == "/password/":
        client.force_login(user)
    else:
        follow(client, links.password_link(user, ""))
    # Who is logged in is read first, and then whose password it is.
    with meanwhile(User, others_come, reads=2 if page == "/password/" else 1):
        return client.post(page, NEW | {"old_password": PASSWORD})


@pytest.mark.parametrize("page", ["/password/", "/password/set/"])
def test_new_password_leaves_what_an_operator_changes_meanwhile(client, ana, page):
    others_come = partial(User.objects.filter(pk=ana.pk).update, is_staff=True, name="Bo")
    assert set_password_while(client, ana, page, others_come).status_code == 302
    ana.refresh_from_db()
    assert (ana.check_password("battery staple"), ana.is_staff, ana.name) == (True, True, "Bo")


@pytest.mark.parametrize(("page", "status"), [("/password/", 200), ("/password/set/", 410)])
def test_new_password_is_not_set_by_what_ended_meanwhile(client, ana, page, status):
    """An operator gives somebody another password because theirs is known: whoever knows it must not be quicker."""

    def others_come():
        user = User.objects.get(pk=ana.pk)
        user.set_password("of the operator")
        user.save()

    assert set_password_while(client, ana, page, others_come).status_code == status
    ana.refresh_from_db()
    assert ana.check_password("of the operator")


@pytest.fixture
def hashing(monkeypatch):
    """How many transactions, besides that of the test, and free turns there were at each password that was hashed."""
    seen, make = [], hashers.make_password

    def told(password):
        free = [turn.free._value for turn in (costly.PASSWORD, costly.KNOWN_PASSWORD)]
        seen.append((len(connection.savepoint_ids), min(free)))
        return make(password)

    monkeypatch.setattr("django.contrib.auth.base_user.make_password", told)
    monkeypatch.setattr("tournaments.services.members.make_password", told, raising=False)
    return seen


@pytest.mark.parametrize("replace", [change, reset])
def test_nobody_waits_while_a_new_password_is_hashed(client, ana, replace, hashing):
    """It takes a third of a second, in which whoever writes to SQLite waited; sent dozens of times, many seconds."""
    client.force_login(ana, "django.contrib.auth.backends.ModelBackend")
    hashing.clear()
    replace(client, ana)
    ana.refresh_from_db()
    assert ana.check_password("battery staple")
    assert hashing == [(0, 0)]


def test_nobody_waits_while_the_password_of_a_new_account_is_hashed(secret, hashing):
    hashing.clear()
    members.accept_with_new_account(secret=secret, name="Ana", password="battery staple")
    assert hashing == [(0, 0)]
    assert User.objects.get(email="ana@example.org").check_password("battery staple")


def test_link_proves_no_address_that_an_operator_typed_meanwhile(client, ana, with_mail):
    client.post("/password/reset/", {"email": ana.email})
    follow(client, mailed_link())
    others_come = partial(User.objects.filter(pk=ana.pk).update, email="bo@example.org")
    with meanwhile(User, others_come):
        client.post("/password/set/", NEW)
    ana.refresh_from_db()
    assert (ana.email, ana.email_proved_at) == ("bo@example.org", None)


@pytest.mark.parametrize("replace", [change, reset, by_admin, taken_away_by_admin])
def test_new_password_ends_sessions_and_tokens_and_no_key_of_a_club(client, ana, replace):
    membership = MembershipFactory(user=ana, role=Role.OWNER)
    CredentialFactory(user=ana, secret="lsu_old")
    KeyFactory(club=membership.club, secret="lsk_club")
    other = Client()
    for browser in (client, other):
        browser.force_login(ana, "django.contrib.auth.backends.ModelBackend")
    replace(client, ana)
    assert other.get("/account/").status_code == 302
    assert client.get("/account/").status_code == (200 if replace in {change, reset} else 302)
    assert Client().get("/api/v1/me/", headers={"Authorization": "Bearer lsu_old"}).status_code == 401
    assert Client().get("/api/v1/me/", headers={"Authorization": "Bearer lsk_club"}).json()["kind"] == "key"
    ana.refresh_from_db()
    assert ana.logins.count() == (replace in {change, reset})


def test_first_password_and_a_new_hash_of_the_same_end_nothing(settings, client):
    bo = User.objects.create_user("bo@example.org")
    CredentialFactory(user=bo, secret="lsu_first")
    reset(client, bo)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    assert log_in(Client(), bo.email, "battery staple").url == "/organise/"
    bo.refresh_from_db()
    assert bo.password.startswith("pbkdf2"), "hashed anew"
    bo.name = "Bo"
    bo.save()
    assert Client().get("/api/v1/me/", headers={"Authorization": "Bearer lsu_first"}).status_code == 200


# --- The account ------------------------------------------------------------------------------------------------


def test_account_shows_clubs_with_roles(client, ana):
    MembershipFactory(user=ana, club__name="Café Meeple", role=Role.SCOREKEEPER)
    MembershipFactory(club__name="Elsewhere")
    client.force_login(ana)
    html = client.get("/account/").content.decode()
    assert "<dt>Café Meeple</dt><dd>Scorekeeper</dd>" in html
    assert "Elsewhere" not in html


def test_token_is_shown_once_and_revoked(client, ana):
    client.force_login(ana)
    response = client.post("/account/", {"name": " laptop "})
    secret = re.search(r"<code>(lsu_[\w-]{43})</code>", response.content.decode())[1]
    assert "no-store" in response["Cache-Control"]
    assert secret not in client.get("/account/").content.decode()
    token = Credential.objects.get(user=ana)
    assert token.name == "laptop"
    bearer = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/v1/me/", headers=bearer).json()["kind"] == "user"
    assert client.post(f"/account/tokens/{token.uid}/revoke/").url == "/account/"
    assert "“laptop” is revoked" in client.get("/account/").content.decode()
    assert Client().get("/api/v1/me/", headers=bearer).status_code == 401


def test_token_needs_a_name_that_can_be_seen(client, ana):
    client.force_login(ana)
    assert "invisible marks" in client.post("/account/", {"name": "a\u202eb"}).content.decode()
    assert Credential.objects.count() == 0


def test_token_of_somebody_else_is_not_found(client, ana):
    client.force_login(ana)
    token = CredentialFactory()
    assert client.post(f"/account/tokens/{token.uid}/revoke/").status_code == 404


# --- Invitations ------------------------------------------------------------------------------------------------


def test_whoever_is_logged_in_accepts(client, ana, secret):
    client.force_login(ana)
    page = client.get(invitation_page(secret)).content.decode()
    assert "Café Meeple" in page
    assert "organiser" in page
    accepted = client.post(invitation_page(secret), follow=True)
    assert accepted.resolver_match.url_name == "organise-club", "one is led into the club"
    assert "You are now organiser of Café Meeple" in accepted.content.decode()
    assert 'aria-current="page">Events' in accepted.content.decode()
    assert Membership.objects.get(user=ana).role == Role.ORGANISER


def test_whoever_has_an_account_logs_in_first(client, ana, secret):
    html = client.get(invitation_page(secret)).content.decode()
    (link,) = [tag.attributes["href"] for tag in tags(html, "a") if tag.attributes["href"].startswith("/login/?")]
    assert client.post(link, {"username": ana.email, "password": PASSWORD}).url == invitation_page(secret)
    client.logout()
    assert client.post(invitation_page(secret), NEW).status_code == 200
    assert Membership.objects.filter(user=ana).count() == 0


def test_whoever_has_no_account_makes_one(client, secret):
    assert client.post(invitation_page(secret), NEW | {"email": "evil@example.org"}).status_code == 302
    user = User.objects.get(email="ana@example.org")
    assert (user.name, user.check_password("battery staple")) == ("Ana", True)
    assert user.memberships.get().role == Role.ORGANISER
    assert client.get("/account/").context["user"] == user


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": " "}, "This field is required"),
        ({"new_password2": "other"}, "didn’t match"),
        ({"new_password1": "password", "new_password2": "password"}, "too common"),
        ({"new_password1": "ana@example.org", "new_password2": "ana@example.org"}, "too similar"),
    ],
)
def test_faults_are_said_and_nothing_is_made(client, secret, fields, sentence):
    response = client.post(invitation_page(secret), NEW | fields)
    assert sentence in response.content.decode()
    assert 'aria-invalid="true"' in response.content.decode()
    assert not User.objects.filter(email="ana@example.org").exists()
    assert Invitation.objects.get().accepted_at is None


def test_another_account_is_refused_and_can_log_out(client, secret):
    client.force_login(UserFactory(email="bo@example.org"))
    response = client.get(invitation_page(secret))
    html = response.content.decode()
    assert response.status_code == 403
    assert "sent to ana@example.org" in html
    assert client.post(invitation_page(secret)).status_code == 403
    (field,) = [tag.attributes for tag in tags(html, "input") if tag.attributes["value"] == invitation_page(secret)][
        1:
    ]
    assert client.post("/logout/", {"next": field["value"]}).url == invitation_page(secret)


@pytest.mark.parametrize("end", ["membership", "account"])
def test_invitation_is_gone_with_its_owner(client, secret, end):
    owner = Membership.objects.get()
    (owner if end == "membership" else owner.user).delete()
    for answer in (client.get(invitation_page(secret)), client.post(invitation_page(secret), NEW)):
        assert (answer.status_code, "no longer owns the club" in answer.content.decode()) == (410, True)
    assert not User.objects.filter(email="ana@example.org").exists()


@pytest.mark.parametrize("fields", [{"expires_at": timezone.now()}, {"accepted_at": timezone.now()}])
def test_expired_and_used_invitations_are_gone(client, secret, fields):
    Invitation.objects.update(**fields)
    for response in (client.get(invitation_page(secret)), client.post(invitation_page(secret), NEW)):
        assert response.status_code == 410
    assert not User.objects.filter(email="ana@example.org").exists()


def test_wrong_secrets_are_not_found_and_slowed_down(client, secret, monkeypatch):
    monkeypatch.setattr(brute_force, "A_MINUTE", 3)
    wrong = [invitation_page(text) for text in ("lsi_x", "", "\x00é", "more")]
    assert [client.get(path).status_code for path in wrong] == [404, 404, 404, 429]
    assert client.get(wrong[0], headers={"X-Forwarded-For": "10.9.9.9"}).status_code == 429
    assert client.get(wrong[0], REMOTE_ADDR="10.0.0.2").status_code == 404
    assert client.get(invitation_page(secret)).status_code == 200


def test_whoever_is_a_member_already_is_told_so(client, ana, secret):
    MembershipFactory(user=ana, club=Invitation.objects.get().club)
    client.force_login(ana)
    response = client.post(invitation_page(secret))
    assert response.status_code == 409
    assert "You are already a member" in response.content.decode()


def test_an_account_made_meanwhile_is_not_taken_over(ana, secret):
    with pytest.raises(AccountExistsError):
        members.accept_with_new_account(secret=secret, name="Eve", password="battery staple")
    ana.refresh_from_db()
    assert (ana.name, Invitation.objects.get().accepted_at) == ("Ana", None)


def accept_at_once(count, accept):
    """Let people accept at the same time, and return how many were refused."""
    meeting = threading.Barrier(count)
    refused = []

    def run():
        try:
            with contextlib.suppress(threading.BrokenBarrierError):
                meeting.wait(1)
            accept()
        except InvitationInvalidError as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(refused)


@pytest.mark.django_db(transaction=True)
def test_of_several_who_accept_at_once_one_becomes_a_member(secret):
    def accept():
        members.accept_with_new_account(secret=secret, name="Ana", password="battery staple")

    assert accept_at_once(2, accept) == 1
    assert Membership.objects.filter(user__email="ana@example.org").count() == 1


@pytest.mark.django_db(transaction=True)
def test_accepting_twice_at_once_with_an_account_makes_one_member(ana, secret):
    def accept():
        members.accept_invitation(actor=Actor(Kind.USER, user=ana), secret=secret)

    assert accept_at_once(4, accept) == 3
    assert Membership.objects.filter(user=ana).count() == 1


def test_no_secret_is_logged(client, secret, caplog):
    caplog.set_level("DEBUG")
    client.get(invitation_page(secret + "x"))
    log_in(client, "ana@example.org", "wrong", next=invitation_page(secret))
    Client(enforce_csrf_checks=True).post(invitation_page(secret), NEW)
    client.post(invitation_page(secret), NEW)
    user = User.objects.get(email="ana@example.org")
    token = client.post("/account/", {"name": "laptop"}).context["secret"]
    link = links.password_link(user, "")
    follow(client, link)
    client.post("/password/set/", NEW)
    assert "POST /invitations/ 302" in caplog.text
    for text in (secret, token, link.rpartition("=")[2], "battery staple"):
        assert text not in caplog.text


def mailed_invitation(email="ana@example.org"):
    """Invite somebody by mail, and return the link that arrives."""
    club = ClubFactory(name="Real Club")
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.OWNER).user)
    invited, shown = members.invite(actor=owner, club=club, email=email, role=Role.OWNER, page="/invitations/")
    assert shown == ""
    mails.send_due()
    return invited, re.search(r"/invitations/\?secret=\S+", mail.outbox[-1].body)[0]


def test_mailed_invitation_proves_the_address_of_a_new_account(client, with_mail):
    _invited, link = mailed_invitation()
    assert client.post(link, NEW).status_code == 302
    assert User.objects.get(email="ana@example.org").email_proved_at is not None


def test_shown_invitation_proves_nothing_and_ends_where_mail_is_set_up(client, secret, settings):
    settings.EMAIL_HOST = "mail.example.org"
    for answer in (client.get(invitation_page(secret)), client.post(invitation_page(secret), NEW)):
        assert (answer.status_code, "comes by mail alone" in answer.content.decode()) == (410, True)
    with pytest.raises(InvitationInvalidError):
        members.accept_with_new_account(secret=secret, name="Eve", password="battery staple")
    settings.EMAIL_HOST = ""
    client.post(invitation_page(secret), NEW)
    assert User.objects.get(email="ana@example.org").email_proved_at is None


def test_account_that_nobody_proved_accepts_after_a_mailed_link(client, ana, with_mail):
    _invited, link = mailed_invitation()
    for page in (client.get(link), client.post(link, NEW)):
        assert "Set a password" in page.content.decode()
    client.force_login(ana)
    assert "nobody has proved" in client.post(link).content.decode()
    with pytest.raises(AddressUnprovenError):
        members.accept_invitation(actor=Actor(Kind.USER, user=ana), secret=link.partition("=")[2])
    assert "set a new password by a mailed link" in client.get("/account/").content.decode()
    client.post("/password/reset/", {"email": ana.email})
    follow(client, mailed_link())
    client.post("/password/set/", NEW)
    assert client.post(link).url.startswith("/organise/club/")
    assert Membership.objects.get(user=ana).club.name == "Real Club"


def test_invitation_that_was_mailed_is_shown_to_nobody(client, ana, with_mail):
    club = MembershipFactory(user=ana, role=Role.OWNER).club
    client.force_login(ana)
    html = client.post(f"/organise/club/{club.slug}/members/", {"email": "bo@example.org", "role": "owner"})
    assert "on its way to bo@example.org" in html.content.decode()
    assert "lsi_" not in html.content.decode()


def test_service_without_mail_says_that_it_trusts_its_owners(client, ana):
    club = MembershipFactory(user=ana, role=Role.OWNER).club
    client.force_login(ana)
    page = f"/organise/club/{club.slug}/members/"
    assert "trusts its owners" in client.get(page).content.decode()
    assert "?secret=lsi_" in client.post(page, {"email": "bo@example.org", "role": "owner"}).content.decode()


# --- The first password, on the server --------------------------------------------------------------------------


def test_create_club_prints_a_link_where_the_address_is_known(client, settings, capsys):
    settings.PUBLIC_URL = "http://testserver"
    call_command("create_club", "Café Meeple", "--owner", "owner@example.org")
    link = re.search(r"http://testserver\S+", capsys.readouterr().err)[0]
    assert "For the account owner@example.org" in follow(client, link).content.decode()


def test_first_start_says_how_somebody_gets_in(client, monkeypatch):
    serve = Serve()
    greeting = partial(serve.greeting, "http://testserver", port=8000, qr=False, certificate=None)
    assert re.search(r"http://testserver/start/\?code=\w{6}-\w{6}", greeting())
    owner = User.objects.create_user("owner@example.org")
    assert "changepassword owner@example.org" in greeting(), "into a log no link"
    monkeypatch.setattr(serve.stdout, "isatty", lambda: True)
    link = re.search(r"http://testserver/password/\S+", greeting())[0]
    assert follow(client, link).status_code == 200
    owner.set_password(PASSWORD)
    owner.save()
    assert "password/set" not in greeting()


# --- In a browser -----------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_invitation_is_accepted_on_a_phone(secret: str, phone: Page) -> None:
    phone.goto(invitation_page(secret))
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert phone.evaluate(SMALLER_THAN_A_THUMB) == []
    phone.get_by_label("Your name").fill("Ana Lindqvist")
    phone.get_by_label("New password", exact=True).fill("battery staple")
    phone.get_by_label("New password confirmation").fill("battery staple")
    phone.keyboard.press("Enter")
    phone.get_by_text("You are now organiser of Café Meeple").wait_for()
    phone.goto("/account/")
    phone.get_by_label("Name of the token").fill("the laptop behind the bar of the café")
    phone.get_by_role("button", name="Create a token").click()
    phone.get_by_role("button", name="Revoke the laptop").wait_for()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert phone.evaluate(SMALLER_THAN_A_THUMB) == []
    phone.get_by_role("button", name="Log out").click()
    phone.get_by_role("link", name="Log in").wait_for()
