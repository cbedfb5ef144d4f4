from __future__ import annotations

import pytest
from pydantic import ValidationError

from engines.sixmix.assist import Rows, tokens_for


def test_rulebook_round_row_by_row() -> None:
    rows = {"green": "365231", "dark blue": "651344", "red": "651155", "orange": "443554", "light blue": "113253"}
    answer = tokens_for(Rows(rows=rows))
    assert answer["tokens"] == {"green": 0, "dark blue": 2, "red": 2, "orange": 1, "light blue": 0}
    assert answer["lead"] == {"green": 3, "dark blue": 6, "red": 6, "orange": 4, "light blue": 1}
    assert answer["rows"]["red"] == [{"row": "651155", "place": "second", "triples": 1, "points": 2}]
    assert answer["rows"]["dark blue"] == [{"row": "651344", "place": "highest", "triples": 0, "points": 2}]
    assert answer["rows"]["green"] == [{"row": "365231", "place": "other", "triples": 0, "points": 0}]


def test_two_players_have_two_rows_each() -> None:
    answer = tokens_for(Rows(variant="two-player", rows={"ana": "641662 112233", "ben": "542163 222431"}))
    assert answer["tokens"] == {"ana": 3, "ben": 2}
    assert answer["lead"] == {"ana": 6, "ben": 5}
    assert [row["points"] for row in answer["rows"]["ben"]] == [1, 1]


@pytest.mark.parametrize(
    ("request_", "code", "path"),
    [
        ({"rows": {"ana": "123456", "ben": "123456"}}, "seat-count", ("rows",)),
        ({"variant": "two-player", "rows": {"ana": "123456", "ben": "123456"}}, "row-count", ("rows",)),
        ({"rows": {"ana": "123456", "ben": "123456 123456", "cleo": "123456"}}, "row-count", ("rows",)),
        ({"rows": {"ana": "123456", "ben": "12345", "cleo": "123456"}}, "row-notation", ("rows", "ben")),
        ({"rows": {"ana": "123456", "ben": "12345\n", "cleo": "123456"}}, "row-notation", ("rows", "ben")),
        ({"variant": "solo", "rows": {}}, "literal_error", ("variant",)),
        ({}, "missing", ("rows",)),
    ],
)
def test_rows_that_are_no_round_are_refused(request_: dict[str, object], code: str, path: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError) as caught:
        Rows.model_validate(request_)
    assert [(error["type"], error["loc"]) for error in caught.value.errors()] == [(code, path)]
