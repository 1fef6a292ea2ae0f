"""Draws the live screen and the page Now from simulated sessions: see Packaging/pictures."""
import html
import os
import re
import subprocess
import sys
import tempfile
import time

from browser import chromium, log_in, url, wait_for_stress
from server import Server

COLUMNS, ROWS = 88, 21
CELL, LINE = 8.4, 18
# Geometric characters are drawn, because fonts leave gaps between them or lack them.
BLOCKS = {"█": (0, 0, 1, 1), "▀": (0, 0, 1, 0.5), "▄": (0, 0.5, 1, 1), "▌": (0, 0, 0.5, 1), "▐": (0.5, 0, 1, 1)}
BLOCKS.update({chr(0x2580 + n): (0, 1 - n / 8, 1, 1) for n in range(1, 8)})
# Lines from the centre of the cell to its edges.
EDGES = {"left": (0, 0.46, 0.58, 0.54), "right": (0.42, 0.46, 1, 0.54), "up": (0.42, 0, 0.58, 0.54), "down": (0.42, 0.46, 0.58, 1)}
BOXES = {"─": ("left", "right"), "│": ("up", "down"), "╭": ("right", "down"), "╮": ("left", "down"),
         "╰": ("right", "up"), "╯": ("left", "up")}
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]


def live_screen(program):
    """The screen of `live` in the third minute of a session, with its colours as escape sequences."""
    with tempfile.TemporaryDirectory() as home:
        tmux = ["tmux", "-L", f"pictures-{os.getpid()}"]
        environment = [
            f"HOME={home}", f"XDG_DATA_HOME={home}/data", f"XDG_CONFIG_HOME={home}/config", f"XDG_RUNTIME_DIR={home}",
            "LANG=C.UTF-8", "COLORTERM=truecolor", "TERM=tmux-256color"]
        command = ["live", "--simulate", "--seed", "7", "--speed", "10", "--theme", "dark", "--no-store"]
        subprocess.run(
            [*tmux, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS + 3), "env", *environment, program, *command],
            check=True)
        try:
            for _ in range(600):
                time.sleep(0.1)
                screen = subprocess.run([*tmux, "capture-pane", "-e", "-p"], check=True, capture_output=True, text=True).stdout
                if re.search(r"^2:[3-5][0-9] · ", re.sub(r"\x1b\[[0-9;]*m", "", screen), re.M):
                    return screen.splitlines()[:ROWS + 1]
            raise SystemExit("pictures: the live screen did not show the third minute")
        finally:
            subprocess.run([*tmux, "kill-server"], check=False)


def runs(lines):
    """Parts of lines with equal appearance: row, column, text, and the attributes of SVG. The appearance continues in the next line."""
    colour, bold, dim = None, False, False
    for row, line in enumerate(lines):
        column = 0
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            if not part.startswith("\x1b"):
                attributes = (f' fill="{colour}"' if colour else "") + (' font-weight="bold"' if bold else "")
                yield row, column, part, attributes + (' opacity="0.6"' if dim else "")
                column += len(part)
                continue
            codes = [int(code or 0) for code in part[2:-1].split(";")]
            if codes[:2] == [38, 2]:
                colour = "#%02x%02x%02x" % tuple(codes[2:5])
                continue
            for code in codes:
                colour = None if code in (0, 39) else colour
                bold = code == 1 or (bold and code not in (0, 22))
                dim = code == 2 or (dim and code not in (0, 22))


def parts(character):
    """The rectangles of a geometric character, in fractions of its cell; none for others."""
    if character in BLOCKS:
        return [BLOCKS[character]]
    if character in BOXES:
        return [EDGES[edge] for edge in BOXES[character]]
    bits = ord(character) - 0x2800
    if not 0 < bits < 0x100:
        return []
    return [(x / 2 + 0.1, y / 4 + 0.04, x / 2 + 0.38, y / 4 + 0.2) for bit, (x, y) in enumerate(DOTS) if bits >> bit & 1]


def path(row, column, text):
    for place, character in enumerate(text, column):
        for left, top, right, bottom in parts(character):
            x, y = (place + left) * CELL + 12, (row + top) * LINE + 12
            yield f"M{x:.1f} {y:.1f}h{(right - left) * CELL:.1f}v{(bottom - top) * LINE:.1f}h{(left - right) * CELL:.1f}z"


def svg(lines):
    width, height = COLUMNS * CELL + 24, len(lines) * LINE + 24
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
           'font-family="ui-monospace, DejaVu Sans Mono, Menlo, monospace" font-size="14" fill="#e6e6e6" xml:space="preserve">')
    yield "<title>The live screen of stressmon during a simulated session</title>"
    yield f'<rect width="{width:.0f}" height="{height:.0f}" rx="10" fill="#16181d"/>'
    for row, column, text, attributes in runs(lines):
        shape = "".join(path(row, column, text))
        if shape:
            yield f'<path{attributes} d="{shape}"/>'
        # Words are placed one by one: a font with other advance widths does not move the next ones.
        for word in re.finditer(r"\S+(?: \S+)*", "".join(" " if parts(c) else c for c in text)):
            x, y = (column + word.start()) * CELL + 12, row * LINE + 12 + 0.75 * LINE
            length = len(word[0]) * CELL
            yield f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}"{attributes}>{html.escape(word[0])}</text>'
    yield "</svg>\n"


def now_page(program, folder):
    """The page Now of a live session, light and dark."""
    with Server(program, "--simulate") as server, chromium() as browser:
        for theme in ("light", "dark"):
            context = browser.new_context(
                color_scheme=theme, viewport={"width": 1100, "height": 712}, device_scale_factor=0.8,
                reduced_motion="reduce")
            log_in(context, server)
            page = context.new_page()
            wait_for_stress(server, page)
            page.wait_for_function("document.querySelector('.ring-number')?.textContent.match(/\\d/)", timeout=120_000)
            if theme == "light":
                time.sleep(60)
            page.screenshot(path=f"{folder}/now-{theme}.png")
            context.close()


def main(program, folder):
    with open(f"{folder}/live.svg", "w", encoding="utf-8") as file:
        file.write("\n".join(svg(live_screen(program))))
    now_page(program, folder)
    for name in sorted(os.listdir(folder)):
        size = os.path.getsize(f"{folder}/{name}")
        print(f"{name}: {size / 1000:.0f} kB")
        if size > 150_000:
            raise SystemExit(f"pictures: {name} is larger than 150 kB")


main(*sys.argv[1:])
