"""Places as people write them."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from core.ordinals import ordinal


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th"]),
        ("fr", ["1er", "2e", "3e", "4e", "11e", "12e", "13e", "21e", "22e", "101e", "111e"]),
    ],
)
def test_a_place_is_written_as_one(language, said):
    with override(language):
        assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111)] == said
