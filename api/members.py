"""Who runs a club: members, their roles, and invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView, ListView
from api.clubs import club_or_404
from api.idempotency import idempotent
from api.shapes import ShownOnce
from core.models import User
from tournaments import links, selectors
from tournaments.models import Invitation, Membership, Role
from tournaments.services import members
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from rest_framework.request import Request


class MemberPatch(serializers.Serializer):
    """A change of a member."""

    role = serializers.ChoiceField(Role.choices)


class MemberOutput(serializers.Serializer):
    """A member of a club."""

    id = serializers.CharField(source="pk")
    email = serializers.EmailField(source="user.email")
    name = serializers.CharField(source="user.name")
    role = serializers.ChoiceField(Role.choices)
    since = serializers.DateTimeField(source="created_at")


class InvitationInput(serializers.Serializer):
    """An invitation to send."""

    email = serializers.EmailField(max_length=User.LONGEST_EMAIL)
    role = serializers.ChoiceField(Role.choices)


class InvitationOutput(serializers.Serializer):
    """An invitation that was not accepted yet."""

    id = serializers.CharField(source="uid")
    email = serializers.EmailField()
    role = serializers.ChoiceField(Role.choices)
    expires_at = serializers.DateTimeField()


class InvitationWithSecret(InvitationOutput):
    """An invitation with its secret."""

    secret = ShownOnce(
        allow_null=True,
        help_text="None where mail is set up: the secret went to the address alone. Else shown once, to hand over.",
    )


class AcceptInput(serializers.Serializer):
    """The secret of an invitation."""

    secret = serializers.CharField(max_length=100)


class JoinedOutput(serializers.Serializer):
    """What somebody is in a club now."""

    club = serializers.CharField(source="club.slug")
    role = serializers.ChoiceField(Role.choices)


class Members(ListView):
    """The members of a club."""

    @extend_schema(operation_id="members_list", responses=MemberOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the members of a club, as one of them."""
        club = club_or_404(self.actor, slug)
        require_role(actor=self.actor, club=club, role=Role.SCOREKEEPER)
        return self.page(Membership.objects.filter(club=club).select_related("user").order_by("pk"), MemberOutput)


class OneMember(ApiView):
    """One member of a club."""

    @extend_schema(operation_id="members_change", request=MemberPatch, responses=MemberOutput)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Give a member another role, as an owner. The last owner stays one."""
        role = Role(self.body(MemberPatch)["role"])
        member = members.change_role(actor=self.actor, membership=self._member(slug, number), role=role)
        return Response(MemberOutput(member).data)

    @extend_schema(operation_id="members_remove", responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Remove a member, as an owner; or leave."""
        members.remove_member(actor=self.actor, membership=self._member(slug, number))
        return Response(status=204)

    def _member(self, slug: str, number: int) -> Membership:
        club = club_or_404(self.actor, slug)
        require_role(actor=self.actor, club=club, role=Role.SCOREKEEPER)
        return get_object_or_404(Membership.objects.select_related("club", "user"), club=club, pk=number)


class Invitations(ListView):
    """The open invitations of a club."""

    creates = ("invitation", "slug", "id")

    @extend_schema(operation_id="invitations_list", responses=InvitationOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the invitations that nobody accepted yet, as an owner."""
        club = club_or_404(self.actor, slug)
        require_role(actor=self.actor, club=club, role=Role.OWNER)
        return self.page(selectors.open_invitations().filter(club=club).order_by("-pk"), InvitationOutput)

    @extend_schema(
        operation_id="invitations_create",
        request=InvitationInput,
        responses={201: InvitationWithSecret},
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Invite somebody by e-mail, as an owner. It lasts 14 days. A service without mail shows its secret."""
        club = club_or_404(self.actor, slug)
        page = links.mailed_origin_of(request) + reverse("web:invitation")
        invitation, secret = members.invite(actor=self.actor, club=club, page=page, **self.body(InvitationInput))
        return Response(InvitationWithSecret(invitation, context={"secret": secret or None}).data, status=201)


class OneInvitation(ApiView):
    """One invitation."""

    @extend_schema(operation_id="invitations_revoke", responses={204: None})
    def delete(self, request: Request, slug: str, uid: str) -> Response:
        """Take an invitation back, as an owner."""
        club = club_or_404(self.actor, slug)
        require_role(actor=self.actor, club=club, role=Role.OWNER)
        invitation = get_object_or_404(Invitation, club=club, uid=uid, accepted_at=None)
        members.revoke_invitation(actor=self.actor, invitation=invitation)
        return Response(status=204)


class Accept(ApiView):
    """Accept an invitation."""

    creates = ("club", "club")

    @extend_schema(
        operation_id="invitations_accept",
        request=AcceptInput,
        responses={201: JoinedOutput},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Accept an invitation that was sent to the address of one's account."""
        membership = members.accept_invitation(actor=self.actor, **self.body(AcceptInput))
        return Response(JoinedOutput(membership).data, status=201)


urlpatterns = [
    path("clubs/<slug:slug>/members/", Members.as_view(), name="members"),
    path("clubs/<slug:slug>/members/<int:number>/", OneMember.as_view(), name="member"),
    path("clubs/<slug:slug>/invitations/", Invitations.as_view(), name="invitations"),
    path("clubs/<slug:slug>/invitations/<slug:uid>/", OneInvitation.as_view(), name="invitation"),
    path("invitations/accept/", Accept.as_view(), name="accept-invitation"),
]
