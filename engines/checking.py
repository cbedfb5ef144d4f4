"""The three stages of judging a report: frame, shape, rules.

The frame is the same in every game, the shape is declared by the game's pydantic models, and the rules
are the game's own functions. A stage runs only if the stages before it found nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from engines.base import Finding, Path, Shape, Standing, Variant, Verdict, Words

S = TypeVar("S", bound=Shape)

Pattern: TypeAlias = tuple[str | None, ...]
"""A path in which None stands for any index: `("rounds", None, "tokens")`."""

LIST = Words("a list", "une liste")
OBJECT = Words("an object", "un objet")
TEXT = Words("a text", "un texte")
LABEL = Words("a name that is not empty", "un nom non vide")
INTEGER = Words("a whole number", "un nombre entier")
FILLED = Words("a list with at least one entry", "une liste d’au moins un élément")
OTHER = Words("another value", "une autre valeur")

_EXPECTED = {
    "list_type": LIST,
    "dict_type": OBJECT,
    "model_type": OBJECT,
    "string_type": TEXT,
    "string_unicode": TEXT,
    "int_type": INTEGER,
}


@dataclass(frozen=True)
class Checker(Generic[S]):
    """Judge reports of one game.

    `containers` names the top-level fields whose type belongs to the frame, `filled` those among them that must
    not be empty, `keyed` every object that has exactly the seats as keys. `cross` finds what the models
    cannot say about the shape of a report, on the raw report (any part may be malformed: look before you touch).
    `rules` returns errors and warnings of a well-formed report, `rank` its standings if there are no errors.
    """

    slug: str
    variants: Mapping[str, Variant]
    containers: Mapping[str, type]
    keyed: tuple[Pattern, ...]
    rules: Callable[[S], tuple[list[Finding], list[Finding]]]
    rank: Callable[[S], tuple[Standing, ...]]
    filled: tuple[str, ...] = ()
    cross: Callable[[Mapping[str, Any], Variant], list[Finding]] | None = None

    def __call__(self, report: object) -> Verdict:
        """Return the verdict on any JSON value; never raises."""
        if not isinstance(report, dict):
            return Verdict(errors=(self._finding("not-an-object", ()),))
        parsed = self.parse(report)
        if isinstance(parsed, list):
            return Verdict(errors=tuple(parsed))
        errors, warnings = self.rules(parsed)
        ranked = None if errors else self.rank(parsed)
        return Verdict(tuple(errors), tuple(warnings), ranked)

    def parse(self, report: dict[str, Any]) -> S | list[Finding]:
        """Return the report as its model, or every error of the first stage that has one."""
        variant = self._variant(report)
        if variant is None or (labels := _labels(report.get("seats"), variant)) is None:
            return self._frame(report, variant)
        try:
            parsed = self._validators[variant.slug](report)
        except ValidationError as error:
            errors = _errors_of(variant.shape, report, error)
            return self._frame(report, variant) or self._shape(report, variant, labels, errors)
        return self._shape(report, variant, labels, ()) or parsed

    def _variant(self, report: Mapping[str, Any]) -> Variant | None:
        slug = report.get("variant")
        return self.variants.get(slug) if isinstance(slug, str) else None

    def _finding(self, code: str, path: Path, **facts: object) -> Finding:
        return Finding(f"{self.slug}.{code}", path, facts)

    def _frame(self, report: Mapping[str, Any], variant: Variant | None) -> list[Finding]:
        shapes = [variant.shape] if variant else [each.shape for each in self.variants.values()]
        known = {name for shape in shapes for name in shape.model_fields}
        required = [
            name
            for name in shapes[0].model_fields
            if all(name in shape.model_fields and shape.model_fields[name].is_required() for shape in shapes)
        ]
        found = [self._finding("missing-field", (name,)) for name in required if name not in report]
        found += [self._finding("unknown-field", (name,)) for name in report if name not in known]
        if "game" in report and report["game"] != self.slug:
            found.append(self._finding("wrong-game", ("game",), game=self.slug))
        if "variant" in report and variant is None:
            found.append(self._finding("unknown-variant", ("variant",), variants=", ".join(self.variants)))
        for name, kind in self.containers.items():
            if name in report and not isinstance(report[name], kind):
                found.append(self._finding("bad-value", (name,), expected=LIST if kind is list else OBJECT))
            elif name in self.filled and name in report and not report[name]:
                found.append(self._finding("bad-value", (name,), expected=FILLED))
        return found + self._seat_findings(report, variant)

    def _seat_findings(self, report: Mapping[str, Any], variant: Variant | None) -> list[Finding]:
        seats = report.get("seats", ())
        if seats == ():
            return []
        if not isinstance(seats, list):
            return [self._finding("bad-value", ("seats",), expected=LIST)]
        found: list[Finding] = []
        seen: set[str] = set()
        for index, label in enumerate(seats):
            if not isinstance(label, str) or not label:
                found.append(self._finding("bad-value", ("seats", index), expected=LABEL))
            elif label in seen:
                found.append(self._finding("duplicate-seat", ("seats", index), seat=label))
            else:
                seen.add(label)
        if variant and not variant.seats_min <= len(seats) <= variant.seats_max:
            low, high = variant.seats_min, variant.seats_max
            allowed = str(low) if low == high else f"{low}–{high}"
            found.append(self._finding("seat-count", ("seats",), seats=allowed, count=len(seats)))
        return found

    def _shape(
        self, report: Mapping[str, Any], variant: Variant, labels: set[str], errors: Sequence[ErrorDetails]
    ) -> list[Finding]:
        found: list[Finding] = []
        seats = report["seats"]
        mismatches: list[tuple[Path, dict[str, Any]]] = []
        _mismatches(self._keyed_tree, report, labels, (), mismatches)
        if not mismatches and not errors:
            return self.cross(report, variant) if self.cross else found
        for path, entries in mismatches:
            found += [
                self._finding("missing-field", (*path, seat), seat=seat) for seat in seats if seat not in entries
            ]
            found += [self._finding("unknown-field", (*path, key), seat=key) for key in entries if key not in seats]
        strangers = {finding.path for finding in found if finding.code.endswith(".unknown-field")}
        for error in errors:
            path = error["loc"]
            if not any(path[:end] in strangers for end in range(1, len(path) + 1)):
                found.append(finding_of(self.slug, error, self._seat_of(path)))
        return found + (self.cross(report, variant) if self.cross else [])

    @cached_property
    def _validators(self) -> dict[str, Callable[[object], Any]]:
        """What `model_validate` calls, without its way through options that are never used here."""
        return {slug: variant.shape.__pydantic_validator__.validate_python for slug, variant in self.variants.items()}

    @cached_property
    def _keyed_tree(self) -> dict[Any, Any]:
        """The patterns of `keyed` with their common beginnings merged, so that a report is walked once."""
        tree: dict[Any, Any] = {}
        for pattern in self.keyed:
            branch = tree
            for step in pattern:
                branch = branch.setdefault(step, {})
        return tree

    def _seat_of(self, path: Path) -> str | None:
        for pattern in self.keyed:
            if len(path) > len(pattern) and all(
                want == got or (want is None and isinstance(got, int))
                for want, got in zip(pattern, path, strict=False)
            ):
                return str(path[len(pattern)])
        return None


def _errors_of(shape: type[Shape], report: Mapping[str, Any], error: ValidationError) -> list[ErrorDetails]:
    """Return the errors of a report. Pydantic cannot name a key with a lone surrogate, so such keys are respelt."""
    errors = error.errors()
    if not any(each["type"] == "string_unicode" or "\ufffd" in str(each["loc"]) for each in errors):
        return errors
    try:
        shape.model_validate(_respelt(report, depth=6))
    except ValidationError as again:
        errors = [{**each, "loc": tuple(_named(step) for step in each["loc"])} for each in again.errors()]
    return errors


def _respelt(value: Any, depth: int) -> Any:
    if depth and isinstance(value, dict):
        return {key.encode("unicode_escape").decode("ascii"): _respelt(each, depth - 1) for key, each in value.items()}
    if depth and isinstance(value, list):
        return [_respelt(each, depth - 1) for each in value]
    return value


def _named(step: str | int) -> str | int:
    return step.encode("ascii").decode("unicode_escape") if isinstance(step, str) else step


def finding_of(slug: str, error: ErrorDetails, seat: str | None = None) -> Finding:
    """Say an error of a pydantic shape in the codes of a game."""
    kind = error["type"]
    facts: dict[str, object] = dict(error.get("ctx", {}))
    if seat is not None:
        facts["seat"] = seat
    if kind == "missing":
        code = "missing-field"
    elif kind == "extra_forbidden":
        code = "unknown-field"
    elif "-" in kind:  # a PydanticCustomError of the game's own shape: its type is the code
        code = kind
    else:
        code = "bad-value"
        facts["expected"] = _expected(error)
    return Finding(f"{slug}.{code}", error["loc"], facts)


def _labels(seats: object, variant: Variant) -> set[str] | None:
    """Return the labels of the seats if they are as they should be; what is wrong otherwise takes longer to say."""
    if not isinstance(seats, list) or not variant.seats_min <= len(seats) <= variant.seats_max:
        return None
    if not all(isinstance(label, str) and label for label in seats):
        return None
    labels = set(seats)
    return labels if len(labels) == len(seats) else None


def _mismatches(
    tree: dict[Any, Any], value: Any, labels: set[str], path: Path, found: list[tuple[Path, dict[str, Any]]]
) -> None:
    """Collect the objects at the ends of the tree whose keys are not the labels."""
    if isinstance(value, dict):
        for step, below in tree.items():
            if step not in value:
                continue
            inner = value[step]
            if below:
                _mismatches(below, inner, labels, (*path, step), found)
            elif isinstance(inner, dict) and inner.keys() != labels:
                found.append(((*path, step), inner))
    elif isinstance(value, list) and None in tree:
        below = tree[None]
        for index, entry in enumerate(value):
            _mismatches(below, entry, labels, (*path, index), found)


def _expected(error: ErrorDetails) -> Words:
    kind, context = error["type"], error.get("ctx", {})
    if isinstance(expected := context.get("expected"), Words):  # a PydanticCustomError that says it itself
        return expected
    if kind == "greater_than_equal":
        return Words(f"a whole number of at least {context['ge']}", f"un nombre entier d’au moins {context['ge']}")
    if kind == "less_than_equal":
        return Words(f"a whole number of at most {context['le']}", f"un nombre entier d’au plus {context['le']}")
    if kind == "literal_error":
        english = str(context["expected"])
        return Words(english, english.replace(" or ", " ou "))
    return _EXPECTED.get(kind, OTHER)
