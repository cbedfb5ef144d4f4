"""Small line charts as SVG that read well on light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 80, 120, 40, 44
COLOURS = ("#c2410c", "#0e7490", "#6d28d9", "#15803d", "#be185d", "#a16207", "#1d4ed8", "#525252")
STYLE = """text{font:13px system-ui,sans-serif;fill:#44403c}.axis{stroke:#a8a29e;stroke-width:1}
.title{font-weight:600;font-size:15px}path{fill:none;stroke-width:2.2;stroke-linejoin:round}
@media(prefers-color-scheme:dark){text{fill:#d6d3d1}}"""

Points = Sequence[tuple[float, float]]


def curves(title: str, lines: Mapping[str, Points], across: str, up: str) -> str:
    """Return a chart with a named line for each series."""
    xs = [x for points in lines.values() for x, _ in points]
    top = max(y for points in lines.values() for _, y in points)
    low, high = min(xs), max(xs)
    scale_x = (WIDTH - LEFT - RIGHT) / ((high - low) or 1)
    scale_y = (HEIGHT - TOP - BOTTOM) / top

    def place(x: float, y: float) -> str:
        return f"{LEFT + (x - low) * scale_x:.1f} {HEIGHT - BOTTOM - y * scale_y:.1f}"

    middle = f"{HEIGHT / 2:.0f}"
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>',
        f'<path class="axis" d="M{place(low, 0)} L{place(high, 0)}"/>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(across)}</text>',
        f'<text x="12" y="{middle}" transform="rotate(-90 12 {middle})" text-anchor="middle">{escape(up)}</text>',
    ]
    for x in range(math.ceil(low), math.floor(high) + 1, max(1, round((high - low) / 6))):
        across_at = place(x, 0).split()[0]
        parts.append(f'<text x="{across_at}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x}</text>')
    for y in (top / 2, top):
        up_at = place(low, y).split()[1]
        parts.append(f'<path class="axis" stroke-dasharray="2 4" d="M{place(low, y)} L{place(high, y)}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{float(up_at) + 4:.1f}" text-anchor="end">{y:.2g}</text>')
    for index, (name, points) in enumerate(lines.items()):
        colour = COLOURS[index % len(COLOURS)]
        path = " L".join(place(x, y) for x, y in points)
        y = TOP + 12 + 20 * index
        parts.append(f'<path stroke="{colour}" d="M{path}"/>')
        parts.append(f'<path stroke="{colour}" d="M{WIDTH - RIGHT + 10} {y - 4}h18"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 34}" y="{y}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
