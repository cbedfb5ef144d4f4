"""Reports with the verdict that every implementation of the rules must reach, published beside the engines as data.

A line of `engines/<game>/vectors.jsonl` is an object: `id`, `report`, `verdict` with `ok`, `codes`, `warnings` and
`standings`, and `why`, which names the rule.
"""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any


@functools.cache
def vectors(slug: str) -> tuple[dict[str, Any], ...]:
    """Return the vectors of a game; none for a game without."""
    file = resources.files("engines") / slug.replace("-", "_") / "vectors.jsonl"
    return tuple(map(json.loads, file.read_text("utf-8").splitlines())) if file.is_file() else ()
