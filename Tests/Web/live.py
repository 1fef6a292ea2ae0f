"""Live values of the page Now: exact, stale after kill -9, complete after a restart of the server, and smooth.

    live.py PROGRAM
"""
import datetime
import decimal
import json
import os
import signal
import statistics
import subprocess
import sys
import time

from browser import chromium, log_in, url, wait_for_stress
from server import Server

# Records each event with its ID, and the values that the page shows after each update.
RECORDER = """(() => {
  window.recorded = []; window.updates = []; window.shift = 0;
  const Original = EventSource;
  window.EventSource = class extends Original {
    constructor(...parts) { super(...parts); this.addEventListener('message', event =>
      recorded.push({id: event.lastEventId, line: event.data})); }
  };
  new PerformanceObserver(list => { for (const entry of list.getEntries()) shift += entry.value; })
    .observe({type: 'layout-shift', buffered: true});
  document.addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
    const values = {};
    for (const element of document.querySelectorAll('[data-value]')) values[element.dataset.value] = element.textContent;
    updates.push({id: live.dataset.shown, time: Date.now(), values, number: document.querySelector('.ring-number')?.textContent});
  }).observe(document.getElementById('live'), {attributes: true, attributeFilter: ['data-shown']}));
})()"""

DECIMALS = {"rmssd_ms": 1, "sdnn_ms": 1, "artefact_percent": 1}


def expect(condition, text):
    if not condition:
        print(f"FAILED {text}")
        sys.exit(1)


def rounded(value, decimals):
    """Half up, of the binary number multiplied as the page does it."""
    scaled = decimal.Decimal(value * 10 ** decimals).quantize(0, decimal.ROUND_HALF_UP)
    return f"{scaled / 10 ** decimals:.{decimals}f}"


def exact_values(page):
    """Each update shows the values of the newest line before it. Returns the delays in ms from a line to the values."""
    recorded, updates = page.evaluate("[recorded, updates]")
    newest, known, compared = {}, {}, 0
    for entry in recorded:
        line = json.loads(entry["line"])
        if line["type"] == "measurement":
            newest = line
        known[entry["id"]] = (newest, line)
    for update in updates:
        measurement, line = known.get(update["id"], ({}, None))
        if not measurement:
            continue
        for key, decimals in DECIMALS.items():
            # Cards for research are hidden.
            shown = update["values"].get(key)
            if measurement[key] is not None and shown is not None:
                expect(shown == rounded(measurement[key], decimals), f"{key}: {shown}, the line has {measurement[key]}")
                compared += 1
        if measurement["stress"] is not None:
            expect(update["number"] == rounded(measurement["stress"], 0), "the number in the ring is not that of the line")
    expect(compared > 10, f"only {compared} values were compared")
    return [update["time"] - milliseconds(known[update["id"]][1]["time"]) for update in updates if update["id"] in known]


def wait_for(page, condition, seconds=120):
    """Polls with page.evaluate, because wait_for_function uses eval in the page, which its policy rejects."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        expect(time.monotonic() < end, f"no {condition} within {seconds} s")
        page.wait_for_timeout(100)


def milliseconds(text):
    return datetime.datetime.fromisoformat(text).timestamp() * 1000


def complete(page):
    """Each line of the session was received once and in order."""
    numbers = [int(number) for number in page.evaluate("recorded.map(entry => entry.id.split(':').at(-1))")]
    expect(numbers == list(range(numbers[0], numbers[0] + len(numbers))), f"lines are missing or repeated: {numbers}")
    return len(numbers)


def task_seconds(session):
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def steady(program, browser):
    """Exact values, delay, layout shift, and cost; then the session is killed."""
    with Server(program, "--simulate") as server:
        context = browser.new_context()
        log_in(context, server)
        page = context.new_page()
        wait_for_stress(server, page)
        page.add_init_script(RECORDER)
        page.reload()
        tools = context.new_cdp_session(page)
        tools.send("Performance.enable")
        begin, before = time.monotonic(), task_seconds(tools)
        wait_for(page, "updates.length >= 20")
        fraction = (task_seconds(tools) - before) / (time.monotonic() - begin)
        delay, shift = statistics.median(exact_values(page)), page.evaluate("shift")
        print(f"live: median {delay:.0f} ms from a line to the values, layout shift {shift:.4f}, main thread {100 * fraction:.1f} %")
        expect(shift < 0.02, "the layout shifts during live updates")

        tools.send("Page.setWebLifecycleState", {"state": "frozen"})
        time.sleep(5)  # the length of the suspension, not a wait for a result
        tools.send("Page.setWebLifecycleState", {"state": "active"})
        newest = page.evaluate("updates.length")
        wait_for(page, f"updates.length >= {newest} + 3")
        exact_values(page)
        print(f"live: {complete(page)} lines, each received once, also across a suspension")

        children = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout.split()
        os.kill(int(children[0]), signal.SIGKILL)
        page.wait_for_selector('#live[data-state="stale"]', timeout=60_000)
        print("live: stale after kill -9 of the session")
        context.close()


def restart(program, browser):
    """A page continues without a missing line after its server was killed and started again."""
    with Server(program) as first:
        first.is_owner = False
        session = subprocess.Popen([program, "live", "--simulate", "--json"], env=first.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            first.wait_for_heart_rate()
            context = browser.new_context()
            log_in(context, first)
            page = context.new_page()
            page.add_init_script(RECORDER)
            page.goto(url(first))
            wait_for(page, "recorded.length >= 5")
            first.stop(signal.SIGKILL)
            with Server(program, home=first.home, port=first.port) as second:
                second.is_owner = True
                before = page.evaluate("recorded.length")
                # The browser stays admitted.
                wait_for(page, f"recorded.length >= {before} + 10")
                print(f"live: {complete(page)} lines, each received once, across a restart of the server")
                # Before the directory of its database is removed.
                session.terminate()
                session.wait(30)
            context.close()
        finally:
            session.terminate()
            session.wait(30)


with chromium() as browser:
    steady(sys.argv[1], browser)
    restart(sys.argv[1], browser)
