"""The accessibility tree of each page as text, compared with the stored one.

    trees.py PROGRAM [--rewrite]

Each line is what a screen reader announces: the role, then the name. The header is stored once, in the page Now. Values that
differ from run to run are replaced by N, TIME, DAY and similar words. --rewrite stores the present trees.
"""
import argparse
import difflib
import os
import re
import sys
import time

from browser import chromium, ended_server, log_in, url, wait_for_stress
from pages import PAGES
from server import Server

# The components of the page design are in the trees of their pages.
TREES = [page for page in PAGES if page[0] != "design"]
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Golden")

NAMES = {"listitem": "item", "img": "picture", "contentinfo": "footer", "term": "term", "definition": "value", "textbox": "field",
         "spinbutton": "number field", "combobox": "choice", "rowgroup": "rows", "columnheader": "column", "rowheader": "row header"}

# On every page, because the session is measured when the test runs.
VOLATILE = [
    (r"\b\d{1,2} [A-Z][a-z]{2} 20\d\d\b", "DATE"), (r"\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b", "DAY"),
    (r"\b\d{4}-\d\d-\d\d\b", "DATE"), (r"\b\d\d:\d\d(:\d\d)?\b", "TIME"),
    (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b", "DAY"), (r"\b[A-Z][a-z]{2} 20\d\d\b", "MONTH"), (r"\b\d+ (s|min|h) ago\b", "N ago"),
    (r"Good (morning|afternoon|evening|night)", "GREETING"), (r"stressmon \d[\d.]*", "stressmon VERSION"),
    (r"/\S+/(\w+\.\w+)\b", "FOLDER/\\1"), (r"\b[\d.,]+ [kKMG]i?B\b", "SIZE")]

# On pages with values of the running session, which is not seeded, or of hours.
LIVE = [
    (r"\d+(\.\d+)?", "N"), (r"\b(Relaxed|Mild|Moderate|High)\b", "CATEGORY"), (r"^(Your buddy) .*", "\\1 MOOD."),
    (r"^Stress N out of N, CATEGORY$", ""),
    (r"^A (relaxed day|day with \w+ stress)", "A day"), (r"^(High|Medium|Low) confidence", "LEVEL confidence"),
    # The session may be measured in two hours.
    (r"^(N:N|TIME) to (N:N|TIME).*$", "TIME to TIME and values"),
    # The ticks of an axis.
    (r"\b(N|DAY)( \1)+\b", "\\1 \\1")]

# The pages with such values.
VARYING = ("now", "widget", "history", "settings")

NODE = re.compile(r"""^(?P<indent>\s*)-\s'?(?P<role>[a-z]+)(?:\s"(?P<name>(?:[^"\\]|\\.)*)")?(?P<state>(?:\s\[[^]]*\])*)'?(?::\s?(?P<text>.*))?$""")


LONGEST_ITEM = 8  # lines

# The weeks of a month and their days depend on the date of the test.
WEEK = re.compile(r"(\d+( ?: \d+ [A-Z]\w+)?\s*)+")

# Their text is part of the name of the row or of the table.
CONTAINED = {"cell", "columnheader", "rowheader", "caption"}


def tree(snapshot, rules):
    lines, contents = [], []
    for line in snapshot.splitlines():
        match = NODE.match(line)
        if not match or match["role"] in CONTAINED or line.endswith("paragraph"):
            continue
        if match["role"] == "listitem":
            contents = []
        name, text = unquote(match["name"]), unquote(match["text"])
        content = ": ".join(part for part in [name, text] if part)
        if match["role"] in ("row", "link") and WEEK.fullmatch(content):
            continue
        for pattern, replacement in rules:
            content = re.sub(pattern, replacement, content)
        # A caption names its figure, and a label its field.
        if match["role"] in ("text", "group") and content in contents[-6:]:
            continue
        contents.append(content)
        lines.append(match["indent"] + role(match) + (f": {content}" if content else ""))
        remove_repetition(lines)
    return lines


def remove_repetition(lines):
    """Rows and items that are equal apart from their values are stored once."""
    for length in range(1, 1 + LONGEST_ITEM):
        if lines[-length:] == lines[-2 * length:-length]:
            del lines[-length:]
            return


def role(match):
    states = ", ".join(re.findall(r"\[([^]]*)\]", match["state"])).replace("level=", "level ")
    return NAMES.get(match["role"], match["role"]) + (f" ({states})" if states else "")


def unquote(text):
    return (text or "").strip("'\"").replace('\\"', '"').strip()


def snapshot(browser, server, path, is_stranger):
    context = browser.new_context()
    try:
        if not is_stranger:
            log_in(context, server)
        page = context.new_page()
        page.goto(url(server, path), wait_until="load")
        # The script has drawn the values that it received.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return page.locator("body").aria_snapshot()
    finally:
        context.close()


def without_header(lines):
    return lines[next(index for index, line in enumerate(lines) if line.startswith("main")):]


def compare(name, lines, rewrite):
    """The differences from the stored tree."""
    path = os.path.join(GOLDEN, name + ".txt")
    if rewrite:
        os.makedirs(GOLDEN, exist_ok=True)
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        return []
    with open(path) as file:
        stored = file.read().splitlines()
    return list(difflib.unified_diff(stored, lines, "stored", "present", n=2, lineterm=""))


def wait_for_measurement(server, seconds=60):
    end = time.monotonic() + seconds
    while not server.json("/api/measurements?limit=1")["measurements"]:
        if time.monotonic() > end:
            sys.exit(f"FAILED no stored measurement within {seconds} s")
        time.sleep(0.5)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rewrite", action="store_true", help="store the present trees")
    options = parser.parse_args()
    failures = 0
    with Server(options.program, "--simulate") as live, Server(options.program) as empty, \
            ended_server(options.program) as ended, chromium() as browser:
        servers = {"live": live, "empty": empty, "ended": ended, "stranger": live}
        context = browser.new_context()
        log_in(context, live)
        wait_for_stress(live, context.new_page())
        wait_for_measurement(live)
        context.close()
        for name, path, kind in TREES:
            rules = VOLATILE + (LIVE if kind == "live" and name.startswith(VARYING) or name.startswith("trends") else [])
            lines = tree(snapshot(browser, servers[kind], path, kind == "stranger"), rules)
            if name != "now" and any(line.startswith("main") for line in lines):
                lines = without_header(lines)
            if difference := compare(name, lines, options.rewrite):
                failures += 1
                print(f"FAILED the accessibility tree of {name} differs:", *difference, sep="\n", flush=True)
    if failures:
        print("Read the differences; if they are intended: Tests/Web/run PROGRAM --rewrite-trees")
    print(f"web: {len(TREES)} accessibility trees, {failures} different")
    sys.exit(1 if failures else 0)


main()
