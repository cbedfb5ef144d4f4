"""Keys of clubs, tokens and sessions of users, and who one is to the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView, ListView
from api.clubs import club_or_404
from api.idempotency import idempotent
from api.shapes import ShortList, ShownOnce
from core import sessions
from core.models import Login
from core.names import NameField
from tournaments import selectors
from tournaments.actors import Actor, Kind
from tournaments.models import Club, Credential, KeyUse, Role, Scope
from tournaments.services import credentials
from tournaments.services.permissions import require_role, require_user

if TYPE_CHECKING:
    from rest_framework.request import Request


class TokenInput(serializers.Serializer):
    """A token to make."""

    name = NameField(longest=Credential.LONGEST_NAME, help_text="Where it is used, to tell it by.")


class KeyInput(TokenInput):
    """A key to make: with `scopes`, or with one `scope`."""

    scope = serializers.ChoiceField(Scope.choices, required=False, help_text="The only one of its `scopes`.")
    scopes = ShortList(
        child=serializers.ChoiceField(Scope.choices),
        required=False,
        min_length=1,
        max_length=len(Scope),
        help_text="What it may do; `write` is everything that an organiser may, and every key reads.",
    )
    expires_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="When it ends by itself; at most five years ahead."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return what the key may do as `scopes`, whichever way it was said."""
        if ("scope" in attrs) == ("scopes" in attrs):
            raise serializers.ValidationError({"scopes": [_("Give the key its scopes, in one of the two fields.")]})
        return {"scopes": [attrs["scope"]], **attrs} if "scope" in attrs else attrs


class TokenOutput(serializers.Serializer):
    """A token, without its secret."""

    id = serializers.CharField(source="uid")
    name = serializers.CharField()
    prefix = serializers.CharField(help_text="How the secret begins.")
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")


class KeyOutput(TokenOutput):
    """A key, without its secret."""

    scope = serializers.SerializerMethodField(
        help_text="`write` for everything that an organiser may, `read` for nothing but reading, else `some`."
    )
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices), help_text="What it was made for.")
    expires_at = serializers.DateTimeField(allow_null=True, help_text="When it ends, or ended, by itself.")

    @extend_schema_field(serializers.ChoiceField(["read", "write", "some"]))
    def get_scope(self, key: Credential) -> str:
        """Return in one word what the key may do."""
        return key.scope if key.scope in {Scope.READ, Scope.WRITE} else "some"


class KeyUseOutput(serializers.Serializer):
    """How often a key made a call on a day, answered alike."""

    day = serializers.DateField(help_text="In UTC.")
    method = serializers.CharField(help_text="The method of HTTP.")
    route = serializers.CharField(help_text="The pattern of the address, under `/api/v1`.")
    status = serializers.SerializerMethodField(help_text="`2xx`, `3xx`, `4xx` or `5xx`.")
    count = serializers.IntegerField()
    last_at = serializers.DateTimeField(help_text="To the minute.")

    @extend_schema_field(serializers.ChoiceField(["2xx", "3xx", "4xx", "5xx"]))
    def get_status(self, use: KeyUse) -> str:
        """Return the class of the status."""
        return f"{use.status}xx"


class TokenWithSecret(TokenOutput):
    """A new token."""

    token = ShownOnce(help_text="Shown once.")


class KeyWithSecret(KeyOutput):
    """A new key."""

    token = ShownOnce(help_text="Shown once.")


class MyClubOutput(serializers.Serializer):
    """A club one belongs to."""

    slug = serializers.CharField(source="club.slug")
    name = serializers.CharField(source="club.name")
    role = serializers.ChoiceField(
        Role.choices, allow_null=True, help_text="None for a key that may less than an organiser."
    )


class MyUserOutput(serializers.Serializer):
    """One's account."""

    email = serializers.EmailField()
    name = serializers.CharField()
    player = serializers.CharField(source="player.uid", allow_null=True)


class MeWithClubs(serializers.Serializer):
    """Who one is to the API, and the clubs one belongs to."""

    kind = serializers.ChoiceField([kind.value for kind in Kind])
    user = MyUserOutput(allow_null=True)
    entry = serializers.CharField(source="entry.uid", allow_null=True)
    table = serializers.CharField(source="table.uid", allow_null=True)
    scopes = serializers.SerializerMethodField(help_text="What a club's key may do; null for everybody else.")
    clubs = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(Scope.choices), allow_null=True))
    def get_scopes(self, actor: Actor) -> list[Scope] | None:
        """Return the scopes of a key."""
        return actor.credential.scopes if actor.kind == Kind.KEY and actor.credential else None

    @extend_schema_field(MyClubOutput(many=True))
    def get_clubs(self, actor: Actor) -> list[dict[str, Any]]:
        """Return the clubs, with the role in each."""
        return list(MyClubOutput(selectors.roles_of(actor), many=True).data)


class Keys(ListView):
    """The keys of a club."""

    creates = ("key", "slug", "id")

    @extend_schema(operation_id="keys_list", responses=KeyOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the keys of a club that were not revoked, as an owner; one that has expired no longer works."""
        return self.page(_keys(_owned(self, slug)), KeyOutput)

    @extend_schema(operation_id="keys_create", request=KeyInput, responses={201: KeyWithSecret})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Make a key, as an owner. It is shown once: a retry is answered 409 `secret-already-shown`."""
        club = club_or_404(self.actor, slug)
        fields = self.body(KeyInput)
        fields.pop("scope", None)
        key, secret = credentials.create_key(actor=self.actor, club=club, **fields)
        return Response(KeyWithSecret(key, context={"secret": secret}).data, status=201)


class OneKey(ApiView):
    """One key of a club."""

    @extend_schema(operation_id="keys_read", responses=KeyOutput)
    def get(self, request: Request, slug: str, uid: str) -> Response:
        """Read a key, as an owner."""
        return Response(KeyOutput(get_object_or_404(_keys(_owned(self, slug)), uid=uid)).data)

    @extend_schema(operation_id="keys_revoke", responses={204: None})
    def delete(self, request: Request, slug: str, uid: str) -> Response:
        """Revoke a key, as an owner."""
        key = get_object_or_404(_keys(_owned(self, slug)), uid=uid)
        credentials.revoke(actor=self.actor, credential=key)
        return Response(status=204)


class KeyUses(ListView):
    """The log of a key."""

    @extend_schema(operation_id="keys_uses", responses=KeyUseOutput(many=True))
    def get(self, request: Request, slug: str, uid: str) -> Response:
        """List what a key was used for in the last 90 days, by day and call, the latest first. For owners."""
        key = get_object_or_404(_keys(_owned(self, slug)), uid=uid)
        return self.page(key.uses.all(), KeyUseOutput)


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
        return Response(MeWithClubs(self.actor).data)


class Tokens(ListView):
    """One's own tokens."""

    creates = ("token", "id")

    @extend_schema(operation_id="tokens_list", responses=TokenOutput(many=True))
    def get(self, request: Request) -> Response:
        """List one's tokens that work."""
        return self.page(_tokens(self), TokenOutput)

    @extend_schema(operation_id="tokens_create", request=TokenInput, responses={201: TokenWithSecret})
    @idempotent
    def post(self, request: Request) -> Response:
        """Make a token. It is shown once: a retry is answered 409 `secret-already-shown`."""
        token, secret = credentials.create_token(actor=self.actor, **self.body(TokenInput))
        return Response(TokenWithSecret(token, context={"secret": secret}).data, status=201)


class OneToken(ApiView):
    """One of one's tokens."""

    @extend_schema(operation_id="tokens_revoke", responses={204: None})
    def delete(self, request: Request, uid: str) -> Response:
        """Revoke one of one's tokens."""
        credentials.revoke(actor=self.actor, credential=get_object_or_404(_tokens(self), uid=uid))
        return Response(status=204)


class SessionOutput(serializers.Serializer):
    """Where one is logged in with a browser."""

    id = serializers.CharField(source="uid")
    browser = serializers.CharField(help_text="What it calls itself; empty where that says nothing.")
    created_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField(help_text="To five minutes.")
    is_this_one = serializers.SerializerMethodField()

    def get_is_this_one(self, login: Login) -> bool:
        """Say whether the request came from this session."""
        return bool(login.pk == self.context["key"])


class Sessions(ListView):
    """Where one is logged in."""

    @extend_schema(operation_id="sessions_list", responses=SessionOutput(many=True))
    def get(self, request: Request) -> Response:
        """List the browsers in which one is logged in, the last used first."""
        return self.page(_logins(self), SessionOutput, key=request.session.session_key)

    @extend_schema(operation_id="sessions_end_all", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Log out everywhere; a browser that asks for it stays logged in."""
        sessions.end(_logins(self).exclude(pk=request.session.session_key))
        return Response(status=204)


class OneSession(ApiView):
    """One browser in which one is logged in."""

    @extend_schema(operation_id="sessions_end", responses={204: None})
    def delete(self, request: Request, uid: str) -> Response:
        """Log out in one browser, at once."""
        login = get_object_or_404(_logins(self), uid=uid)
        sessions.end(_logins(self).filter(pk=login.pk))
        return Response(status=204)


def _logins(view: ApiView) -> QuerySet[Login]:
    return sessions.logins_of(require_user(view.actor))


def _tokens(view: ApiView) -> QuerySet[Credential]:
    return selectors.tokens_of(require_user(view.actor))


urlpatterns = [
    path("clubs/<slug:slug>/keys/", Keys.as_view(), name="keys"),
    path("clubs/<slug:slug>/keys/<slug:uid>/", OneKey.as_view(), name="key"),
    path("clubs/<slug:slug>/keys/<slug:uid>/uses/", KeyUses.as_view(), name="key-uses"),
    path("me/", Me.as_view(), name="me"),
    path("me/sessions/", Sessions.as_view(), name="sessions"),
    path("me/sessions/<slug:uid>/", OneSession.as_view(), name="session"),
    path("me/tokens/", Tokens.as_view(), name="tokens"),
    path("me/tokens/<slug:uid>/", OneToken.as_view(), name="token"),
]
