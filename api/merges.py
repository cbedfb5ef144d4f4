"""Requests to merge two records of one person that belong to different people or clubs: ask, answer, take back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import django_filters
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.response import Response

from api.base import ApiView
from api.idempotency import idempotent
from api.players import PlayerOutput
from core.ids import ID_LENGTH
from tournaments import selectors
from tournaments.models import MergeRequest
from tournaments.services import merge_requests

if TYPE_CHECKING:
    from rest_framework.request import Request


class MergeRequestInput(serializers.Serializer):
    """Two records of one person, one of which is the caller's to speak for."""

    gone = serializers.SlugField(max_length=ID_LENGTH, help_text="The record to merge into the other.")
    kept = serializers.SlugField(max_length=ID_LENGTH, help_text="The record to keep; its home club stays theirs.")


class MergeRequestOutput(serializers.Serializer):
    """A request to merge two records."""

    id = serializers.CharField(source="uid")
    gone = PlayerOutput()
    kept = PlayerOutput()
    status = serializers.ChoiceField(MergeRequest.Status.choices, source="shown_status")
    asked_by = serializers.SerializerMethodField(help_text="The club that asks; null where the person does.")
    awaits = serializers.CharField(source="awaits.uid", help_text="The record whose side answers.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_asked_by(self, request: MergeRequest) -> str | None:
        """Return the slug of the club that asks."""
        return request.club.slug if request.club else None


class MergeRequestFilter(django_filters.FilterSet):
    """What a list of requests can be narrowed to."""

    status = django_filters.MultipleChoiceFilter(choices=MergeRequest.Status.choices)

    class Meta:
        model = MergeRequest
        fields: list[str] = []


class RequestView(ApiView):
    """A view of requests to merge."""

    def shown(self, found: MergeRequest, *, status: int = 200) -> Response:
        """Answer with a request as the caller sees it."""
        return Response(MergeRequestOutput(found).data, status=status)

    def found(self, uid: str) -> MergeRequest:
        """Return a request that concerns the caller."""
        return get_object_or_404(selectors.merge_requests_of(self.actor), uid=uid)


class MergeRequests(RequestView, generics.GenericAPIView):
    """The requests that concern the caller."""

    creates = ("merge-request", "id")

    queryset = MergeRequest.objects.none()  # for the schema
    filterset_class = MergeRequestFilter
    serializer_class = MergeRequestOutput

    @extend_schema(operation_id="merge_requests_list", responses=MergeRequestOutput(many=True))
    def get(self, request: Request) -> Response:
        """List the requests to merge that concern the caller or their clubs, newest first."""
        rows = self.paginate_queryset(self.filter_queryset(selectors.merge_requests_of(self.actor)))
        return self.get_paginated_response(MergeRequestOutput(rows, many=True).data)

    @extend_schema(
        operation_id="merge_requests_create",
        request=MergeRequestInput,
        responses={201: MergeRequestOutput},
        filters=False,
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Ask the other side whether two records are one person: as the person, or as an organiser of a home club."""
        body = self.body(MergeRequestInput)
        players = selectors.visible_players(self.actor).select_related("merged_into")
        gone, kept = (get_object_or_404(players, uid=body[name]) for name in ("gone", "kept"))
        return self.shown(merge_requests.ask(actor=self.actor, gone=gone, kept=kept), status=201)


class OneMergeRequest(RequestView):
    """One request."""

    @extend_schema(operation_id="merge_requests_retrieve", responses=MergeRequestOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read a request to merge."""
        return self.shown(self.found(uid))


class Accept(RequestView):
    """Agree."""

    @extend_schema(operation_id="merge_requests_accept", request=None, responses=MergeRequestOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Agree for the side that was asked: the two records are one person from now on."""
        return self.shown(merge_requests.accept(actor=self.actor, request=self.found(uid)))


class Decline(RequestView):
    """Say no."""

    @extend_schema(operation_id="merge_requests_decline", request=None, responses=MergeRequestOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Say no for the side that was asked. Nothing changes."""
        return self.shown(merge_requests.decline(actor=self.actor, request=self.found(uid)))


class Withdraw(RequestView):
    """Take a request back."""

    @extend_schema(operation_id="merge_requests_withdraw", request=None, responses=MergeRequestOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Take a request back, for the side that asked."""
        return self.shown(merge_requests.withdraw(actor=self.actor, request=self.found(uid)))


urlpatterns = [
    path("merge-requests/", MergeRequests.as_view(), name="merge-requests"),
    path("merge-requests/<slug:uid>/", OneMergeRequest.as_view(), name="merge-request"),
    path("merge-requests/<slug:uid>/accept/", Accept.as_view(), name="merge-request-accept"),
    path("merge-requests/<slug:uid>/decline/", Decline.as_view(), name="merge-request-decline"),
    path("merge-requests/<slug:uid>/withdraw/", Withdraw.as_view(), name="merge-request-withdraw"),
]
