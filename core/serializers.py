"""Shapes that more than one part of the API answers with."""

from __future__ import annotations

from rest_framework import serializers


class FindingOutput(serializers.Serializer):
    """One thing that is wrong, and where."""

    code = serializers.CharField(help_text="Stable, kebab-case.")
    path = serializers.ListField(child=serializers.JSONField(), help_text="Field names and indices from 0.")
    message = serializers.CharField(help_text="For people, in the language of the request.")


class ProblemOutput(serializers.Serializer):
    """An error, after RFC 9457."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What is wrong and what to do, for people.")
    code = serializers.CharField(help_text="Stable, kebab-case.")
    request_id = serializers.CharField(help_text="To find this answer in the logs.")
    errors = FindingOutput(many=True, required=False)  # type: ignore[assignment]  # becomes a field, not an attribute
