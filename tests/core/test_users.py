"""Users log in by e-mail."""

from __future__ import annotations

import datetime as dt
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from core import passwords
from core.models import User
from tests.factories import UserFactory
from tests.interleaving import meanwhile

pytestmark = pytest.mark.django_db
PASSWORDS = {"usable_password": "true", "password1": "battery staple", "password2": "battery staple"}


def test_login_ignores_the_case_of_the_address():
    user = UserFactory(email="Ana@example.org")
    request = RequestFactory().post("/")
    assert authenticate(request, username="ANA@EXAMPLE.ORG", password="correct horse") == user
    assert authenticate(request, username="ana@example.org", password="wrong") is None


def test_an_address_is_one_user_whatever_its_case():
    UserFactory(email="ana@example.org")
    with pytest.raises(IntegrityError):
        UserFactory(email="ANA@example.org")


def test_an_address_is_not_another_whose_capitals_are_the_same():
    """PostgreSQL has one capital for i and ı: both logins failed, and the first account was taken for the other."""
    iris, other = UserFactory(email="iris@example.org"), UserFactory(email="ırıs@example.org")
    request = RequestFactory().post("/")
    for user in (iris, other):
        assert authenticate(request, username=user.email, password="correct horse") == user
        assert User.objects.at(user.email).get() == user
    other.delete()
    assert not User.objects.at("ırıs@example.org").exists()


@pytest.mark.parametrize("is_mailed", [True, False])
def test_link_to_a_password_is_made_where_the_clock_has_lost_its_year(monkeypatch, is_mailed):
    monkeypatch.setattr(passwords.Tokens, "_now", lambda self: dt.datetime.fromisoformat("2000-01-01"))
    user = UserFactory()
    (token,) = parse_qs(urlsplit(passwords.link(user, "", is_mailed=is_mailed)).query)["token"]
    assert passwords.any_tokens.check_token(user, token)
    assert passwords.mailed_tokens.check_token(user, token) == is_mailed


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ANA@example.org", "already taken"),
        (f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 40}.org", "at most 254"),
    ],
)
def test_superuser_has_an_address_that_nobody_has_and_that_can_be_kept(address, said):
    UserFactory(email="ana@example.org")
    with pytest.raises(CommandError, match=said):
        call_command("createsuperuser", "--noinput", "--email", address)
    assert User.objects.count() == 1


def test_a_superuser_may_use_the_admin():
    user = User.objects.create_superuser("owner@example.org", "correct horse")
    assert user.is_staff
    assert user.has_perm("core.change_user")


def test_admin_creates_and_finds_users(admin_client):
    page = admin_client.get(reverse("admin:core_user_add"))
    assert page.status_code == 200
    data = {"email": "new@Example.ORG", "name": "New", "usable_password": "false"}
    assert admin_client.post(reverse("admin:core_user_add"), data).status_code == 302
    user = User.objects.get(email="new@example.org")
    assert not user.has_usable_password()
    assert admin_client.get(reverse("admin:core_user_changelist") + "?q=new").status_code == 200
    assert admin_client.get(reverse("admin:core_user_change", args=[user.pk])).status_code == 200


def test_admin_has_no_login_of_its_own(client):
    UserFactory(email="ana@example.org", is_staff=True)
    right = {"username": "ana@example.org", "password": "correct horse"}
    answer = client.post("/admin/login/?next=/admin/", right)
    assert answer.url == "/login/?next=/admin/"
    assert client.get("/admin/").status_code == 302, "nobody is logged in by it"
    assert client.post(answer.url, right).url == "/admin/"


def test_address_that_an_operator_changes_is_not_proved(admin_client):
    user = UserFactory(email="ana@example.org", email_proved_at=timezone.now())
    url = reverse("admin:core_user_change", args=[user.pk])
    for email, is_proved in (("ana@example.org", True), ("bo@example.org", False)):
        assert admin_client.post(url, {"email": email, "name": "A", "is_active": "on"}).status_code == 302
        user.refresh_from_db()
        assert (user.email_proved_at is not None) == is_proved


def test_form_of_a_user_takes_nothing_back_that_they_did_meanwhile(admin_client):
    user = UserFactory(email="ana@example.org")

    def others_come():
        proved = User.objects.get(pk=user.pk)
        proved.set_password("battery staple")
        proved.email_proved_at = timezone.now()
        proved.save()

    sent = {"email": "ana@example.org", "name": "A", "is_active": "on"}
    # The first user who is read is the one who is logged in.
    with meanwhile(User, others_come, reads=2):
        assert admin_client.post(reverse("admin:core_user_change", args=[user.pk]), sent).status_code == 302
    user.refresh_from_db()
    assert (user.name, user.check_password("battery staple"), user.email_proved_at is None) == ("A", True, False)


def test_form_of_a_user_leaves_an_address_alone_that_they_proved_meanwhile(admin_client):
    user = UserFactory(email="ana@example.org")
    url = reverse("admin:core_user_change", args=[user.pk])
    shown = admin_client.get(url).context["adminform"].form["shown"].value()
    User.objects.filter(pk=user.pk).update(email="new@example.org", email_proved_at=timezone.now())
    sent = {"email": "ana@example.org", "name": "A", "is_active": "on", "shown": shown}
    assert admin_client.post(url, sent).status_code == 302
    user.refresh_from_db()
    assert (user.name, user.email, user.email_proved_at is None) == ("A", "new@example.org", False)


@pytest.mark.parametrize(
    "sent", [PASSWORDS | {"usable_password": "true"}, {"usable_password": "false", "unset-password": ""}]
)
def test_password_that_an_operator_sets_leaves_the_rest_of_a_user_alone(admin_client, sent):
    user = UserFactory(email="ana@example.org")
    others_come = partial(User.objects.filter(pk=user.pk).update, is_active=False, email="bo@example.org")
    with meanwhile(User, others_come, reads=2):
        answer = admin_client.post(reverse("admin:auth_user_password_change", args=[user.pk]), sent)
    assert answer.status_code == 302
    user.refresh_from_db()
    assert (user.is_active, user.email, user.check_password("correct horse")) == (False, "bo@example.org", False)
