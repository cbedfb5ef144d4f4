"""Who runs a club: roles, invitations, and that there is always an owner."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core import mails
from core.addresses import is_address
from core.clocks import is_steady
from core.costly import bounded
from core.logins import turn_of_invitation
from core.models import OutgoingMail, User
from core.names import clean_name, unlinked
from tournaments import selectors
from tournaments.access import credentials
from tournaments.actors import Actor, note_grant
from tournaments.errors import (
    AccountExistsError,
    AddressUnprovenError,
    AlreadyMemberError,
    InvitationInvalidError,
    LastOwnerError,
    TooManyMailsError,
)
from tournaments.models import Club, Invitation, Membership, Role
from tournaments.services.locks import lock_club
from tournaments.services.permissions import require_role, require_user

INVITATION_LASTS = dt.timedelta(days=14)


@transaction.atomic
def change_role(*, actor: Actor, membership: Membership, role: Role) -> Membership:
    """Give a member another role."""
    lock_club(membership.club)  # two owners who leave at once would each see the other stay
    require_role(actor=actor, club=membership.club, role=Role.OWNER)
    if role != Role.OWNER:
        _require_other_owner(membership)
        _end_invitations(membership)
    membership.role = role
    Membership.objects.filter(pk=membership.pk).update(role=role)
    return membership


@transaction.atomic
def remove_member(*, actor: Actor, membership: Membership) -> None:
    """Take somebody out of a club: an owner anybody, and everybody themselves."""
    lock_club(membership.club)  # two owners who leave at once would each see the other stay
    if actor.user is None or actor.user.pk != membership.user_id:
        require_role(actor=actor, club=membership.club, role=Role.OWNER)
    _require_other_owner(membership)
    _end_invitations(membership)
    membership.delete()


def _end_invitations(membership: Membership) -> None:
    """End the invitations of somebody who owns the club no more, so that none counts again should they come back."""
    Invitation.objects.filter(club=membership.club, invited_by=membership.user_id, accepted_at=None).delete()


def _require_other_owner(membership: Membership) -> None:
    owners = Membership.objects.filter(club=membership.club, role=Role.OWNER)
    if owners.filter(pk=membership.pk).exists() and owners.count() == 1:
        raise LastOwnerError(_("A club must keep an owner. Make somebody else an owner first."))


@transaction.atomic
def invite(*, actor: Actor, club: Club, email: str, role: Role, page: str) -> tuple[Invitation, str]:
    """Offer somebody a role, and return the offer; its secret, which is not kept, goes out as a link to `page`.

    Mailed, it proves whose address that is, so nobody else sees it. Where no mail is set up the secret is returned,
    for the owner to hand over.
    """
    require_role(actor=actor, club=club, role=Role.OWNER)
    if Membership.objects.filter(is_address("user__email", email), club=club).exists():
        raise AlreadyMemberError(_("This person is already a member."))
    if mails.sent_lately(email, OutgoingMail.Kind.INVITATION).count() >= mails.MOST_A_DAY:
        raise TooManyMailsError(_("This address got many invitations today. Try again tomorrow."))
    _clear_the_way(club, email)
    secret = credentials.new_secret(credentials.INVITATION)
    try:
        with transaction.atomic():
            invitation = Invitation.objects.create(
                club=club,
                email=email,
                role=role,
                digest=credentials.digest(secret),
                is_mailed=mails.is_set_up(),
                invited_by=actor.user,
                expires_at=timezone.now() + INVITATION_LASTS,
            )
    except IntegrityError:
        raise AlreadyMemberError(_("This person is already invited. Revoke that invitation first.")) from None
    if not invitation.is_mailed:
        return invitation, secret
    _mail(invitation, f"{page}?secret={secret}")
    return invitation, ""


def _clear_the_way(club: Club, email: str) -> None:
    """Delete what has expired, and what a former owner offered to this address, which nobody sees any more."""
    unaccepted = Invitation.objects.filter(club=club, accepted_at=None)
    expired = unaccepted.filter(expires_at__lt=timezone.now())
    # By a wrong clock all of them may seem expired; the one of this address would be in the new one's way.
    (expired if is_steady() else expired.filter(is_address("email", email))).delete()
    unaccepted.filter(is_address("email", email)).exclude(pk__in=selectors.open_invitations().values("pk")).delete()


def _mail(invitation: Invitation, link: str) -> None:
    facts = {"club": unlinked(invitation.club.name), "role": invitation.get_role_display(), "link": link}
    subject = _("Invitation to {club}").format(**facts)
    text = _("You are invited to {club} as {role}. The link works for 14 days:\n\n{link}\n").format(**facts)
    mails.send(kind=OutgoingMail.Kind.INVITATION, to=invitation.email, subject=subject, body=text)


@transaction.atomic
def accept_invitation(*, actor: Actor, secret: str) -> Membership:
    """Make the caller a member of the club whose invitation they hold.

    Where mail is set up, their account must be theirs beyond doubt: somebody else may have made one for the address.
    """
    user = require_user(actor)
    invitation = _locked(selectors.open_invitations().filter(is_address("email", user.email)), secret)
    if not can_accept(user):
        raise AddressUnprovenError(
            _("Nobody has proved the address of this account. Set a new password by a link that we mail, then accept.")
        )
    return _join(user, invitation)


def can_accept(user: User) -> bool:
    """Say whether an account may accept invitations: its address is proved, or cannot be, because no mail is sent."""
    return user.email_proved_at is not None or not mails.is_set_up()


def accept_with_new_account(*, secret: str, name: str, password: str) -> Membership:
    """Make an account for the address an invitation was sent to, and the account a member of the club.

    A secret that went by mail alone proves the address.
    """
    invitation = _open(selectors.open_invitations(), secret)
    name = clean_name(name, longest=User.LONGEST_NAME)
    with bounded(turn_of_invitation(invitation.club_id)):
        hashed = make_password(password)  # a third of a second, in which nothing is locked
    return _accept(secret, name, hashed)


@transaction.atomic
def _accept(secret: str, name: str, password: str) -> Membership:
    invitation = _locked(selectors.open_invitations(), secret)
    email = User.objects.normalize_email(invitation.email)
    proved_at = timezone.now() if invitation.is_mailed else None
    try:
        with transaction.atomic():
            user = User.objects.create(email=email, password=password, name=name, email_proved_at=proved_at)
    except IntegrityError:
        raise AccountExistsError(_("There is already an account with this address. Log in first.")) from None
    return _join(user, invitation)


def _locked(invitations: QuerySet[Invitation], secret: str) -> Invitation:
    return _open(invitations.select_for_update(of=("self",)).select_related("club"), secret)


def _open(invitations: QuerySet[Invitation], secret: str) -> Invitation:
    """Return the invitation of a secret that can be accepted now."""
    is_open = Q(expires_at__gt=timezone.now())
    if mails.is_set_up():
        is_open &= Q(is_mailed=True)
    invitation = invitations.filter(is_open, digest=credentials.digest(secret)).first()
    if invitation is None:
        raise InvitationInvalidError(
            _("This invitation was used or revoked, has expired, or is for another address. Ask for a new one.")
        )
    return invitation


def _join(user: User, invitation: Invitation) -> Membership:
    invitation.accepted_at = timezone.now()
    invitation.save(update_fields=["accepted_at"])
    role = Role(invitation.role)
    membership, is_new = Membership.objects.get_or_create(club=invitation.club, user=user, defaults={"role": role})
    if not is_new:
        raise AlreadyMemberError(_("You are already a member."))
    note_grant(invitation.club_id, role.value)
    return membership


@transaction.atomic
def revoke_invitation(*, actor: Actor, invitation: Invitation) -> None:
    """Take an invitation back."""
    require_role(actor=actor, club=invitation.club, role=Role.OWNER)
    invitation.delete()
