"""Shapes that more than one part of the API answers with."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


class ShownOnce(serializers.CharField):
    """A secret of which only the hash is stored: the view that made it gives it as context."""

    def get_attribute(self, instance: Any) -> str | None:
        """Return the secret; None where it goes another way."""
        secret: str | None = self.context["secret"]
        return secret


class ShortList(serializers.ListField):
    """A list with a `max_length`: one that is longer is refused before anything in it is looked at."""

    def to_internal_value(self, data: Any) -> list[Any]:
        """Return the entries, if they are not too many."""
        if isinstance(data, list) and len(data) > (self.max_length or 0):
            self.fail("max_length", max_length=self.max_length)
        return super().to_internal_value(data)


SHEET = {"$ref": "#/components/schemas/Sheet"}  # made by `api.describing` from the games there are


@extend_schema_field(SHEET)
class SheetField(serializers.JSONField):
    """A sheet: shaped by its game, and judged by its rules."""


@extend_schema_field({"allOf": [SHEET], "nullable": True})
class NullableSheetField(serializers.JSONField):
    """A sheet, or null where an organiser ranked the players by hand."""


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
