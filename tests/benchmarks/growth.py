"""Shows how the time per row changes with the length of the trace, as bars of text and as an SVG file."""

from math import log10

WIDTH, HEIGHT, MARGIN = 640, 560, 60
COLORS = {"floor": "#888888", "sqlite": "#0b6bcb", "parquet": "#1f8a4c"}
LABEL_OFFSETS = {"floor": -8, "sqlite": -8, "parquet": 16}  # pixels from a point to its number, so that no two numbers overlap
NAMES = {"floor": "SQLite reads", "sqlite": "diagnose", "parquet": "diagnose, Parquet"}
BAR_WIDTH = 60  # characters of the longest bar


def bars(growth):
    """One bar of text for each program and trace. `growth` has lists of (rows, seconds) by program."""
    longest_us = max(microseconds(*point) for points in growth.values() for point in points)
    lines = []
    for name, points in growth.items():
        for rows, seconds in points:
            us = microseconds(rows, seconds)
            lines.append(f"{NAMES[name]:>18} {rows:>12,} rows  {us:6.2f}  {'█' * max(1, round(BAR_WIDTH * us / longest_us))}")
    return "\n".join(lines)


def picture(growth):
    """An SVG with a line for each program: rows on the x axis (logarithmic), microseconds a row on the y axis."""
    most_us = 1.1 * max(microseconds(*point) for points in growth.values() for point in points)
    all_rows = [rows for points in growth.values() for rows, _ in points]
    first, last = log10(min(all_rows)), log10(max(all_rows))

    def position(rows, seconds):
        across = (log10(rows) - first) / ((last - first) or 1)
        up = microseconds(rows, seconds) / most_us
        return MARGIN + across * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<path d="M{MARGIN} {MARGIN}V{HEIGHT - MARGIN}H{WIDTH - MARGIN}" fill="none" stroke="black"/>',
        f'<text x="{MARGIN}" y="{MARGIN - 12}">microseconds a row</text>',
    ]
    for rows in sorted(set(all_rows)):
        x, _ = position(rows, 0)
        parts.append(f'<text x="{x:.0f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{rows:,} rows</text>')
    for number, (name, points) in enumerate(growth.items()):
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (position(*point) for point in points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLORS[name]}" stroke-width="2"/>')
        for point in points:
            x, y = position(*point)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLORS[name]}"/>')
            parts.append(
                f'<text x="{x:.1f}" y="{y + LABEL_OFFSETS[name]:.1f}" text-anchor="middle">{microseconds(*point):.2f}</text>'
            )
        parts.append(f'<text x="{WIDTH - MARGIN - 130}" y="{20 + 16 * number}" fill="{COLORS[name]}">{NAMES[name]}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def microseconds(rows, seconds):
    return seconds / rows * 1e6
