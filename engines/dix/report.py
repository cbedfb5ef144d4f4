"""The report of a finished game: its shape, and everything that can be wrong with it.

Layers may differ from player to player: runs alone, the money and the number of cards, the cards themselves, and
which card fills what. How points are counted and seats are ranked is said in `engines.dix.scoring`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, PlainValidator, ValidatorFunctionWrapHandler, WithJsonSchema, WrapValidator
from pydantic_core import PydanticCustomError

from engines.base import Finding, Shape, Standing, Variant
from engines.checking import TEXT, Checker
from engines.dix.arranging import Runs, Stock, better, can_fill, gaps, stock
from engines.dix.pieces import (
    ALIX,
    BOX,
    COLOURS,
    DECK_SIZE,
    DIFFICULTIES,
    FITTING,
    HELD,
    MOST_COINS,
    NUMBERS,
    RUN_OF,
    SPECIAL,
    TOKEN_WORTH,
    TOKENS_IN_BOX,
    Card,
    Run,
)
from engines.dix.scoring import leaders, points, rank, rank_solo, richest
from engines.dix.words import COLOUR_WORDS, FILL_ALONE, RUN_ALONE, VARIANT_WORDS, name_runs

SLUG = "dix"
RUN_PATTERN = "[1-9](-[1-9])?"
CARD_PATTERN = r"([bgop][1-9#]|[1-9]\*|\*#)"
KNOWN = frozenset(HELD)


def _shown(text: str) -> str:
    """Shorten a text for a message, and make it one that can be encoded: JSON may contain lone surrogates."""
    return text[:40].encode(errors="replace").decode()


def _read_run(value: Any) -> Run | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise PydanticCustomError("bad-value", "not a run", {"expected": TEXT})
    if value in RUN_OF:
        return RUN_OF[value]
    is_backwards = f"{value[-1:]}-{value[:1]}" in RUN_OF and len(value) == 3 and value[1] == "-"
    raise PydanticCustomError("run-order" if is_backwards else "run-notation", "not a run", {"run": _shown(value)})


def _read_card(token: str) -> Card:
    if token in KNOWN:
        return token
    raise PydanticCustomError("card-notation", "not a card", {"card": _shown(token)})


def _cut(value: Any, each: ValidatorFunctionWrapHandler) -> tuple[Card, ...]:
    if not isinstance(value, str):
        raise PydanticCustomError("bad-value", "not a text", {"expected": TEXT})
    tokens = tuple(value.split(" ")) if value else ()
    return tokens if KNOWN.issuperset(tokens) else each(tokens)  # `each` names every token that is no card


RunText: TypeAlias = Annotated[
    Run | None,
    PlainValidator(_read_run),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": f"^{RUN_PATTERN}$"}, {"type": "null"}]}),
]
Cards: TypeAlias = Annotated[
    tuple[Annotated[Card, PlainValidator(_read_card)], ...],
    WrapValidator(_cut),
    WithJsonSchema({"type": "string", "pattern": f"^({CARD_PATTERN}( {CARD_PATTERN})*)?$"}),
]
Count: TypeAlias = Annotated[int, Field(ge=0)]


class RunsShape(Shape):
    """A run per colour; null or nothing where there is none."""

    blue: RunText = Field(None, title="Blue", description="First and last number (1-6), or one number, or null")
    green: RunText = Field(None, title="Green", description="As blue")
    orange: RunText = Field(None, title="Orange", description="As blue")
    pink: RunText = Field(None, title="Pink", description="As blue")

    @property
    def by_colour(self) -> tuple[Run | None, ...]:
        """The runs in the order of `COLOURS`."""
        return self.blue, self.green, self.orange, self.pink


class FillsShape(Shape):
    """For every claimed run its cards, from the first number to the last."""

    blue: Cards = Field(default_factory=tuple, title="Blue", description="Cards such as b1 b2 3* b4")
    green: Cards = Field(default_factory=tuple, title="Green", description="As blue")
    orange: Cards = Field(default_factory=tuple, title="Orange", description="As blue")
    pink: Cards = Field(default_factory=tuple, title="Pink", description="As blue")

    @property
    def by_colour(self) -> tuple[tuple[Card, ...] | None, ...]:
        """The fills in the order of `COLOURS`, None where none is given."""
        given = self.model_fields_set
        every = (self.blue, self.green, self.orange, self.pink)
        return tuple([cards if colour in given else None for colour, cards in zip(COLOURS, every, strict=True)])


class HandShape(Shape):
    """What one player has at the end. What was left out is told by `model_fields_set`: null is no way to say it."""

    runs: RunsShape = Field(title="Runs", description="The run scored in each colour")
    coins: Count = Field(
        default_factory=int,
        title="Coins",
        description="Coins left after the last purchases, at most 10; needed for a shared first place",
    )
    consolation: Count = Field(
        default_factory=int,
        title="Consolation tokens",
        description="Number of tokens, not their worth; needed for a shared first place",
    )
    card_count: Count = Field(
        default_factory=int,
        title="Cards held",
        description="Number cards and jokers, used in runs or not; needed for a first place shared with equal money",
    )
    points: Count = Field(default_factory=int, title="Points", description="The player's own addition")
    cards: Cards = Field(
        default_factory=tuple,
        title="Cards",
        description="Every card held, in any order: b7 a blue 7; 7*, b# and *# the three kinds of joker",
    )
    fills: FillsShape = Field(default_factory=FillsShape, title="Fills", description="Which cards fill the runs")

    @property
    def money(self) -> int:
        """What breaks a tie: coins and three for each consolation token."""
        return self.coins + TOKEN_WORTH * self.consolation

    @property
    def cards_held(self) -> int | None:
        """The number of cards as it was counted, or else as they were listed; None if neither was done."""
        if "card_count" in self.model_fields_set:
            return self.card_count
        return len(self.cards) if "cards" in self.model_fields_set else None


class _Report(Shape):
    game: Literal["dix"] = Field(title="Game")
    seats: list[str] = Field(title="Seats", description="Labels of the players, clockwise")
    hands: dict[str, HandShape] = Field(title="Hands", description="The hand of each seat")


class TableReport(_Report):
    """The report of two to five players."""

    variant: Literal["standard", "bust-buy"] = Field(title="Variant")


class SoloReport(_Report):
    """The report of a player against ALIX, who has the second seat."""

    variant: Literal["solo"] = Field(title="Variant")
    difficulty: int = Field(title="Difficulty", description="4 to 10", json_schema_extra={"minimum": 4, "maximum": 10})


Report: TypeAlias = TableReport | SoloReport

VARIANTS = (
    Variant("standard", VARIANT_WORDS["standard"], 2, 5, TableReport),
    Variant("bust-buy", VARIANT_WORDS["bust-buy"], 2, 5, TableReport),
    Variant("solo", VARIANT_WORDS["solo"], 2, 2, SoloReport, partners=(ALIX,)),
)


def _fills_without_cards(report: Mapping[str, Any], _: Variant) -> list[Finding]:
    return [
        _of(seat, "fills-without-cards", "fills")
        for seat, hand in report["hands"].items()
        if isinstance(hand, dict) and "fills" in hand and "cards" not in hand and seat in report["seats"]
    ]


def _of(seat: str, code: str, *path: str | int, **facts: object) -> Finding:
    return Finding(f"{SLUG}.{code}", ("hands", seat, *path), {"seat": seat, **facts})


def _rules(report: Report) -> tuple[list[Finding], list[Finding]]:
    errors: list[Finding] = []
    warnings: list[Finding] = []
    copies: Counter[Card] = Counter()
    if isinstance(report, SoloReport):
        errors += _solo(report)
    for seat in report.seats:
        hand = report.hands[seat]
        runs = hand.runs.by_colour
        errors += _claim(seat, hand, runs)
        if "cards" in hand.model_fields_set:
            held = Counter(hand.cards)
            copies.update(held)
            is_alix = seat == ALIX and isinstance(report, SoloReport)
            unfilled, improvable = _filling(seat, runs, stock(held), is_alix=is_alix)
            errors += unfilled
            warnings += improvable
            if "fills" in hand.model_fields_set:
                errors += _fills(seat, hand, runs, held)
    _sums(report, errors, warnings)
    _copies(copies, errors, warnings)
    if isinstance(report, TableReport):
        errors += _tiebreak(report)
    return errors, warnings


def _solo(report: SoloReport) -> Iterator[Finding]:
    if report.seats[1] != ALIX:
        yield Finding(f"{SLUG}.alix-seat", ("seats", 1), {"label": report.seats[1]})
    if report.difficulty not in DIFFICULTIES:
        facts = {"difficulty": report.difficulty, "low": DIFFICULTIES[0], "high": DIFFICULTIES[-1]}
        yield Finding(f"{SLUG}.difficulty", ("difficulty",), facts)


def _claim(seat: str, hand: HandShape, runs: Runs) -> Iterator[Finding]:
    """Find what is wrong with a hand without looking at single cards; what needs an absent field is not checked."""
    given = hand.model_fields_set
    if "coins" in given and hand.coins > MOST_COINS:
        yield _of(seat, "coins-over-limit", "coins", coins=hand.coins, most=MOST_COINS)
    if "points" in given and hand.points != (score := points(runs)):
        yield _of(seat, "points-mismatch", "points", points=hand.points, score=score)
    if "card_count" not in given:
        return
    places = sum([run.size for run in runs if run])
    if places > hand.card_count:
        yield _of(seat, "runs-exceed-cards", "runs", places=places, count=hand.card_count)
    if "cards" in given and len(hand.cards) != hand.card_count:
        yield _of(seat, "card-count", "card_count", count=hand.card_count, listed=len(hand.cards))


def _filling(seat: str, runs: Runs, hand: Stock, *, is_alix: bool) -> tuple[list[Finding], list[Finding]]:
    """Find whether the cards fill the runs (errors), and whether they could do better (a warning)."""
    lacking = gaps(hand, runs)
    unfilled = [finding for colour, gap in enumerate(lacking) if gap and (finding := _gap(seat, hand, colour, gap))]
    if unfilled:
        return unfilled, []
    if not can_fill(hand, runs):
        return [_of(seat, "jokers-overused", "runs", places=sum([gap.bit_count() for gap in lacking]))], []
    score = points(runs)
    arrangement = better(hand, score)
    if arrangement is None:
        return [], []
    facts = {"score": score, "best": arrangement.points, "better": name_runs(arrangement.runs)}
    return [], [_of(seat, "alix-underclaimed" if is_alix else "below-optimum", "runs", **facts)]


def _gap(seat: str, hand: Stock, colour: int, gap: int) -> Finding | None:
    """Find whether all jokers of the hand together do not fill the gaps of one run."""
    fitting = hand.coloured[colour] + (gap & hand.numbered).bit_count() + hand.special
    if gap.bit_count() <= fitting:
        return None
    numbers = [number for number in NUMBERS if gap >> number - 1 & 1]
    return _of(seat, "run-gap", "runs", COLOURS[colour], numbers=numbers, jokers=fitting)


def _fills(seat: str, hand: HandShape, runs: Runs, held: Counter[Card]) -> Iterator[Finding]:
    fills = hand.fills.by_colour
    for colour, (run, fill) in enumerate(zip(runs, fills, strict=True)):
        name = COLOURS[colour]
        if (run is None) != (fill is None):
            yield _of(seat, "fill-colours", "fills", name, state=FILL_ALONE if run is None else RUN_ALONE)
        elif run and fill is not None:
            if len(fill) != run.size:
                yield _of(seat, "fill-length", "fills", name, count=len(fill), size=run.size, run=str(run))
                continue
            for index, (card, fitting) in enumerate(zip(fill, FITTING[colour][run.first - 1 :], strict=False)):
                if card not in fitting:
                    facts = {"card": card, "colour": COLOUR_WORDS[name], "number": run.first + index}
                    yield _of(seat, "fill-misfit", "fills", name, index, **facts)
    used = Counter([card for fill in fills if fill for card in fill])
    if over := next((card for card in used if used[card] > held[card]), None):
        yield _of(seat, "fill-not-held", "fills", card=over, used=used[over], held=held[over])


def _sums(report: Report, errors: list[Finding], warnings: list[Finding]) -> None:
    """Find what all hands together have too much of; what was not given counts nothing."""
    hands = report.hands.values()
    size = DECK_SIZE[len(hands)]
    cards = sum([hand.cards_held or 0 for hand in hands])
    if cards > size:
        errors.append(Finding(f"{SLUG}.cards-over-deck", ("hands",), {"count": cards, "deck": size}))
    tokens = sum([hand.consolation for hand in hands])
    if tokens > size // 2:  # a bust takes two cards at least
        facts = {"tokens": tokens, "most": size // 2, "deck": size}
        errors.append(Finding(f"{SLUG}.consolation-impossible", ("hands",), facts))
    elif tokens > TOKENS_IN_BOX:
        facts = {"tokens": tokens, "box": TOKENS_IN_BOX}
        warnings.append(Finding(f"{SLUG}.consolation-over-box", ("hands",), facts))


def _copies(copies: Counter[Card], errors: list[Finding], warnings: list[Finding]) -> None:
    special = copies.pop(SPECIAL, 0)
    if special > BOX[SPECIAL]:
        errors.append(Finding(f"{SLUG}.special-joker-copies", ("hands",), {"count": special}))
    if over := next((card for card in copies if copies[card] > BOX[card]), None):
        facts = {"card": over, "count": copies[over], "box": BOX[over]}
        warnings.append(Finding(f"{SLUG}.copies-over-box", ("hands",), facts))


def _tiebreak(report: TableReport) -> list[Finding]:
    """Find what is missing to decide a shared first place: the money first, then the number of cards."""
    hands = [report.hands[seat] for seat in report.seats]
    scores = _scores(report)
    absent = [
        _of(report.seats[place], "tiebreak-missing", name)
        for place in leaders(scores)
        for name in ("coins", "consolation")
        if name not in hands[place].model_fields_set
    ]
    if absent:  # who has the most money is not known yet
        return absent
    return [
        _of(report.seats[place], "tiebreak-missing", "card_count")
        for place in richest(scores, [hand.money for hand in hands])
        if hands[place].cards_held is None
    ]


def _scores(report: Report) -> list[int]:
    return [points(report.hands[seat].runs.by_colour) for seat in report.seats]


def _rank(report: Report) -> tuple[Standing, ...]:
    scores = _scores(report)
    if isinstance(report, SoloReport):
        return rank_solo(report.seats, scores)
    hands = [report.hands[seat] for seat in report.seats]
    return rank(report.seats, scores, [hand.money for hand in hands], [hand.cards_held or 0 for hand in hands])


check: Checker[Any] = Checker(
    slug=SLUG,
    variants={variant.slug: variant for variant in VARIANTS},
    containers={"hands": dict},
    keyed=(("hands",),),
    rules=_rules,
    rank=_rank,
    cross=_fills_without_cards,
)


def minimal(report: Mapping[str, Any]) -> dict[str, Any]:
    """Strip a valid report of its evidence; a run is written one way, and a colour without one is left out."""
    return {
        **{name: report[name] for name in ("game", "variant", "seats", "difficulty") if name in report},
        "hands": {seat: {"runs": _minimal_runs(hand["runs"])} for seat, hand in report["hands"].items()},
    }


def _minimal_runs(runs: Mapping[str, str | None]) -> dict[str, str]:
    return {colour: str(RUN_OF[text]) for colour in COLOURS if (text := runs.get(colour))}
