"""Pages to log in, to set a password, to see one's account and to accept an invitation."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
import threading
from typing import TYPE_CHECKING

import pytest
from axes.models import AccessAttempt
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.http import urlencode

from config.management.commands.serve import Command as Serve
from core import guesses
from core.models import User
from tests.factories import ClubFactory, CredentialFactory, MembershipFactory, UserFactory
from tests.pages.markup import tags
from tests.pages.test_design import is_inline, is_our_own
from tests.pages.test_layout import SMALLER_THAN_A_THUMB
from tournaments import links
from tournaments.actors import Actor, Kind
from tournaments.errors import AccountExistsError, InvitationInvalidError
from tournaments.models import Credential, Invitation, Membership, Role
from tournaments.services import members

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"
NEW = {"name": "Ana", "new_password1": "battery staple", "new_password2": "battery staple"}


@pytest.fixture(autouse=True)
def nothing_counted():
    """Start with no guess and no mail counted."""
    cache.clear()
    yield
    cache.clear()


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
    return re.search(r"http://testserver(/password/set/\S+)", mail.outbox[-1].body)[1]


# --- Every page -------------------------------------------------------------------------------------------------

PAGES = {
    "/login/": ("Log in", "Se connecter"),
    "/password/reset/": ("Send the link", "Envoyer le lien"),
    "/password/reset/sent/": ("Look into your mail", "Regardez vos e-mails"),
    "/password/set/": ("does not work any more", "ne fonctionne plus"),
    "/password/": ("Change your password", "Changer votre mot de passe"),
    "/account/": ("Your account", "Votre compte"),
    "/invitations/": ("no such invitation", "n’existe pas"),
    "the form of a link": ("Set a password", "Choisir un mot de passe"),
    "an invitation without account": ("Create the account", "Créer le compte"),
    "an invitation": ("Accept the invitation", "Accepter l’invitation"),
    "a lock": ("Wait 15 minutes", "Attendez 15 minutes"),
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("page", PAGES)
def test_page_speaks_both_languages_and_keeps_to_the_design(client, secret, page, language):
    client.cookies["django_language"] = language
    if page in {"/password/", "/account/", "an invitation"}:
        client.force_login(UserFactory(email="ana@example.org", is_staff=True))
    if page == "the form of a link":
        response = follow(client, links.password_link(UserFactory(), ""))
    elif page == "a lock":
        response = [log_in(client, "ana@example.org", "wrong") for _ in range(10)][-1]
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


def test_lock_says_how_long_and_keeps_no_secret(client, ana, secret):
    for _ in range(10):
        response = log_in(client, "ana@example.org", "wrong", next=invitation_page(secret))
    assert (response.status_code, response["Retry-After"]) == (429, "900")
    assert "Wait 15 minutes" in response.content.decode()
    assert log_in(client, "ANA@example.org").status_code == 429
    assert secret not in "".join(map(str, AccessAttempt.objects.values_list("get_data", "post_data")))


@pytest.mark.parametrize("path", ["/account/", "/password/"])
def test_pages_of_an_account_lead_to_the_login(client, path):
    assert client.get(path).url == f"/login/?next={path}"


# --- Passwords --------------------------------------------------------------------------------------------------


def test_password_is_reset_by_mail(client, ana):
    answer = client.post("/password/reset/", {"email": "ANA@example.org"})
    assert answer.url == "/password/reset/sent/"
    (message,) = mail.outbox
    assert message.to == ["Ana@example.org"]
    page = follow(client, mailed_link())
    assert page.redirect_chain == [("/password/set/", 302)], "the token does not stay in the address"
    passwords = {name: value for name, value in NEW.items() if name != "name"}
    assert client.post("/password/set/", passwords).url == "/account/"
    assert "Your password is set" in client.get("/account/").content.decode()
    ana.refresh_from_db()
    assert ana.check_password("battery staple")
    assert follow(Client(), mailed_link()).status_code == 410, "a link works once"


def test_mail_is_in_the_language_of_whoever_asks(client, ana):
    client.post("/password/reset/", {"email": ana.email}, headers={"accept-language": "fr"})
    assert mail.outbox[0].subject == "Choisissez votre mot de passe Ludoscore"
    assert "Le lien sert une fois" in mail.outbox[0].body


def test_link_in_the_mail_has_the_public_address(client, ana, settings):
    settings.PUBLIC_URL = "https://scores.example.org"
    client.post("/password/reset/", {"email": ana.email})
    assert "https://scores.example.org/password/set/?user=" in mail.outbox[0].body


def test_unknown_address_is_answered_alike(client):
    UserFactory(email="gone@example.org", is_active=False)
    for address in ("bo@example.org", "gone@example.org"):
        assert client.post("/password/reset/", {"email": address}).url == "/password/reset/sent/"
    assert mail.outbox == []


def test_nobody_is_mailed_twice_in_a_minute(client, ana):
    for _ in range(3):
        client.post("/password/reset/", {"email": ana.email})
    assert len(mail.outbox) == 1


def test_whoever_never_had_a_password_gets_a_link_too(client):
    user = User.objects.create_user("bo@example.org")
    client.post("/password/reset/", {"email": user.email})
    assert follow(client, mailed_link()).status_code == 200


def test_link_ends_after_a_day(client, ana, monkeypatch):
    link = links.password_link(ana, "")
    late = timezone.make_naive(timezone.now() + dt.timedelta(days=1, minutes=1))
    monkeypatch.setattr("django.contrib.auth.tokens.PasswordResetTokenGenerator._now", lambda self: late)
    assert follow(client, link).status_code == 410


@pytest.mark.parametrize("query", ["?user=x&token=y", "?token=y", "?user=MQ&token=", "?user=MQ"])
def test_made_up_link_opens_nothing(client, ana, query):
    assert client.get(f"/password/set/{query}", follow=True).status_code == 410


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
    assert client.post(invitation_page(secret)).url == "/account/"
    assert "You are now organiser of Café Meeple" in client.get("/account/").content.decode()
    assert Membership.objects.get(user=ana).role == Role.ORGANISER


def test_whoever_has_an_account_logs_in_first(client, ana, secret):
    html = client.get(invitation_page(secret)).content.decode()
    (link,) = [tag.attributes["href"] for tag in tags(html, "a") if tag.attributes["href"].startswith("/login/?")]
    assert client.post(link, {"username": ana.email, "password": PASSWORD}).url == invitation_page(secret)
    client.logout()
    assert client.post(invitation_page(secret), NEW).status_code == 200
    assert Membership.objects.filter(user=ana).count() == 0


def test_whoever_has_no_account_makes_one(client, secret):
    assert client.post(invitation_page(secret), NEW | {"email": "evil@example.org"}).url == "/account/"
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


@pytest.mark.parametrize("fields", [{"expires_at": timezone.now()}, {"accepted_at": timezone.now()}])
def test_expired_and_used_invitations_are_gone(client, secret, fields):
    Invitation.objects.update(**fields)
    for response in (client.get(invitation_page(secret)), client.post(invitation_page(secret), NEW)):
        assert response.status_code == 410
    assert not User.objects.filter(email="ana@example.org").exists()


def test_wrong_secrets_are_not_found_and_slowed_down(client, secret, monkeypatch):
    monkeypatch.setattr(guesses, "A_MINUTE", 3)
    wrong = [invitation_page(text) for text in ("lsi_x", "", "\x00é", "more")]
    assert [client.get(path).status_code for path in wrong] == [404, 404, 404, 429]
    assert client.get(invitation_page(secret)).status_code == 429
    assert client.get(invitation_page(secret), headers={"X-Forwarded-For": "10.9.9.9"}).status_code == 429
    assert client.get(invitation_page(secret), REMOTE_ADDR="10.0.0.2").status_code == 200


def test_whoever_is_a_member_already_is_told_so(client, ana, secret):
    MembershipFactory(user=ana, club=Invitation.objects.get().club)
    client.force_login(ana)
    response = client.post(invitation_page(secret))
    assert response.status_code == 409
    assert "You are a member already" in response.content.decode()


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

    assert accept_at_once(4, accept) == 3
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


# --- The first password, on the server --------------------------------------------------------------------------


def test_create_club_prints_a_link_where_the_address_is_known(client, settings, capsys):
    settings.PUBLIC_URL = "http://testserver"
    call_command("create_club", "Café Meeple", "--owner", "owner@example.org")
    link = re.search(r"http://testserver\S+", capsys.readouterr().err)[0]
    assert "For the account owner@example.org" in follow(client, link).content.decode()


def test_first_start_says_how_somebody_gets_in(client, monkeypatch):
    serve = Serve()
    assert "create_club" in serve.greeting("http://testserver", qr=False)
    owner = User.objects.create_user("owner@example.org")
    assert "changepassword owner@example.org" in serve.greeting("http://testserver", qr=False), "into a log no link"
    monkeypatch.setattr(serve.stdout, "isatty", lambda: True)
    link = re.search(r"http://testserver/password/\S+", serve.greeting("http://testserver", qr=False))[0]
    assert follow(client, link).status_code == 200
    owner.set_password(PASSWORD)
    owner.save()
    assert "password/set" not in serve.greeting("http://testserver", qr=False)


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
    phone.get_by_label("Name of the token").fill("the laptop behind the bar of the café")
    phone.get_by_role("button", name="Create a token").click()
    phone.get_by_role("button", name="Revoke the laptop").wait_for()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert phone.evaluate(SMALLER_THAN_A_THUMB) == []
    phone.get_by_role("button", name="Log out").click()
    phone.get_by_role("link", name="Log in").wait_for()
