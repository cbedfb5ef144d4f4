"""The language of the reader."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import get_language


def reader_language() -> str:
    """Return the language code for the reader of the page or the answer."""
    return get_language() or str(settings.LANGUAGE_CODE)
