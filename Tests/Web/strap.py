"""A strap of a fake bluetoothd: the pages that find, pair and diagnose it, and the points of the live charts.

    strap.py PROGRAM [--minutes N]

The points that the page Now draws are compared with the output of `live --json`, also after the tab was suspended and after
kill -9 of the session and of the server. The fake bluetoothd is the program `fake-bluez` beside PROGRAM.
"""
import argparse
import contextlib
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from browser import chromium, log_in, url
from server import Server

# Records the events, and the charts after each update.
RECORDER = """(() => {
  window.recorded = []; window.drawings = [];
  const Original = EventSource;
  window.EventSource = class extends Original {
    constructor(...parts) { super(...parts); this.addEventListener('message', event =>
      recorded.push([event.lastEventId, event.data])); }
  };
  const path = name => document.querySelector(`#chart-${name} .chart-line`)?.getAttribute('d') ?? '';
  document.addEventListener('DOMContentLoaded', () => new MutationObserver(() => drawings.push({
    id: live.dataset.shown, beats: path('beats'), scores: path('trend'),
    marks: [...document.querySelectorAll('#chart-beats .marks use')].map(mark =>
      mark.getAttribute('href').slice(6) + ' ' + mark.parentNode.getAttribute('transform').match(/translate\\(([^)]*)\\)/)[1])}))
    .observe(document.getElementById('live'), {attributes: true, attributeFilter: ['data-shown']}));
})()"""


def expect(condition, text):
    if not condition:
        print(f"FAILED strap: {text}")
        sys.exit(1)


@contextlib.contextmanager
def fake_bluetoothd(program, folder):
    """Yields the address of its bus. The intervals average 1 s, with an ectopic beat from time to time."""
    generator, intervals = random.Random(1), []
    while len(intervals) < 600:
        intervals.append(1000 + generator.gauss(0, 25))
        if generator.random() < 0.02:
            intervals += [640, 1360]
    path = os.path.join(folder, "rr.txt")
    with open(path, "w") as file:
        file.writelines(f"{interval:.0f}\n" for interval in intervals)
    process = subprocess.Popen([os.path.join(os.path.dirname(program), "fake-bluez"), "--rr-file", path,
                                "--battery", "12"], stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip().partition("=")[2]
    finally:
        process.terminate()
        process.wait(30)


def pair(server, page):
    page.goto(url(server, "/settings/straps"))
    page.get_by_role("button", name="Search for 8 seconds").click()
    page.get_by_role("button", name="Pair Polar H10 TEST").click()
    page.get_by_text("The strap is paired.").wait_for()
    page.get_by_role("link", name="Run the doctor").click()
    page.get_by_role("button", name="Run the check").click()
    page.get_by_text("Polar H10 TEST").first.wait_for(timeout=60_000)
    print("strap: found, paired and diagnosed")


def unpair(server, page):
    page.goto(url(server, "/settings/straps"))
    page.get_by_role("button", name="Unpair Polar H10 TEST").click()
    page.get_by_text("No strap was used yet.").wait_for()


class Session:
    """`stressmon live --json` with the strap, and its lines."""

    def __init__(self, server):
        self.path = os.path.join(server.home, f"{time.monotonic_ns()}.jsonl")
        self.output = open(self.path, "wb")
        self.process = subprocess.Popen([server.program, "live", "--json"], env=server.environment, stdout=self.output,
                                        stderr=subprocess.DEVNULL)

    def lines(self):
        with open(self.path) as file:
            return [line for line in file.read().split("\n")[:-1]]

    def stop(self, number):
        self.process.send_signal(number)
        self.process.wait(60)
        self.output.close()


class Charts:
    """The points of the live charts, computed from the lines of one session."""

    def __init__(self):
        self.beats, self.scores, self.has_gap = [], [], False

    def receive(self, line):
        if line["type"] == "gap":
            self.has_gap = True
        elif line["type"] == "notification":
            later = sum(line["rr_ms"])
            for rr in line["rr_ms"]:
                later -= rr
                self.beats.append({"time": line["monotonic_s"] - later / 1000, "value": rr, "gap": self.has_gap})
                self.has_gap = False
            for points in (self.beats, self.scores):
                while points and points[0]["time"] < line["monotonic_s"] - 300:
                    points.pop(0)
        elif line["type"] == "measurement":
            beat = next((beat for beat in self.beats if "verdict" not in beat), None)
            if beat:
                beat["verdict"] = line["verdict"]
            if line["stress"] is not None:
                self.scores.append({"time": line["monotonic_s"], "value": line["stress"], "gap": False})

    def drawing(self):
        """As the page draws it: paths of both charts, and the marks of beats that are not normal."""
        shown = [beat for beat in self.beats if beat["time"] > self.beats[-1]["time"] - 120]
        values = [beat["value"] for beat in shown] or [0]
        low, high = math.floor((min(values) - 20) / 100) * 100, math.ceil((max(values) + 20) / 100) * 100
        marks = [f"{beat['verdict']} {place(beat, shown[-1], 120, low, high)}" for beat in shown
                 if beat.get("verdict", "normal") != "normal"]
        return path(shown, 120, low, high), path(self.scores, 300, 0, 100), marks


def path(points, seconds, low, high):
    return "".join(("M" if point["gap"] or not index else "L") + place(point, points[-1], seconds, low, high)
                   for index, point in enumerate(points))


def place(point, last, seconds, low, high):
    x = 600 - (last["time"] - point["time"]) / seconds * 600
    y = 160 - (point["value"] - low) / (high - low) * 160
    return f"{fixed(x)} {fixed(y)}"


def fixed(value):
    """One decimal, half up, of the binary number multiplied as the page does it."""
    return f"{math.floor(value * 10 + 0.5) / 10:.1f}"


def same(drawn, expected):
    """Whether two paths are equal. Halves of a tenth are rounded up or down, depending on the order of the multiplications."""
    number = r"-?\d+(?:\.\d+)?"
    if re.sub(number, "", drawn) != re.sub(number, "", expected):
        return False
    pairs = zip(re.findall(number, drawn), re.findall(number, expected))
    return all(abs(float(a) - float(b)) < 0.15 for a, b in pairs)


def difference(drawn, expected):
    """The surroundings of the first difference of two paths."""
    start = max(0, next((at for at, pair in enumerate(zip(drawn, expected)) if pair[0] != pair[1]), 0) - 30)
    return f"drawn {drawn[start:start + 60]!r} of {len(drawn)}, expected {expected[start:start + 60]!r} of {len(expected)}"


def received_lines(page, session):
    """Each line since the page was opened was received once. Returns the lines of the session, and for each of them that the page
    received its identifier."""
    recorded, lines = page.evaluate("recorded"), session.lines()
    name = json.loads(lines[0])["session"]
    received = [(identifier, line) for identifier, line in recorded if json.loads(line)["session"] == name]
    expect(received, "no line of the session was received")
    numbers = [int(identifier.split(":")[-1]) for identifier, _ in received]
    expect(numbers == list(range(numbers[0], numbers[0] + len(numbers))), f"lines are missing or repeated: {numbers}")
    first = lines.index(received[0][1])
    expect([line for _, line in received] == lines[first:first + len(received)], "the lines differ from those of live --json")
    expect(len(lines) - first - len(received) < 10, f"the page is {len(lines) - first - len(received)} lines late")
    # An event also states the positions in earlier sessions; the values of the page are those of the newest one.
    return lines, {first + index: identifier.split(",")[-1] for index, (identifier, _) in enumerate(received)}


def compare(page, session):
    """Compares at least six drawings. A busy server is asked less often, at most in a twentieth of the time."""
    deadline = time.monotonic() + 180
    while True:
        compared, points = compare_drawings(page, session)
        if compared > 5:
            return compared, points
        expect(time.monotonic() < deadline, f"only {compared} drawings were compared")
        page.wait_for_timeout(2000)


def compare_drawings(page, session):
    """Each drawing shows the points of the lines before it. Returns the number of drawings that were compared, and their points."""
    lines, identifiers = received_lines(page, session)
    shown = {drawing["id"]: drawing for drawing in page.evaluate("drawings")}
    charts, compared, points = Charts(), 0, 0
    for index, line in enumerate(lines):
        charts.receive(json.loads(line))
        drawing = shown.get(identifiers.get(index))
        if not drawing or not charts.beats or not charts.scores:
            continue
        beats, scores, marks = charts.drawing()
        expect(same(drawing["beats"], beats), f"beats after line {index}: {difference(drawing['beats'], beats)}")
        expect(same(drawing["scores"], scores), f"stress after line {index}: drawn {drawing['scores'][-60:]}, expected {scores[-60:]}")
        expect(same(" ".join(drawing["marks"]), " ".join(marks)), f"marks after line {index}: drawn {drawing['marks']}, expected {marks}")
        compared, points = compared + 1, points + len(charts.beats) + len(charts.scores)
    return compared, points


def wait_for_live(page):
    page.wait_for_selector('#live[data-state="live"]', timeout=120_000)


BATTERY_LOW = {
    "en": "The strap's battery is low: 12 percent.", "de": "Die Batterie des Gurts ist schwach: 12 Prozent.",
    "es": "La pila de la banda está baja: 12 por ciento.", "fr": "La pile de la ceinture est faible : 12 pour cent."}


@contextlib.contextmanager
def battery_notice(page):
    """A session that begins meanwhile shows the low charge without a reload, and announces it once."""
    page.evaluate("""{
      document.getElementById('battery-low').hidden = true;
      window.spoken = [];
      new MutationObserver(() => spoken.push(announcer.textContent)).observe(announcer, {childList: true});
    }""")
    yield
    shown = page.locator("#battery-low")
    shown.wait_for(timeout=60_000)
    expect(shown.text_content().strip() == BATTERY_LOW["en"], f"the page shows {shown.text_content()!r}")
    wait_for_live(page)
    spoken = page.evaluate("spoken")
    expect(sum(BATTERY_LOW["en"] in text for text in spoken) == 1, f"announced: {spoken}")


def battery_in_each_language(server, browser):
    for language, text in BATTERY_LOW.items():
        context = browser.new_context(locale=language)
        log_in(context, server)
        page = context.new_page()
        page.goto(url(server))
        shown = page.locator("#battery-low")
        expect(shown.is_visible() and shown.text_content().strip() == text, f"{language}: {shown.text_content()!r}")
        expect(shown.get_attribute("data-announce") == text, f"{language}: {shown.get_attribute('data-announce')!r}")
        context.close()
    print(f"strap: a low charge in {len(BATTERY_LOW)} languages")


def measure(server, context, seconds):
    """A quarter of the time each: undisturbed, after a suspension of the tab, after kill -9 of the session, and of the server."""
    page = context.new_page()
    page.add_init_script(RECORDER)
    session = Session(server)
    page.goto(url(server))
    wait_for_live(page)
    page.wait_for_timeout(1000 * seconds / 4)
    print("strap: %d drawings with %d points equal live --json" % compare(page, session))

    tools = context.new_cdp_session(page)
    tools.send("Page.setWebLifecycleState", {"state": "frozen"})
    time.sleep(seconds / 8)  # the length of the suspension, not a wait for a result
    tools.send("Page.setWebLifecycleState", {"state": "active"})
    page.wait_for_timeout(1000 * seconds / 8)
    print("strap: %d drawings with %d points, also after a suspended tab" % compare(page, session))

    session.stop(signal.SIGKILL)
    page.wait_for_selector('#live[data-state="stale"]', timeout=60_000)
    with battery_notice(page):
        session = Session(server)
    battery_in_each_language(server, context.browser)
    page.wait_for_timeout(1000 * seconds / 4)
    print("strap: %d drawings with %d points, after kill -9 of the session" % compare(page, session))

    server.stop(signal.SIGKILL)
    with Server(server.program, home=server.home, port=server.port, bus=server.environment["DBUS_SYSTEM_BUS_ADDRESS"]) as restarted:
        log_in(context, restarted)
        page.wait_for_timeout(1000 * seconds / 4)
        # The charts of a new server begin with the lines that it received; the others are in the stream.
        page.wait_for_selector("#chart-beats .chart-line[d*=L]", state="attached")
        print(f"strap: {len(received_lines(page, session)[1])} lines, each once, after kill -9 of the server")
        session.stop(signal.SIGTERM)
        unpair(restarted, page)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=1, help="duration of the comparison")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(chromium())
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="stressmon-strap-"))
        bus = stack.enter_context(fake_bluetoothd(options.program, folder))
        server = stack.enter_context(Server(options.program, bus=bus))
        context = browser.new_context()
        log_in(context, server)
        pair(server, context.new_page())
        measure(server, context, 60 * options.minutes)


main()
