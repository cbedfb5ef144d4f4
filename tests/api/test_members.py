"""Members and invitations in the API."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.core import mail
from django.utils import timezone

from core import clocks, mails
from core.models import OutgoingMail, StoredAnswer, User
from tests.api.callers import bearer
from tests.factories import CredentialFactory, MembershipFactory, UserFactory
from tournaments.models import Club, Invitation, Membership, Role

CLUB = "/api/v1/clubs/cafe-meeple/"
ACCEPT = "/api/v1/invitations/accept/"
NEW = {"email": "new@example.org", "role": "organiser"}


def member_path(cast, name):
    return f"{CLUB}members/{Membership.objects.get(club=cast.club, user=cast.users[name]).pk}/"


def invited(cast, **fields):
    answer = cast.owner.post(CLUB + "invitations/", NEW | fields)
    assert answer.status_code == 201
    return answer.json()


@pytest.fixture
def guest(db):
    """Somebody with an account under the address that is invited."""
    CredentialFactory(user=UserFactory(email="New@example.org"), secret="lsu_guest")
    return bearer("lsu_guest")


def test_who_may_do_what(cast):
    uid = invited(cast)["id"]
    scorekeeper = member_path(cast, "scorekeeper")
    other = {"email": "other@example.org", "role": "owner"}
    only_owner = [403, 403, 403, 403, 403, 403]
    assert cast.statuses("get", CLUB + "members/") == [200, 200, 200, 200, 403, 403, 403]
    assert cast.statuses("patch", scorekeeper, {"role": "organiser"}) == [200, *only_owner]
    assert cast.statuses("delete", scorekeeper) == [204, 403, 204, 403, 403, 403, 403]  # everybody may leave
    assert cast.statuses("get", CLUB + "invitations/") == [200, *only_owner]
    assert cast.statuses("post", CLUB + "invitations/", other) == [201, *only_owner]
    assert cast.statuses("delete", f"{CLUB}invitations/{uid}/") == [204, *only_owner]
    assert cast.statuses("post", ACCEPT, {"secret": "lsi_x"}) == [409, 409, 409, 403, 403, 409, 403]


def test_members_of_a_private_club_exist_only_for_those_who_belong_to_it(cast):
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    assert cast.statuses("get", CLUB + "members/") == [200, 200, 200, 200, 403, 404, 404]


def test_a_member_of_another_club_is_not_found_here(cast):
    elsewhere = Membership.objects.get(user=cast.users["stranger"])
    assert cast.owner.delete(f"{CLUB}members/{elsewhere.pk}/").status_code == 404
    assert cast.owner.delete(f"{CLUB}members/{10**30}/").status_code == 404


def test_members_are_listed_with_their_roles(cast):
    listed = cast.scorekeeper.get(CLUB + "members/").json()["results"]
    assert [(member["email"], member["role"]) for member in listed] == [
        ("owner@example.org", "owner"),
        ("organiser@example.org", "organiser"),
        ("scorekeeper@example.org", "scorekeeper"),
    ]


def test_listing_costs_the_same_for_4_members_and_for_40(cast, django_assert_num_queries):
    for expected in (4, 40):
        while cast.club.memberships.count() < expected:
            MembershipFactory(club=cast.club)
        cast.owner.get(CLUB + "members/")  # writes down the minute of the credential's use
        with django_assert_num_queries(4):
            assert len(cast.owner.get(CLUB + "members/").json()["results"]) == expected


def test_the_last_owner_stays_an_owner(cast):
    path = member_path(cast, "owner")
    for answer in (cast.owner.delete(path), cast.owner.patch(path, {"role": "organiser"})):
        assert (answer.status_code, answer.json()["code"]) == (409, "last-owner")
    assert cast.owner.patch(member_path(cast, "organiser"), {"role": "owner"}).json()["role"] == "owner"
    assert cast.owner.delete(path).status_code == 204
    assert cast.owner.get(CLUB + "members/").status_code == 403


def test_a_mailed_invitation_makes_a_member_once_and_shows_nobody_its_secret(cast, guest, settings):
    settings.EMAIL_HOST = "mail.example.org"
    User.objects.filter(email="New@example.org").update(email_proved_at=timezone.now())
    headers = {"Idempotency-Key": "one"}
    first, again = (cast.owner.post(CLUB + "invitations/", NEW, headers=headers) for _ in range(2))
    assert first.json()["secret"] is None
    assert (again.status_code, again.json()) == (201, first.json())
    mails.send_due()
    (message,) = mail.outbox
    assert message.to == ["new@example.org"]
    assert message.subject == "Invitation to Café Meeple"
    secret = re.search(r"http://\S+/invitations/\?secret=(\S+)", message.body)[1]
    assert Invitation.objects.filter(digest__contains=secret).count() == 0
    assert secret not in str(list(OutgoingMail.objects.values())), "a mail that was sent is erased"
    answer = guest.post(ACCEPT, {"secret": secret})
    assert (answer.status_code, answer.json()) == (201, {"club": "cafe-meeple", "role": "organiser"})
    again = guest.post(ACCEPT, {"secret": secret})
    assert (again.status_code, again.json()["code"]) == (409, "invitation-invalid")
    assert cast.owner.get(CLUB + "invitations/").json()["results"] == []


def test_nobodys_mailbox_is_filled_with_invitations_that_are_taken_back(cast, settings):
    settings.EMAIL_HOST = "mail.example.org"
    for _ in range(mails.MOST_A_DAY):
        assert cast.owner.delete(f"{CLUB}invitations/{invited(cast)['id']}/").status_code == 204
    answer = cast.owner.post(CLUB + "invitations/", NEW | {"email": "NEW@example.org"})
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-mails")
    assert OutgoingMail.objects.count() == mails.MOST_A_DAY
    assert invited(cast, email="other@example.org")
    OutgoingMail.objects.update(created_at=timezone.now() - dt.timedelta(days=1))
    assert invited(cast)


def test_an_account_that_nobody_proved_is_told_so(cast, guest, settings):
    settings.EMAIL_HOST = "mail.example.org"
    invited(cast)
    mails.send_due()
    secret = re.search(r"secret=(\S+)", mail.outbox[0].body)[1]
    answer = guest.post(ACCEPT, {"secret": secret})
    assert (answer.status_code, answer.json()["code"]) == (403, "address-unproven")
    assert Invitation.objects.get().accepted_at is None


def test_an_invitation_is_for_its_address_alone(cast):
    secret = invited(cast)["secret"]
    answer = cast.stranger.post(ACCEPT, {"secret": secret})
    assert (answer.status_code, answer.json()["code"]) == (409, "invitation-invalid")


def test_an_invitation_expires_after_14_days(cast, guest):
    secret = invited(cast)["secret"]
    late = timezone.now() - dt.timedelta(seconds=1)
    invitation = Invitation.objects.get()
    assert dt.timedelta(days=13) < invitation.expires_at - timezone.now() <= dt.timedelta(days=14)
    Invitation.objects.update(expires_at=late)
    assert guest.post(ACCEPT, {"secret": secret}).json()["code"] == "invitation-invalid"
    assert invited(cast)["id"] != invitation.uid, "an expired invitation is in nobody's way"


def test_a_wrong_clock_deletes_no_invitation(cast, guest, set_ahead, monkeypatch):
    secret = invited(cast)["secret"]
    set_ahead(dt.timedelta(days=365))
    invited(cast, email="other@example.org")
    set_ahead(dt.timedelta())
    assert guest.post(ACCEPT, {"secret": secret}).status_code == 201
    Invitation.objects.update(accepted_at=None, expires_at=timezone.now() - dt.timedelta(days=1))
    monkeypatch.setattr(clocks, "STEADY_FOR", 0.0)
    invited(cast, email="third@example.org")
    assert [each.email for each in Invitation.objects.all()] == ["third@example.org"], "a clock that is believed"


def test_a_revoked_invitation_is_worthless(cast, guest):
    invitation = invited(cast)
    assert cast.owner.delete(f"{CLUB}invitations/{invitation['id']}/").status_code == 204
    assert guest.post(ACCEPT, {"secret": invitation["secret"]}).json()["code"] == "invitation-invalid"


@pytest.mark.parametrize(
    "end", ["removed", "no longer an owner", "membership deleted", "account deleted", "account switched off"]
)
def test_who_no_longer_owns_the_club_comes_back_by_no_invitation_of_their_own(cast, guest, end):
    secret, path, owner = invited(cast)["secret"], member_path(cast, "owner"), cast.users["owner"]
    MembershipFactory(user=owner, role=Role.OWNER)  # of another club, which lets nobody into this one
    CredentialFactory(user=MembershipFactory(club=cast.club, role=Role.OWNER).user, secret="lsu_another")
    another = bearer("lsu_another")
    theirs = another.post(CLUB + "invitations/", {"email": "third@example.org", "role": "owner"}).json()
    match end:
        case "removed":
            assert another.delete(path).status_code == 204
        case "no longer an owner":
            assert another.patch(path, {"role": "organiser"}).status_code == 200
        case "membership deleted":  # in the admin, as the two that follow
            Membership.objects.get(club=cast.club, user=owner).delete()
        case "account deleted":
            owner.delete()
        case "account switched off":
            User.objects.filter(pk=owner.pk).update(is_active=False)
    answer = guest.post(ACCEPT, {"secret": secret})
    assert (answer.status_code, answer.json()["code"]) == (409, "invitation-invalid")
    assert [each["id"] for each in another.get(CLUB + "invitations/").json()["results"]] == [theirs["id"]]
    again = another.post(CLUB + "invitations/", NEW)
    assert again.status_code == 201, "what nobody sees is in nobody's way"
    assert guest.post(ACCEPT, {"secret": again.json()["secret"]}).status_code == 201


def test_invitation_of_who_was_an_owner_does_not_count_again_when_they_are_one_again(cast, guest):
    secret, path = invited(cast)["secret"], member_path(cast, "owner")
    CredentialFactory(user=MembershipFactory(club=cast.club, role=Role.OWNER).user, secret="lsu_another")
    for role in ("organiser", "owner"):
        assert bearer("lsu_another").patch(path, {"role": role}).status_code == 200
    assert guest.post(ACCEPT, {"secret": secret}).json()["code"] == "invitation-invalid"


def test_nobody_is_invited_twice(cast, guest):
    secret = invited(cast)["secret"]
    again = cast.owner.post(CLUB + "invitations/", NEW | {"email": "NEW@example.org"})
    assert (again.status_code, again.json()["code"]) == (409, "already-member")
    guest.post(ACCEPT, {"secret": secret})
    again = cast.owner.post(CLUB + "invitations/", NEW)
    assert (again.status_code, again.json()["code"]) == (409, "already-member")


def test_whoever_joined_meanwhile_is_told_so(cast, guest):
    secret = invited(cast)["secret"]
    MembershipFactory(club=cast.club, user=User.objects.get(email="New@example.org"), role=Role.SCOREKEEPER)
    answer = guest.post(ACCEPT, {"secret": secret})
    assert (answer.status_code, answer.json()["code"]) == (409, "already-member")


def test_the_secret_of_an_invitation_is_shown_once_and_not_stored(cast):
    headers = {"Idempotency-Key": "one"}
    first = cast.owner.post(CLUB + "invitations/", NEW, headers=headers)
    again = cast.owner.post(CLUB + "invitations/", NEW, headers=headers)
    assert (first.status_code, again.status_code) == (201, 409)
    assert again.json()["code"] == "secret-already-shown"
    assert first.json()["secret"] not in str(StoredAnswer.objects.get().body)
