"""Webhooks of a club, and the log of what was sent to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView, ListView
from api.clubs import club_or_404
from api.idempotency import idempotent
from api.shapes import ShortList
from tournaments import selectors
from tournaments.models import Club, Delivery, Failure, MessageType, Role, Webhook
from tournaments.services import webhooks
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from rest_framework.request import Request

TYPES = [(each.value, each.label) for each in webhooks.SUBSCRIBABLE]


class WebhookInput(serializers.Serializer):
    """A webhook to make."""

    url = serializers.CharField(max_length=Webhook.LONGEST_URL, help_text="A public https address.")
    types = ShortList(
        child=serializers.ChoiceField(TYPES), min_length=1, max_length=len(TYPES), help_text="What it is told of."
    )
    form = serializers.ChoiceField(
        Webhook.Form.choices,
        default=Webhook.Form.JSON,
        help_text="`json` for programs; a channel of `discord` or `slack` is told in words, "
        "of `round.seated` and `standings.final` alone, once each.",
    )
    language = serializers.ChoiceField(
        settings.LANGUAGES, required=False, help_text="Of the words to a channel; the caller's where none is named."
    )


class WebhookPatch(serializers.Serializer):
    """A change of a webhook."""

    url = serializers.CharField(max_length=Webhook.LONGEST_URL, required=False, help_text="A public https address.")
    types = ShortList(
        child=serializers.ChoiceField(TYPES),
        min_length=1,
        max_length=len(TYPES),
        required=False,
        help_text="What it is told of.",
    )
    language = serializers.ChoiceField(settings.LANGUAGES, required=False, help_text="Of the words to a channel.")

    active = serializers.BooleanField(source="is_active", required=False)


class WebhookOutput(serializers.Serializer):
    """A webhook, without its secret."""

    id = serializers.CharField(source="uid")
    url = serializers.CharField(
        source="shown_url", help_text="Of a channel only the beginning: who has all of it can write there."
    )
    types = serializers.ListField(child=serializers.ChoiceField(TYPES))
    form = serializers.ChoiceField(Webhook.Form.choices, help_text="`json`, or the channel that is told in words.")
    language = serializers.CharField(allow_blank=True, help_text="Of the words to a channel.")
    active = serializers.BooleanField(source="is_active")
    switched_off = serializers.ChoiceField(
        Webhook.Off.choices, allow_blank=True, help_text="Why the service itself switched it off."
    )
    failing_since = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class WebhookWithSecret(WebhookOutput):
    """A webhook with its new secret."""

    secret = serializers.CharField(help_text="Verifies signatures; shown once.")


class MessageOutput(serializers.Serializer):
    """A message as it is sent."""

    type = serializers.ChoiceField(MessageType.choices)
    timestamp = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]  # becomes a field, not an attribute


class DeliveryOutput(serializers.Serializer):
    """A message to a webhook, and what became of it."""

    id = serializers.CharField(source="uid", help_text="The header `webhook-id`, the same in every attempt.")
    type = serializers.ChoiceField(MessageType.choices)
    status = serializers.ChoiceField(Delivery.Status.choices)
    attempts = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    next_attempt_at = serializers.DateTimeField(allow_null=True)
    delivered_at = serializers.DateTimeField(allow_null=True)
    failure = serializers.ChoiceField(Failure.choices, allow_blank=True, help_text="Why the last attempt failed.")
    response_status = serializers.IntegerField(allow_null=True, help_text="What the receiver last answered.")
    response_ms = serializers.IntegerField(allow_null=True, help_text="How long that took.")
    payload = MessageOutput()


class Webhooks(ListView):
    """The webhooks of a club."""

    creates = ("webhook", "slug", "id")

    @extend_schema(operation_id="webhooks_list", responses=WebhookOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the webhooks of a club, as an organiser."""
        return self.page(selectors.webhooks_of(_organised(self, slug)), WebhookOutput)

    @extend_schema(operation_id="webhooks_create", request=WebhookInput, responses={201: WebhookWithSecret})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Make a webhook, as an owner. Its secret is shown once: a retry is answered 409 `secret-already-shown`."""
        club = club_or_404(self.actor, slug)
        made = webhooks.create_webhook(actor=self.actor, club=club, **self.body(WebhookInput))
        return Response(WebhookWithSecret(made).data, status=201)


class OneWebhook(ApiView):
    """One webhook of a club."""

    @extend_schema(operation_id="webhooks_retrieve", responses=WebhookOutput)
    def get(self, request: Request, slug: str, uid: str) -> Response:
        """Read a webhook, as an organiser."""
        return Response(WebhookOutput(_webhook(self, slug, uid)).data)

    @extend_schema(operation_id="webhooks_change", request=WebhookPatch, responses=WebhookOutput)
    def patch(self, request: Request, slug: str, uid: str) -> Response:
        """Change a webhook, as an owner. Switched off it gives up what is waiting."""
        webhook = _webhook(self, slug, uid)
        fields = self.body(WebhookPatch, partial=True)
        return Response(WebhookOutput(webhooks.edit_webhook(actor=self.actor, webhook=webhook, **fields)).data)

    @extend_schema(operation_id="webhooks_delete", responses={204: None})
    def delete(self, request: Request, slug: str, uid: str) -> Response:
        """Delete a webhook and its log, as an owner."""
        webhooks.delete_webhook(actor=self.actor, webhook=_webhook(self, slug, uid))
        return Response(status=204)


class Rotation(ApiView):
    """The secret of a webhook."""

    @extend_schema(operation_id="webhooks_rotate", request=None, responses=WebhookWithSecret)
    @idempotent
    def post(self, request: Request, slug: str, uid: str) -> Response:
        """Give a webhook a new secret, as an owner. For a day messages are signed with the former one too."""
        webhook = webhooks.rotate_secret(actor=self.actor, webhook=_webhook(self, slug, uid))
        return Response(WebhookWithSecret(webhook).data)


class Ping(ApiView):
    """A test of a webhook."""

    @extend_schema(operation_id="webhooks_test", request=None, responses={202: DeliveryOutput})
    @idempotent
    def post(self, request: Request, slug: str, uid: str) -> Response:
        """Send a webhook a `ping`, as an organiser."""
        delivery = webhooks.ping(actor=self.actor, webhook=_webhook(self, slug, uid))
        return Response(DeliveryOutput(delivery).data, status=202)


class Deliveries(ListView):
    """What was sent to a webhook."""

    @extend_schema(operation_id="webhooks_deliveries", responses=DeliveryOutput(many=True))
    def get(self, request: Request, slug: str, uid: str) -> Response:
        """List what was sent to a webhook in the last 30 days and what is waiting, latest first, as an organiser."""
        return self.page(_webhook(self, slug, uid).deliveries.order_by("-pk"), DeliveryOutput)


class Redelivery(ApiView):
    """A repeated delivery of one message."""

    @extend_schema(operation_id="webhooks_redeliver", request=None, responses={202: DeliveryOutput})
    @idempotent
    def post(self, request: Request, slug: str, uid: str, delivery: str) -> Response:
        """Send a message again under the same id, as an organiser."""
        found = get_object_or_404(_webhook(self, slug, uid).deliveries.select_related("webhook__club"), uid=delivery)
        return Response(DeliveryOutput(webhooks.redeliver(actor=self.actor, delivery=found)).data, status=202)


def _organised(view: ApiView, slug: str) -> Club:
    club = club_or_404(view.actor, slug)
    require_role(actor=view.actor, club=club, role=Role.ORGANISER)
    return club


def _webhook(view: ApiView, slug: str, uid: str) -> Webhook:
    return get_object_or_404(selectors.webhooks_of(_organised(view, slug)), uid=uid)


urlpatterns = [
    path("clubs/<slug:slug>/webhooks/", Webhooks.as_view(), name="webhooks"),
    path("clubs/<slug:slug>/webhooks/<slug:uid>/", OneWebhook.as_view(), name="webhook"),
    path("clubs/<slug:slug>/webhooks/<slug:uid>/rotate/", Rotation.as_view(), name="webhook-rotate"),
    path("clubs/<slug:slug>/webhooks/<slug:uid>/test/", Ping.as_view(), name="webhook-test"),
    path("clubs/<slug:slug>/webhooks/<slug:uid>/deliveries/", Deliveries.as_view(), name="deliveries"),
    path(
        "clubs/<slug:slug>/webhooks/<slug:uid>/deliveries/<slug:delivery>/redeliver/",
        Redelivery.as_view(),
        name="redeliver",
    ),
]
