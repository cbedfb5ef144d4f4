"""Filters for places."""

from __future__ import annotations

from django import template

from core.ordinals import ordinal

register = template.Library()
register.filter(ordinal)
