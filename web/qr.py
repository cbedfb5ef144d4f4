"""QR codes as pictures inside a page."""

from __future__ import annotations

import functools

import segno
from django.utils.safestring import SafeString, mark_safe


@functools.lru_cache(512)
def qr_code(address: str, label: str) -> SafeString:
    """Return the QR code of an address as SVG that takes the size its place gives it; `label` is read aloud."""
    code = segno.make(address, error="m", micro=False)
    drawing = code.svg_inline(border=3, light="#fff", svgclass="qr", title=label, omitsize=True)
    return mark_safe(drawing.replace("<svg ", '<svg role="img" ', 1))  # noqa: S308 -- segno escapes the title
