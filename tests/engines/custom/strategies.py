"""Definitions of any kind, and ways to break a sheet that is right."""

from __future__ import annotations

import copy

from hypothesis import strategies as st

from engines import custom

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(
    lambda text: text.strip()
)
NAMES = TEXT | st.dictionaries(st.sampled_from(["en", "fr", "de", "pt-br"]), TEXT, min_size=1, max_size=3)
KEYS = st.from_regex(r"\A[a-z]{2,8}\Z").filter(lambda key: key not in ("shared", "best", "last"))


@st.composite
def entries(draw):
    """Return the limits of a number: a range or a list, perhaps shared out among the players."""
    if draw(st.booleans()):
        low = draw(st.integers(-40, 40))
        step = draw(st.integers(1, 7))
        limits = {"min": low, "max": low + draw(st.integers(0, 120)), "step": step}
        limits = {name: value for name, value in limits.items() if draw(st.booleans()) or name != "step"}
    else:
        limits = {"values": draw(st.lists(st.integers(-30, 30), min_size=1, max_size=8, unique=True))}
    if draw(st.integers(0, 3)) == 0:
        limits["given_to"] = draw(st.integers(0, 3) | st.lists(st.integers(0, 4), min_size=1, max_size=3, unique=True))
    if draw(st.integers(0, 3)) == 0:
        limits["sum"] = draw(st.integers(-60, 120))
    return limits


@st.composite
def values(draw):
    """Return a definition; some make no sense."""
    kind = draw(st.sampled_from(["places", "points", "rounds", "categories"]))
    low = draw(st.integers(1, 5))
    made = {
        "slug": draw(st.from_regex(r"\A[a-z0-9]{1,6}(-[a-z0-9]{1,4})?\Z")),
        "name": draw(NAMES),
        "seats": {"min": low, "max": draw(st.integers(low, 6))},
        "winner": draw(st.sampled_from(["most", "fewest"])),
        "rated": draw(st.booleans()),
    }
    breaks = []
    if kind == "places":
        sheet = {"ties": draw(st.booleans())}
    elif kind == "categories":
        keys = draw(st.lists(KEYS, min_size=1, max_size=5, unique=True))
        sheet = {"lines": [draw(entries()) | {"key": key, "name": draw(NAMES)} for key in keys]}
        for line in sheet["lines"]:
            if draw(st.booleans()):
                line["factor"] = draw(st.integers(-5, 5))
        breaks = keys
    else:
        sheet = draw(entries())
    if kind == "rounds":
        breaks = ["best", "last"]
        sheet |= draw(st.sampled_from([{}, {"rounds": 3}, {"target": 40}, {"rounds": 5, "target": 30}]))
    chosen = draw(st.lists(st.sampled_from(breaks), unique=True)) if breaks else []
    winners = st.sampled_from(["most", "fewest"])
    made["tiebreaks"] = [
        each if draw(st.booleans()) else {"line": each, "winner": draw(winners)} for each in chosen
    ] + draw(st.sampled_from([[], ["shared"]]))
    return made | {"sheet": {"kind": kind, **sheet}}


DEFINITIONS = values().map(lambda value: custom.read(value).definition).filter(bool)


def numbers(sheet):
    """Return where the numbers of a sheet stand: the object, and its key."""
    if "points" in sheet:
        return [(sheet["points"], seat) for seat in sheet["points"]]
    if "rounds" in sheet:
        return [(each, seat) for each in sheet["rounds"] for seat in each]
    return [(own, key) for own in sheet.get("lines", {}).values() for key in own]


def broken(definition, sheet):
    """Yield the sheet with one stated limit broken, each in turn, and the code that must be found."""

    def changed(change):
        other = copy.deepcopy(sheet)
        change(other)
        return other

    for index in range(len(numbers(sheet))):
        _, key = numbers(sheet)[index]
        entry = next((line for line in definition.lines if line.key == key), definition.sheet)
        possible = entry.possible

        def put(value, index=index):
            return changed(lambda other: _put(numbers(other)[index], value))

        if isinstance(possible, range):
            yield put(possible[0] - 1), "value-too-low"
            yield put(possible[-1] + possible.step), "value-too-high"
            if possible.step > 1 and len(possible) > 1:
                yield put(possible[0] + 1), "value-off-step"
        else:
            yield put(max(possible) + 1), "value-not-listed"
        yield put("12"), "bad-value"
        yield put(None), "bad-value"
        yield changed(lambda other, index=index: _drop(numbers(other)[index])), "missing-field"
    yield changed(lambda other: other.update(more=1)), "unknown-field"
    yield changed(lambda other: other.update(game="custom:another-one")), "wrong-game"
    yield changed(lambda other: other.update(variant="other")), "unknown-variant"
    yield changed(lambda other: other["seats"].append(other["seats"][0])), "duplicate-seat"
    if "places" in sheet:
        first = sheet["places"][0][0]
        yield changed(lambda other: other["places"].append([first])), "seat-twice"
        yield changed(lambda other: other["places"].append(["nobody"])), "seat-unknown"
        yield changed(lambda other: other["places"].append([])), "bad-value"
        if len(sheet["places"]) > 1:
            yield changed(lambda other: other["places"].pop()), "seat-missing"
        if not definition.sheet.ties and len(sheet["seats"]) > 1:
            yield changed(lambda other: other.update(places=[other["seats"]])), "tie-not-allowed"
    if "rounds" in sheet and definition.sheet.target and not definition.sheet.rounds:
        yield changed(lambda other: other["rounds"].append(other["rounds"][-1])), "played-on"
        if len(sheet["rounds"]) > 1:
            yield changed(lambda other: other["rounds"].pop()), "target-not-reached"
    if "rounds" in sheet and definition.sheet.rounds and not definition.sheet.target:
        yield changed(lambda other: other["rounds"].pop() and other["rounds"]), "rounds-wrong"


def _put(spot, value):
    spot[0][spot[1]] = value


def _drop(spot):
    del spot[0][spot[1]]
