"""The order of a list as a query parameter."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet


class Ordering(django_filters.ChoiceFilter):
    """`?ordering=name` or `?ordering=-name`; equals come by age, so that pages stay steady."""

    def __init__(self, **fields: str) -> None:
        self.by = {f"{sign}{name}": f"{sign}{field}" for name, field in fields.items() for sign in ("", "-")}
        super().__init__(choices=[(name, name) for name in self.by])

    def filter(self, qs: QuerySet[Any], value: str | None) -> QuerySet[Any]:
        """Return the rows in the order asked for, or as they are."""
        return qs.order_by(self.by[value], "-pk" if value.startswith("-") else "pk") if value else qs
