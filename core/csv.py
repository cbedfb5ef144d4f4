"""Lists as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer, JSONRenderer

# Where a spreadsheet begins a cell: some take `;` or a tab for what separates them, whatever quotes are around.
FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=\s*[=+\-@])")
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def neutralise(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula; numbers stay as they are."""
    if isinstance(value, str) and not NUMBER.fullmatch(value):
        return FORMULA.sub("'", value)
    return value


def to_csv(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV under a line of column names; what a row has beyond them is left out."""
    columns = list(columns)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([neutralise(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


class CsvRenderer(BaseRenderer):
    """Render a list of flat rows; the view's `csv_columns` says which columns in which order."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> str | bytes:
        """Return the rows as CSV, and a problem as the JSON it always is."""
        context = renderer_context or {}
        if context["response"].exception:
            return bytes(JSONRenderer().render(data))
        if data is None:  # OPTIONS has no rows
            return b""
        return to_csv(context["view"].csv_columns, data)
