"""Keys of clubs, tokens of users, and who one is to the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from core.names import NameField
from tournaments import selectors
from tournaments.actors import Kind
from tournaments.api.base import ApiView, ListView
from tournaments.api.clubs import club_or_404
from tournaments.api.idempotency import idempotent
from tournaments.models import Club, Credential, Role, Scope
from tournaments.services import credentials
from tournaments.services.permissions import require_role, require_user

if TYPE_CHECKING:
    from rest_framework.request import Request


class TokenInput(serializers.Serializer):
    """A token to make."""

    name = NameField(longest=credentials.LONGEST_NAME, help_text="Where it is used, to tell it by.")


class KeyInput(TokenInput):
    """A key to make."""

    scope = serializers.ChoiceField(Scope.choices)


class TokenOutput(serializers.Serializer):
    """A token, without its secret."""

    id = serializers.CharField(source="uid")
    name = serializers.CharField()
    prefix = serializers.CharField(help_text="How the secret begins.")
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")


class KeyOutput(TokenOutput):
    """A key, without its secret."""

    scope = serializers.ChoiceField(Scope.choices)


class TokenWithSecret(TokenOutput):
    """A new token."""

    token = serializers.CharField(help_text="Shown once.")


class KeyWithSecret(KeyOutput):
    """A new key."""

    token = serializers.CharField(help_text="Shown once.")


class MyClubOutput(serializers.Serializer):
    """A club one belongs to."""

    slug = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(Role.choices, allow_null=True, help_text="None for a key that only reads.")


class MyUserOutput(serializers.Serializer):
    """One's account."""

    email = serializers.EmailField()
    name = serializers.CharField()
    player = serializers.CharField(source="player.uid", default=None, allow_null=True)


class MeOutput(serializers.Serializer):
    """Who one is to the API."""

    kind = serializers.ChoiceField([kind.value for kind in Kind])
    user = MyUserOutput(allow_null=True)
    entry = serializers.CharField(source="entry.uid", default=None, allow_null=True)
    table = serializers.CharField(source="table.uid", default=None, allow_null=True)


class MeWithClubs(MeOutput):
    """Who one is to the API, and the clubs one belongs to."""

    clubs = MyClubOutput(many=True)


class Keys(ListView):
    """The keys of a club."""

    @extend_schema(operation_id="keys_list", responses=KeyOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the keys of a club that work, as an owner."""
        return self.page(_keys(_owned(self, slug)), KeyOutput)

    @extend_schema(operation_id="keys_create", request=KeyInput, responses={201: KeyWithSecret})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Make a key, as an owner. It is shown once: a retry is answered 409 `secret-already-shown`."""
        club = club_or_404(self.actor, slug)
        key, secret = credentials.create_key(actor=self.actor, club=club, **self.body(KeyInput))
        return Response(KeyOutput(key).data | {"token": secret}, status=201)


class OneKey(ApiView):
    """One key of a club."""

    @extend_schema(operation_id="keys_revoke", responses={204: None})
    def delete(self, request: Request, slug: str, uid: str) -> Response:
        """Revoke a key, as an owner."""
        key = get_object_or_404(_keys(_owned(self, slug)), uid=uid)
        credentials.revoke(actor=self.actor, credential=key)
        return Response(status=204)


def _owned(view: ApiView, slug: str) -> Club:
    club = club_or_404(view.actor, slug)
    require_role(actor=view.actor, club=club, role=Role.OWNER)
    return club


def _keys(club: Club) -> QuerySet[Credential]:
    return Credential.objects.filter(club=club, revoked_at=None).order_by("-pk")


class Me(ApiView):
    """Who one is."""

    @extend_schema(operation_id="me", responses=MeWithClubs)
    def get(self, request: Request) -> Response:
        """Say who the caller is to the API, and in which clubs."""
        clubs = [{"slug": club.slug, "name": club.name, "role": role} for club, role in selectors.roles_of(self.actor)]
        return Response(MeOutput(self.actor).data | {"clubs": clubs})


class Tokens(ListView):
    """One's own tokens."""

    @extend_schema(operation_id="tokens_list", responses=TokenOutput(many=True))
    def get(self, request: Request) -> Response:
        """List one's tokens that work."""
        return self.page(_tokens(self), TokenOutput)

    @extend_schema(operation_id="tokens_create", request=TokenInput, responses={201: TokenWithSecret})
    @idempotent
    def post(self, request: Request) -> Response:
        """Make a token. It is shown once: a retry is answered 409 `secret-already-shown`."""
        token, secret = credentials.create_token(actor=self.actor, **self.body(TokenInput))
        return Response(TokenOutput(token).data | {"token": secret}, status=201)


class OneToken(ApiView):
    """One of one's tokens."""

    @extend_schema(operation_id="tokens_revoke", responses={204: None})
    def delete(self, request: Request, uid: str) -> Response:
        """Revoke one of one's tokens."""
        credentials.revoke(actor=self.actor, credential=get_object_or_404(_tokens(self), uid=uid))
        return Response(status=204)


def _tokens(view: ApiView) -> QuerySet[Credential]:
    return selectors.tokens_of(require_user(view.actor))


urlpatterns = [
    path("clubs/<slug:slug>/keys/", Keys.as_view(), name="keys"),
    path("clubs/<slug:slug>/keys/<slug:uid>/", OneKey.as_view(), name="key"),
    path("me/", Me.as_view(), name="me"),
    path("me/tokens/", Tokens.as_view(), name="tokens"),
    path("me/tokens/<slug:uid>/", OneToken.as_view(), name="token"),
]
