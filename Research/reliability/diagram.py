"""The reliability diagram as SVG, readable on a light and on a dark background."""

from html import escape

import numpy as np

from measures import bins

TENTHS = tuple((place / 10, (place + 1) / 10) for place in range(10))
LEFT, TOP, SIZE, WIDTH, HEIGHT = 64, 56, 400, 500, 520
STYLE = """
  .background { fill: #ffffff }
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .count { font-size: 10px; fill: #57606a }
  .grid { stroke: #d0d7de } .axis { stroke: #24292f } .diagonal { stroke: #57606a; stroke-dasharray: 5 4 }
  .a { fill: #0969da; stroke: #0969da } .b { fill: none; stroke: #bc4c00; stroke-width: 2 }
  line, path { fill: none }
  @media (prefers-color-scheme: dark) {
    .background { fill: #0d1117 }
    text { fill: #e6edf3 } .count { fill: #9da7b3 }
    .grid { stroke: #30363d } .axis { stroke: #e6edf3 } .diagonal { stroke: #9da7b3 }
    .a { fill: #58a6ff; stroke: #58a6ff } .b { stroke: #f0883e }
  }
"""


def x(value):
    return LEFT + SIZE * value


def y(value):
    return TOP + SIZE * (1 - value)


def line(kind, x1, y1, x2, y2):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def text(content, at, baseline, kind="", anchor="middle", more=""):
    start = f'<text class="{kind}" x="{at:.1f}" y="{baseline:.1f}" text-anchor="{anchor}"{more}>'
    return f"{start}{escape(content)}</text>"


def axes():
    yield text("Reliability of confidence", LEFT + SIZE / 2, 22, "title")
    for tick in np.arange(0, 1.01, 0.2):
        yield line("grid", x(tick), y(0), x(tick), y(1))
        yield line("grid", x(0), y(tick), x(1), y(tick))
        yield text(f"{tick:.1f}", x(tick), y(0) + 18)
        yield text(f"{tick:.1f}", x(0) - 8, y(tick) + 4, anchor="end")
    yield line("axis", x(0), y(0), x(1), y(0))
    yield line("axis", x(0), y(0), x(0), y(1))
    yield line("diagonal", x(0), y(0), x(1), y(1))
    yield text("mean confidence (calibrated factors)", LEFT + SIZE / 2, y(0) + 42)
    turned = f' transform="rotate(-90 20 {TOP + SIZE / 2})"'
    yield text("fraction of windows within 10 points", 20, TOP + SIZE / 2, more=turned)


def filled(one):
    title = f"<title>{one.count} windows: mean {one.stated:.2f}, observed {one.observed:.2f}</title>"
    yield f'<circle class="a" cx="{x(one.stated):.1f}" cy="{y(one.observed):.1f}" r="4.5">{title}</circle>'
    yield text(f"{one.count:,}", x(one.stated) + 8, y(one.observed) + 14, "count", "start" if one.high < 1 else "end")


def hollow(one):
    return f'<circle class="b" cx="{x(one.stated):.1f}" cy="{y(one.observed):.1f}" r="7.5"/>'


def legend(has_left_out):
    yield f'<circle class="a" cx="{LEFT + 10}" cy="40" r="4.5"/>'
    yield text("program, with number of windows", LEFT + 20, 44, anchor="start")
    if has_left_out:
        yield f'<circle class="b" cx="{LEFT + 250}" cy="40" r="7.5"/>'
        yield text("recording left out", LEFT + 264, 44, anchor="start")


def svg(table, stated, left_out=None):
    """Windows in tenths of the stated confidence, at equal weights."""
    weight = np.ones(len(table))
    background = f'<rect class="background" width="{WIDTH}" height="{HEIGHT}"/>'
    parts = [background, *axes(), *legend(left_out is not None)]
    if left_out is not None:
        parts += [hollow(one) for one in bins(table, left_out, weight, TENTHS)]
    for one in bins(table, stated, weight, TENTHS):
        parts += filled(one)
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="Reliability of confidence">'
    return "\n".join([head, f"<style>{STYLE}</style>", *parts, "</svg>", ""])
