"""The API's description of itself, for tests that read it."""

from __future__ import annotations

import functools
from typing import Any

from django.utils import translation
from drf_spectacular.generators import SchemaGenerator


@functools.cache
def published() -> dict[str, Any]:
    """Return the schema in English; made once, as that takes most of a second. Whoever changes it, changes a copy."""
    with translation.override("en"):
        schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema
