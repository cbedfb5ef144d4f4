"""Help at the table: what rows earn. Pure functions of the rows; judging a report is left to `report`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from engines.base import Shape, Words
from engines.sixmix.pieces import ROWS_PER_SEAT
from engines.sixmix.report import ROW, VARIANTS, Notation
from engines.sixmix.scoring import RowScore, lead_digit, score_rows

SEATS = {variant.slug: (variant.seats_min, variant.seats_max) for variant in VARIANTS}
ROWS = {
    1: Words("one row", "une rangée"),
    2: Words("two rows with a space between", "deux rangées séparées par une espace"),
}
SeatRows = Annotated[str, Notation("row-notation", f"{ROW}( {ROW})?", Words("651344", "651344"))]


class Rows(Shape):
    """The rows of all players at the end of a round."""

    variant: Literal["standard", "two-player"] = "standard"
    rows: dict[str, SeatRows] = Field(
        description="By player the row, six digits from 1 to 6; with two players both rows with a space between"
    )

    @field_validator("rows")
    @classmethod
    def _fit_the_variant(cls, rows: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        variant = info.data.get("variant")
        if variant is None:  # itself refused
            return rows
        low, high = SEATS[variant]
        if not low <= len(rows) <= high:
            raise PydanticCustomError(
                "seat-count", "wrong number of players", {"low": low, "high": high, "count": len(rows)}
            )
        each = ROWS_PER_SEAT[variant]
        if any(len(texts.split()) != each for texts in rows.values()):
            raise PydanticCustomError("row-count", "wrong number of rows per player", {"rows": ROWS[each]})
        return rows


def tokens_for(request: Rows) -> dict[str, Any]:
    """Return per player the tokens, the lead digit and what every row earned for its number and its triples."""
    texts = [text for seat_rows in request.rows.values() for text in seat_rows.split()]
    scores = dict(zip(texts, score_rows(texts), strict=True))
    earned = {
        seat: [_earned(row, scores[row]) for row in seat_rows.split()] for seat, seat_rows in request.rows.items()
    }
    return {
        "tokens": {seat: sum(row["points"] for row in rows) for seat, rows in earned.items()},
        "lead": {seat: lead_digit(rows) for seat, rows in request.rows.items()},
        "rows": earned,
    }


def _earned(row: str, score: RowScore) -> dict[str, Any]:
    return {"row": row, "place": score.place.name.lower(), "triples": score.triples, "points": score.points}
