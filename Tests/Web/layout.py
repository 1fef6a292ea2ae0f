"""Accessibility, layout and keyboard of each page in its themes, widths and text sizes, with and without the script.

    layout.py PROGRAM [--all] [--screenshots DIR] [--page NAME]
"""
import argparse
import gzip
import itertools
import os
import sys
import time

from browser import THEME_OPTIONS, chromium, ended_server, log_in, set_text_size, url, wait_for_stress
from checks import check
from pages import ALL_VIEWS, PAGES, SCRIPT, THEMES, VIEWS, pairwise
from server import Server

NOW_LIMIT = 120_000  # bytes with gzip, including the fonts
FONTS = ["/assets/lora.woff2", "/assets/raleway.woff2"]  # absent if they were not built


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true", help="every combination instead of all pairs")
    parser.add_argument("--screenshots", help="a directory for a picture of each combination")
    parser.add_argument("--page", help="only the page with this name")
    options = parser.parse_args()
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    pages = [page for page in PAGES if options.page in (None, page[0])]
    dimensions = [pages, THEMES, ALL_VIEWS if options.all else VIEWS, SCRIPT]
    combinations = list(itertools.product(*dimensions)) if options.all else pairwise(dimensions)
    begin, failures = time.monotonic(), 0
    with Server(options.program, "--simulate", "--developer") as live, Server(options.program) as empty, \
            ended_server(options.program) as ended, chromium() as browser:
        servers = {"live": live, "empty": empty, "ended": ended, "stranger": live}
        context = browser.new_context()
        log_in(context, live)
        wait_for_stress(live, context.new_page())
        size = transfer_size(live)
        context.close()
        # One group for each text size, because the preferences belong to the server.
        for combination in sorted(combinations, key=lambda entry: entry[2][1]):
            found = show(browser, servers, combination, options.screenshots)
            failures += bool(found)
            for text in found:
                print(f"FAILED {describe(combination)}: {text}", flush=True)
    print(f"web: {len(combinations)} combinations of {len(pages)} pages, {failures} with a failure, "
          f"{time.monotonic() - begin:.0f} s; Now with its assets: {size} bytes with gzip (limit {NOW_LIMIT})")
    sys.exit(1 if failures or size > NOW_LIMIT else 0)


def describe(combination):
    (name, _, _), theme, (width, text_size), has_script = combination
    return f"{name}-{theme}-{width}-{text_size}-{'script' if has_script else 'noscript'}"


def show(browser, servers, combination, screenshots):
    (_, path, kind), theme, (width, text_size), has_script = combination
    server = servers[kind]
    set_text_size(server, text_size)
    context = browser.new_context(viewport={"width": width, "height": 900}, **THEME_OPTIONS[theme])
    problems = []
    try:
        if kind != "stranger":
            log_in(context, server)
        page = context.new_page()
        if not has_script:
            page.route("**/assets/app.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
        watch(page, server, problems)
        page.goto(url(server, path), wait_until="load")
        # Two frames: the script has drawn the values that it received.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if screenshots:
            page.screenshot(path=os.path.join(screenshots, describe(combination) + ".png"), full_page=True)
        problems += check(page, theme)
    finally:
        context.close()
    return problems


def watch(page, server, problems):
    """Collects console errors, which include violations of the content security policy, and requests to other origins."""
    def on_console(message):
        if message.type == "error" and "status of 40" not in message.text:
            problems.append(f"console: {message.text[:200]}")

    def on_request(request):
        if not request.url.startswith(url(server, "")):
            problems.append(f"request to another origin: {request.url}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: problems.append(f"script error: {error}"))
    page.on("request", on_request)


def transfer_size(server):
    return sum(len(gzip.compress(server.request(path=path)[2]))
               for path in ["/", "/assets/style.css", "/assets/app.js", "/assets/icon.svg", *FONTS]
               if path not in FONTS or server.request(path=path)[0] == 200)


main()
