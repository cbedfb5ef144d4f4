"""Users log in by e-mail."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError
from django.test import RequestFactory
from django.urls import reverse

from core.models import User
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_login_ignores_the_case_of_the_address():
    user = UserFactory(email="Ana@example.org")
    request = RequestFactory().post("/")
    assert authenticate(request, username="ANA@EXAMPLE.ORG", password="correct horse") == user
    assert authenticate(request, username="ana@example.org", password="wrong") is None


def test_an_address_is_one_user_whatever_its_case():
    UserFactory(email="ana@example.org")
    with pytest.raises(IntegrityError):
        UserFactory(email="ANA@example.org")


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


def test_ten_wrong_passwords_lock_the_login_for_that_address_only(client):
    UserFactory(email="ana@example.org", is_staff=True)
    url = reverse("admin:login")
    for number in range(10):
        name = "ana@example.org" if number % 2 else "ANA@example.org"
        client.post(url, {"username": name, "password": "wrong"}, REMOTE_ADDR="10.0.0.1")
    right = {"username": "ana@example.org", "password": "correct horse"}
    assert client.post(url, right, REMOTE_ADDR="10.0.0.1").status_code == 429
    assert client.post(url, right, REMOTE_ADDR="10.0.0.2").status_code == 302
