"""Phones that want to be told: the browsers of an entry, for whoever holds its personal link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.entries import entry_or_404
from api.idempotency import idempotent
from scoring.services import phones
from tournaments.models import PushSubscription
from tournaments.push.keys import public_key

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

    from tournaments.models import Entry


class BrowserKeys(serializers.Serializer):
    """What messages to a browser are encrypted for."""

    p256dh = serializers.CharField(max_length=100, help_text="The public key of the browser, base64url.")
    auth = serializers.CharField(max_length=30, help_text="The secret that comes with it, base64url.")


class SubscriptionInput(serializers.Serializer):
    """What a browser that subscribed for `public_key` gives in `PushSubscription.toJSON()`."""

    endpoint = serializers.CharField(
        max_length=PushSubscription.LONGEST_ENDPOINT, help_text="Where the browser's push service takes messages."
    )
    keys = BrowserKeys(help_text="What messages to the browser are encrypted for.")


class SubscriptionOutput(serializers.Serializer):
    """A browser that is told."""

    id = serializers.CharField(source="uid")
    host = serializers.CharField(help_text="The push service; the rest of the address is not shown.")
    language = serializers.CharField(help_text="In which it is told: that of the request which subscribed it.")
    created_at = serializers.DateTimeField()


class PushOutput(serializers.Serializer):
    """The browsers of an entry that are told, and how another one subscribes."""

    public_key = serializers.CharField(
        allow_blank=True, help_text="The `applicationServerKey`, base64url; empty where the service sends no messages."
    )
    subscriptions = SubscriptionOutput(many=True, help_text="The browsers that are told, oldest first.")


class Push(ApiView):
    """The browsers of an entry that are told."""

    creates = ("entry-push-one", "uid", "id")

    @extend_schema(operation_id="entries_push", responses=PushOutput)
    def get(self, request: Request, uid: str) -> Response:
        """List the browsers that are told what is asked of the player, and the key to subscribe for: own link only."""
        entry = _own(self, uid)
        key = public_key() if settings.WEB_PUSH else ""
        return Response(PushOutput({"public_key": key, "subscriptions": _standing(entry)}).data)

    @extend_schema(
        operation_id="entries_push_subscribe",
        request=SubscriptionInput,
        responses={201: SubscriptionOutput, 200: SubscriptionOutput},
    )
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Let a browser be told from now on: own link only. One that is known is renewed (200)."""
        entry, body = _own(self, uid), self.body(SubscriptionInput)
        browser = phones.Browser(endpoint=body["endpoint"], **body["keys"])
        phone, is_new = phones.subscribe(actor=self.actor, entry=entry, browser=browser)
        return Response(SubscriptionOutput(phone).data, status=201 if is_new else 200)


class OnePush(ApiView):
    """One browser of an entry that is told."""

    @extend_schema(operation_id="entries_push_retrieve", responses=SubscriptionOutput)
    def get(self, request: Request, uid: str, phone: str) -> Response:
        """Read one of the browsers that are told: own link only."""
        return Response(SubscriptionOutput(get_object_or_404(_standing(_own(self, uid)), uid=phone)).data)

    @extend_schema(operation_id="entries_push_unsubscribe", responses={204: None})
    def delete(self, request: Request, uid: str, phone: str) -> Response:
        """Tell a browser nothing more, and forget it: own link only."""
        found = get_object_or_404(_standing(_own(self, uid)).select_related("entry"), uid=phone)
        phones.unsubscribe(actor=self.actor, phone=found)
        return Response(status=204)


def _own(view: ApiView, uid: str) -> Entry:
    entry = entry_or_404(view.actor, uid)
    phones.require_own(view.actor, entry)
    return entry


def _standing(entry: Entry) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.standing().filter(entry=entry)


urlpatterns = [
    path("entries/<slug:uid>/push/", Push.as_view(), name="entry-push"),
    path("entries/<slug:uid>/push/<slug:phone>/", OnePush.as_view(), name="entry-push-one"),
]
