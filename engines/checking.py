"""The three stages of judging a report: frame, shape, rules.

The frame is the same in every game, the shape is declared by the game's pydantic models, and the rules
are the game's own functions. A stage runs only if the stages before it found nothing. What is far larger than any
sheet is refused before the first of them, and a verdict has a bounded length.
"""

from __future__ import annotations

import json
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

MOST_FINDINGS = 50
"""How many errors, and how many warnings, a verdict has at the most; the last one says that there are more."""
MOST_LETTERS = 20_000
"""Of all errors, or all warnings, as JSON: their paths and what their words quote of the sheet. All of it, said in
words once more, is within 64 kB."""
# Far beyond any finished game: in simulated ones no list has more than 12 entries, no object more than 8 and no text
# more than 80 letters. The longest that can be meant is one hand with the whole deck of DIX, 129 cards.
MOST_ENTRIES = 200
MOST_KEYS = 64
LONGEST_TEXT = 400
DEEPEST = 8  # levels below which nothing is looked at; the deepest sheet has four

SMALL_LIST = Words(f"a list of at most {MOST_ENTRIES} entries", f"une liste d’au plus {MOST_ENTRIES} éléments")
SMALL_OBJECT = Words(
    f"an object of at most {MOST_KEYS} entries with short names",
    f"un objet d’au plus {MOST_KEYS} entrées aux noms courts",
)
SHORT_TEXT = Words(f"a text of at most {LONGEST_TEXT} letters", f"un texte d’au plus {LONGEST_TEXT} lettres")

_EXPECTED = {
    "list_type": LIST,
    "dict_type": OBJECT,
    "model_type": OBJECT,
    "string_type": TEXT,
    "string_unicode": TEXT,
    "int_type": INTEGER,
    "bool_type": Words("true or false", "vrai ou faux"),
    "too_short": FILLED,
}
_BOUNDED = {
    "greater_than_equal": Words("a whole number of at least {}", "un nombre entier d’au moins {}"),
    "less_than_equal": Words("a whole number of at most {}", "un nombre entier d’au plus {}"),
    "too_long": Words("a list of at most {} entries", "une liste d’au plus {} éléments"),
}


@dataclass(frozen=True)
class Checker(Generic[S]):
    """Judge reports of one game.

    `containers` names the top-level fields whose type belongs to the frame, `filled` those among them that must
    not be empty, `keyed` every object that has exactly the seats as keys, `partial` those among them that may
    lack seats. `cross` finds what the models cannot say about the shape of a report, on the raw report (any part
    may be malformed: look before you touch).
    `rules` returns errors and warnings of a well-formed report, `rank` its standings if there are no errors.
    `codes` is what codes begin with, where that is not the slug.
    """

    slug: str
    variants: Mapping[str, Variant]
    containers: Mapping[str, type]
    keyed: tuple[Pattern, ...]
    rules: Callable[[S], tuple[list[Finding], list[Finding]]]
    rank: Callable[[S], tuple[Standing, ...]]
    filled: tuple[str, ...] = ()
    partial: tuple[Pattern, ...] = ()
    cross: Callable[[Mapping[str, Any], Variant], list[Finding]] | None = None
    codes: str = ""

    def __call__(self, report: object) -> Verdict:
        """Return the verdict on any JSON value; never raises."""
        if not isinstance(report, dict):
            return Verdict(errors=(self._finding("not-an-object", ()),))
        codes = self.codes or self.slug
        parsed = oversized(codes, report) or self.parse(report)
        if isinstance(parsed, list):
            return Verdict(errors=shortened(codes, parsed))
        errors, warnings = self.rules(parsed)
        ranked = None if errors else self.rank(parsed)
        return Verdict(shortened(codes, errors), shortened(codes, warnings), ranked)

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
        return Finding(f"{self.codes or self.slug}.{code}", path, facts)

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
            if not any(_matches(pattern, path) for pattern in self.partial):
                found += [
                    self._finding("missing-field", (*path, seat), seat=seat) for seat in seats if seat not in entries
                ]
            found += [self._finding("unknown-field", (*path, key), seat=key) for key in entries if key not in seats]
        strangers = {finding.path for finding in found if finding.code.endswith(".unknown-field")}
        for error in errors:
            path = error["loc"]
            if not any(path[:end] in strangers for end in range(1, len(path) + 1)):
                found.append(finding_of(self.codes or self.slug, error, self._seat_of(path)))
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
            if len(path) > len(pattern) and _matches(pattern, path):
                return str(path[len(pattern)])
        return None


def shortened(slug: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings of a verdict; of more than a reader can use, the first ones and one that says so.

    The first of each code is always among them: one slip found in a hundred places must not hide another.
    """
    sizes = [_letters(finding) for finding in findings[:MOST_FINDINGS]]
    if len(findings) <= MOST_FINDINGS and sum(sizes) <= MOST_LETTERS:
        return tuple(findings)
    codes = [finding.code for finding in findings]
    firsts = {codes.index(code) for code in set(codes)}
    kept: list[int] = []
    letters = 0
    for index in sorted(range(len(findings)), key=lambda index: (index not in firsts, index))[: MOST_FINDINGS - 1]:
        letters += _letters(findings[index])
        if kept and letters > MOST_LETTERS:
            break
        kept.append(index)
    more = Finding(f"{slug}.too-many-findings", (), {"shown": len(kept)})
    return (*(findings[index] for index in sorted(kept)), more)


def _letters(finding: Finding) -> int:
    """Return how long a finding is by what came with the sheet; words of ours are short."""
    quoted = [fact for fact in finding.facts.values() if not isinstance(fact, Words)]
    return len(json.dumps([finding.path, quoted], default=str))


def oversized(slug: str, value: object) -> list[Finding]:
    """Find lists, objects and texts larger than any sheet has, so that nobody judges what is in them."""
    if _fits(value):
        return []
    found: list[Finding] = []
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting and len(found) <= MOST_FINDINGS:
        path, each = waiting.pop()
        expected = _smaller(each) or (OTHER if len(path) >= DEEPEST else None)
        if expected is not None:
            found.append(Finding(f"{slug}.bad-value", path, {"expected": expected}))
        elif isinstance(each, dict):
            waiting += [((*path, key), inner) for key, inner in each.items() if isinstance(inner, _SIZED)]
        elif isinstance(each, list):
            waiting += [((*path, index), inner) for index, inner in enumerate(each) if isinstance(inner, _SIZED)]
    return found


_SIZED = (dict, list, str)


def _fits(value: object) -> bool:
    """Say whether nothing is too large. Most reports pass, in a third of the time that it takes to note the paths."""
    waiting = [value]
    for each in waiting:  # which grows meanwhile
        if isinstance(each, str):
            if len(each) > LONGEST_TEXT:
                return False
        elif isinstance(each, dict):
            if len(each) > MOST_KEYS:
                return False
            waiting += each
            waiting += each.values()
        elif isinstance(each, list):
            if len(each) > MOST_ENTRIES:
                return False
            waiting += each
    return True


def _smaller(value: object) -> Words | None:
    """Return what a value that is too large should be."""
    if isinstance(value, str):
        return SHORT_TEXT if len(value) > LONGEST_TEXT else None
    if isinstance(value, list):
        return SMALL_LIST if len(value) > MOST_ENTRIES else None
    if isinstance(value, dict) and (len(value) > MOST_KEYS or max(map(len, value), default=0) > LONGEST_TEXT):
        return SMALL_OBJECT
    return None


def _matches(pattern: Pattern, path: Path) -> bool:
    """Say whether a path begins like a pattern."""
    return all(
        want == got or (want is None and isinstance(got, int)) for want, got in zip(pattern, path, strict=False)
    )


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
            if below:
                _mismatches(below, entry, labels, (*path, index), found)
            elif isinstance(entry, dict) and entry.keys() != labels:
                found.append(((*path, index), entry))


def _expected(error: ErrorDetails) -> Words:
    kind, context = error["type"], error.get("ctx", {})
    if isinstance(expected := context.get("expected"), Words):  # a PydanticCustomError that says it itself
        return expected
    if kind in _BOUNDED:
        limit = next(context[name] for name in ("ge", "le", "max_length") if name in context)
        english, french = _BOUNDED[kind]
        return Words(english.format(limit), french.format(limit))
    if kind == "literal_error":
        english = str(context["expected"])
        return Words(english, english.replace(" or ", " ou "))
    return _EXPECTED.get(kind, OTHER)
