"""What a picture shows, and how it is drawn: a card for anything with a name, a podium for a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw

from web.marks import PATTERN, SIZE, mark_of
from web.pictures.letters import ELLIPSIS, Style, bold, fitted, runs, sans, serif, shortened, width_of, wrapped

WIDTH, HEIGHT = 1200, 630  # what sites that show previews ask for
EDITION = 1  # raised when the same content is drawn otherwise
SHARP = 2  # shapes are drawn larger and made smaller, which smooths their edges
PAPER, SHEET, LINE, INK, SOFT, FELT, GOLD = (
    "#f3eee0", "#fffcf3", "#d5cab0", "#21262c", "#5b5546", "#17594a", "#f2b646"
)  # fmt: skip
LEFT, RIGHT, FLOOR = 84, WIDTH - 84, 520
ON_STEPS, IN_LIST = 3, 6
STEPS = {1: 150, 2: 108, 3: 76}  # how high somebody stands


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and what it is."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Card:
    """Anything with a name: what kind of thing it is, some lines about it, and figures; `mark` is a player's id."""

    over: str
    title: str
    lines: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    mark: str = ""
    site: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody's place: `player` is the id, `value` what counted."""

    rank: int
    player: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Podium:
    """A result: three on the steps, some more in a list, and how many there are beyond."""

    over: str
    title: str
    places: tuple[Place, ...]
    more: str = ""
    site: str = ""


def drawn(content: Card | Podium) -> bytes:
    """Return a picture as PNG."""
    canvas = _Canvas()
    _frame(canvas, content.site)
    if isinstance(content, Card):
        _card(canvas, content)
    else:
        _podium(canvas, content)
    return canvas.png()


class _Canvas:
    """Shapes, then text above them."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * SHARP, HEIGHT * SHARP), PAPER)
        self.shapes = ImageDraw.Draw(self.image)
        self.texts: list[tuple[float, float, str, Style, str]] = []

    def box(self, box: tuple[float, float, float, float], fill: str, radius: float = 0, line: str = "") -> None:
        left, top, right, bottom = (round(each * SHARP) for each in box)
        self.shapes.rounded_rectangle(
            (left, top, right - 1, bottom - 1), radius * SHARP, fill, line or None, SHARP if line else 0
        )

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        self.shapes.ellipse([round(each * SHARP) for each in (x - radius, y - radius, x + radius, y + radius)], fill)

    def mark(self, player: str, x: float, y: float, size: float) -> None:
        mark = mark_of(player)
        self.box((x, y, x + size, y + size), mark.colour, size / 5)
        step = size / (SIZE + 2)
        for column, row, width in mark.runs:
            left, top = x + (column + 1) * step, y + (row + 1) * step
            self.box((left, top, left + width * step, top + step), PATTERN)

    def text(self, x: float, y: float, text: str, style: Style, fill: str = INK, align: float = 0) -> None:
        """Write on a line; `align` is 0 where `x` is the left end, 0.5 for its middle, 1 for the right end."""
        self.texts.append((x - align * width_of(text, style), y, text, style, fill))

    def png(self) -> bytes:
        image = self.image.reduce(SHARP)
        draw = ImageDraw.Draw(image)
        for x, y, text, style, fill in self.texts:
            for run in runs(text, style):
                draw.text((x, y), run.text, fill, run.font, anchor="ls")
                x += run.font.getlength(run.text)  # noqa: PLW2901  # the next run begins where this one ends
        written = BytesIO()
        image.save(written, "PNG")
        return written.getvalue()


def _frame(canvas: _Canvas, site: str) -> None:
    canvas.box((36, 36, WIDTH - 36, HEIGHT - 36), SHEET, 28, LINE)
    canvas.box((LEFT, FLOOR + 16, RIGHT, FLOOR + 18), LINE)
    x, y = LEFT, FLOOR + 28
    canvas.box((x, y, x + 34, y + 34), FELT, 8)
    for column, row in ((0, 1), (0, 2), (1, 1), (1, 2), (2, 2), (1, 0)):
        canvas.dot(x + 9 + 8 * column, y + 9 + 8 * row, 3.1, GOLD if row == 0 else SHEET)
    canvas.text(x + 46, y + 26, "Ludoscore", serif(28), FELT)
    canvas.text(RIGHT, y + 25, shortened(site, sans(24), 600), sans(24), SOFT, align=1)


def _card(canvas: _Canvas, card: Card) -> None:
    left = LEFT
    if card.mark:
        canvas.mark(card.mark, LEFT, 150, 176)
        left += 176 + 44
    width = RIGHT - left
    canvas.text(LEFT, 108, shortened(card.over, bold(30), RIGHT - LEFT), bold(30), FELT)
    style = next((serif(size) for size in (84, 72, 60) if width_of(card.title, serif(size)) <= width), serif(60))
    title = wrapped(card.title, style, width, 2)
    y = 150 + style.size * 0.86
    for line in title:
        canvas.text(left, y, line, style)
        y += style.size * 1.1
    y += 8
    for line in card.lines:
        canvas.text(left, y, shortened(line, sans(34), width), sans(34), SOFT)
        y += 50
    each = (RIGHT - LEFT) / max(3, len(card.figures))
    for number, figure in enumerate(card.figures):
        x = LEFT + number * each
        canvas.text(x, FLOOR - 68, figure.value, serif(56), FELT)
        canvas.text(x, FLOOR - 22, shortened(figure.label, sans(28), each - 24), sans(28), SOFT)


def _podium(canvas: _Canvas, podium: Podium) -> None:
    canvas.text(LEFT, 104, shortened(podium.over, bold(26), RIGHT - LEFT), bold(26), FELT)
    title, style = fitted(podium.title, serif(56), RIGHT - LEFT, 40)
    canvas.text(LEFT, 164, title, style)
    rest = podium.places[ON_STEPS : ON_STEPS + IN_LIST]
    right = 724 if rest or podium.more else RIGHT
    _steps(canvas, podium.places[:ON_STEPS], right)
    _list(canvas, rest, podium.more)


def _steps(canvas: _Canvas, places: Sequence[Place], right: float) -> None:
    """Draw the first three, the best in the middle."""
    width = (right - LEFT) / ON_STEPS
    for place, column in zip(places, (1, 0, 2), strict=False):
        left = LEFT + column * width
        middle, top = left + width / 2, FLOOR + 16 - STEPS.get(place.rank, STEPS[3])
        canvas.box((left + 6, top, left + width - 6, FLOOR + 16), FELT)
        canvas.box((left + 6, top, left + width - 6, top + 6), GOLD)
        canvas.text(middle, top + 56, str(place.rank), serif(46), SHEET, align=0.5)
        canvas.text(middle, top - 18, shortened(place.value, sans(24), width - 12), sans(24), SOFT, align=0.5)
        y = top - 52
        lines, style = _name(place.name, width - 16)
        for line in reversed(lines):
            canvas.text(middle, y, line, style, align=0.5)
            y -= style.size + 4
        canvas.mark(place.player, middle - 29, y - 56, 58)


def _name(name: str, width: float) -> tuple[list[str], Style]:
    """Return a name in two lines, or in three smaller ones."""
    lines = wrapped(name, bold(28), width, 2)
    if not any(line.endswith(ELLIPSIS) for line in lines):
        return lines, bold(28)
    return wrapped(name, bold(24), width, 3), bold(24)


def _list(canvas: _Canvas, places: Sequence[Place], more: str) -> None:
    left, y = 752, 222
    for place in places:
        canvas.text(left + 26, y, str(place.rank), serif(28), FELT, align=1)
        canvas.mark(place.player, left + 38, y - 24, 28)
        free = RIGHT - left - 78 - 14 - width_of(place.value, sans(24))
        canvas.text(left + 78, y, shortened(place.name, sans(26), free), sans(26))
        canvas.text(RIGHT, y, place.value, sans(24), SOFT, align=1)
        y += 48
    if more:
        canvas.text(left + 78, y, shortened(more, sans(24), RIGHT - left - 78), sans(24), SOFT)
