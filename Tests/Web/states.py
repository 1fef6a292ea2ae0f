"""What the pages state in words: values of charts, stages of a measured exercise, the reason for values that are not live, forced
colours, and printing.

    states.py PROGRAM [--screenshots DIR]
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import zlib

from playwright.sync_api import Error

from browser import THEME_OPTIONS, chromium, ended_server, log_in, url, wait_for_stress
from server import Server


LOGGED_OUT = "This browser is no longer logged in, and this page shows nothing new. Load the page again to see how to log in."


def expect(condition, text):
    if not condition:
        print(f"FAILED states: {text}")
        sys.exit(1)


def picture(page, name, folder):
    if folder:
        page.screenshot(path=os.path.join(folder, f"states-{name}.png"), full_page=True)


def notices(page):
    """The texts of the notices and of the message about the server that are shown; none while the page is loaded again."""
    try:
        return page.evaluate(
            "[...document.querySelectorAll('#trouble,[data-for]')].filter(e => !e.hidden).map(e => e.textContent)")
    except Error as error:
        if "context was destroyed" not in error.message:
            raise
        return []


def visible(page):
    return " ".join(notices(page))


def wait_for_notice(page, text, seconds):
    end = time.monotonic() + seconds
    while text not in visible(page):
        expect(time.monotonic() < end, f"no {text!r} within {seconds} s: {visible(page)!r}")
        page.wait_for_timeout(200)
    wrong = "Moisten" in visible(page)
    expect(not wrong, f"the wrong advice is given: {visible(page)!r}")


def chart_reading(page, server, folder):
    page.goto(url(server, "/trends"))
    page.locator("#stress [data-hint]").focus()
    page.keyboard.press("End")
    text = page.locator("#stress-reading").text_content()
    picture(page, "reading", folder)
    expect(re.search(r": stress \d", text), f"the reading is {text!r}")
    page.goto(url(server, "/history"))
    curve = page.locator(".curve-plot").first
    curve.focus()
    page.keyboard.press("End")
    text = page.locator(".day .chart-reading").first.text_content()
    expect(re.search(r"^\d\d:00: stress \d+, category \w+", text), f"the reading of a day is {text!r}")
    curve.click()
    page.wait_for_url("**/history/sessions/*")
    expect(page.locator("#stress").count() == 1, "a click on the curve of the day opens no session with a curve")


def forced_colours(browser, server, folder):
    """Areas in charts are lighter than the curves over them, and the empty part of the ring is not that of a value."""
    for theme in ["forced-colours", "high-contrast"]:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, **THEME_OPTIONS[theme])
        log_in(context, server)
        page = context.new_page()
        page.goto(url(server, "/"))
        picture(page, f"now-{theme}", folder)
        track, text = page.evaluate("""[getComputedStyle(document.querySelector('.ring-track')).stroke,
          getComputedStyle(document.querySelector('.ring-number')).fill]""")
        expect(track != text, f"{theme}: the track of the ring is {track}, as its number")
        for path in ["/trends", "/history", "/history/sessions/SESSION"]:
            page.goto(url(server, path))
            page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
            picture(page, f"{path.split('/')[1]}-{theme}", folder)
            found = page.evaluate("""() => {
              const probe = document.createElement('i'); probe.style.color = 'var(--text)'; document.body.append(probe);
              const text = getComputedStyle(probe).color;
              return [...document.querySelectorAll('.chart svg :is(rect,path,polygon)')].filter(shape => {
                const box = shape.getBoundingClientRect();
                // Other paths are lines and dots.
                const isArea = shape.localName !== 'path' || /z$/i.test(shape.getAttribute('d'));
                return isArea && box.width > 60 && box.height > 8 && getComputedStyle(shape).fill === text; }).map(shape => shape.outerHTML.slice(0, 90));
            }""")
            expect(not found, f"{theme} {path}: areas have the colour of text: {found}")
        context.close()


def text_operators(pdf):
    """The number of texts that a PDF draws."""
    count = 0
    for match in re.finditer(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        try:
            count += len(re.findall(rb"T[jJ]\b", zlib.decompress(match.group(1))))
        except zlib.error:
            pass
    return count


def printing(page, server, folder):
    page.goto(url(server, "/trends/week"))
    first = page.pdf(page_ranges="1")
    if folder:
        with open(os.path.join(folder, "states-report.pdf"), "wb") as file:
            file.write(page.pdf())
    expect(text_operators(first) > 100, f"the first printed page of the report has only {text_operators(first)} texts")
    page.emulate_media(media="print")
    shown = page.evaluate("""[...document.querySelectorAll('.button,button,nav')]
      .filter(element => element.checkVisibility()).map(element => element.textContent)""")
    expect(not shown, f"these are printed: {shown}")
    page.emulate_media(media="screen")


def exercise(page, server, folder):
    """The instruction and the time left in each stage, also on a page that is opened in the middle."""
    page.goto(url(server, "/breathe"))
    page.get_by_label("Minutes").fill("1")
    page.get_by_role("button", name="Start measured exercise").click()
    spoken = []
    for stage, text, seconds in [("before", "Sit still and breathe normally.", 60), ("breathing", "Breathe with the circle.", 90),
                                 ("after", "Stay seated and breathe normally", 100)]:
        page.wait_for_selector(f'.guide[data-stage="{stage}"]', timeout=seconds * 1000)
        spoken.append(page.locator("#announcer").text_content())
        page.wait_for_timeout(3000)
        for reopened in [False, True]:
            if reopened:
                page.goto(url(server, "/breathe"))
            state = page.locator("#stage").text_content()
            expect(text in state and re.search(r"\b[01]:\d\d left", state), f"the stage {stage} says {state!r}")
            current = page.locator(".stages [aria-current=step]").get_attribute("data-stage")
            expect(current == stage, f"the list marks {current} in the stage {stage}")
            word, seconds_left = page.locator(".breath-phase").text_content(), page.locator(".breath-seconds").text_content()
            pattern = r"Breathe in|Hold|Breathe out" if stage == "breathing" else "Rest"
            expect(re.fullmatch(pattern, word) and re.fullmatch(r"\d|[01]:\d\d", seconds_left), f"the circle says {word!r}, {seconds_left!r}")
            page.wait_for_selector('.pulse-line[d*="L"]', timeout=8000)
        picture(page, f"exercise-{stage}", folder)
    expect("Sit still" in spoken[0] and "Stay seated" in spoken[2], f"announced: {spoken}")
    result = page.get_by_role("region", name="Your last exercise")
    result.wait_for(timeout=100_000)
    picture(page, "exercise-result", folder)
    expect(result.locator("[data-mood] .buddy").count() == 2 and not result.get_by_role("table").is_visible(),
           f"the result is {result.text_content()!r}")


def guides(browser, server, folder):
    """An exercise without a measurement: its circle moves, or with reduced motion its bar; it pauses, and ends softly."""
    for motion in ["no-preference", "reduce"]:
        context = browser.new_context(reduced_motion=motion, viewport={"width": 360, "height": 780})
        log_in(context, server)
        page = context.new_page()
        page.clock.install()
        page.goto(url(server, "/breathe?pattern=4-7-8"))
        page.get_by_role("button", name="Start").click()
        for seconds, word in [(2, "Breathe in"), (5, "Hold"), (7, "Breathe out")]:
            page.clock.run_for(seconds * 1000)
            expect(page.locator(".breath-phase").text_content() == word, f"after {seconds} s the circle does not say {word!r}")
        scaled = "scale" in (page.locator(".breath-circle").get_attribute("style") or "")
        bar = page.locator(".breath-bar")
        expect(scaled == (motion == "no-preference") and bar.is_visible() == (motion == "reduce"), f"motion {motion}: scaled {scaled}")
        expect(page.locator(".breath-circle").is_visible(), f"motion {motion}: no circle")
        picture(page, f"guide-{motion}", folder)
        page.get_by_role("button", name="Pause").click()
        state = page.locator(".guide-cycle").text_content()
        page.clock.run_for(30_000)
        expect(page.locator(".guide-cycle").text_content() == state and "Cycle 1 of 4" in state, f"paused at {state!r}")
        page.get_by_role("button", name="Resume").click()
        page.clock.run_for(70_000)
        expect("Well done." in page.locator(".guide-cycle").text_content(), "the exercise does not end")
        expect("Well done." in page.locator("#announcer").text_content(), "the end is not announced")
        context.close()


# Changes the mood from calm to worried. Returns the transitions of parts of the buddy, and the opacities afterwards.
CHANGE_OF_MOOD = """async setting => {
  document.documentElement.dataset.motion = setting;
  const root = document.getElementById('live'), part = name => root.querySelector('.ring .buddy ' + name);
  root.dataset.mood = 'calm';
  await new Promise(done => setTimeout(done, 400));
  getComputedStyle(part('.mouth')).transform;
  root.dataset.mood = 'worried';
  const animated = ['.mouth', '.brow-left', '.f-calm', '.f-worried', '.a-worried'].map(name => [name, part(name).getAnimations()
    .filter(animation => animation instanceof CSSTransition).map(({transitionProperty: property, effect}) =>
      [property, effect.getTiming().duration]).sort()]);
  await Promise.all(root.getAnimations({subtree: true}).filter(animation => animation instanceof CSSTransition)
    .map(animation => animation.finished));
  return [Object.fromEntries(animated), ['.f-calm', '.f-worried', '.brow-left'].map(name => getComputedStyle(part(name)).opacity)];
}"""


def buddy(browser, server):
    """From one mood to the next, the mouth and the brows move and the eyes fade in 0.3 s; with reduced motion, they change at once."""
    for motion, setting in [("no-preference", "system"), ("reduce", "system"), ("no-preference", "on")]:
        context = browser.new_context(reduced_motion=motion)
        log_in(context, server)
        page = context.new_page()
        page.goto(url(server, "/"))
        fade = [["opacity", 300], ["visibility", 300]]
        expected = {".mouth": [["transform", 300]], ".brow-left": [["opacity", 300], ["transform", 300]],
                    ".f-calm": fade, ".f-worried": fade, ".a-worried": fade}
        if motion == "reduce" or setting == "on":
            expected = {name: [] for name in expected}
        # A refresh of the page can set the mood meanwhile.
        for _ in range(10):
            animated, shown = page.evaluate(CHANGE_OF_MOOD, setting)
            if animated == expected and shown == ["0", "1", "1"]:
                break
            page.wait_for_timeout(500)
        expect(animated == expected, f"motion {motion}, setting {setting}: {animated}")
        expect(shown == ["0", "1", "1"], f"motion {motion}, setting {setting}: the opacities are {shown}")
        context.close()


def widget(page, server, folder):
    """Custom CSS of OBS applies to the widget, and to no other page."""
    page.set_viewport_size({"width": 360, "height": 400})
    for size, background in [("small", "none"), ("medium", "soft"), ("large", "category")]:
        page.goto(url(server, f"/widget?size={size}&background={background}"))
        page.locator("#widget-hr .metric-value", has_text=re.compile(r"^\d+$")).wait_for()
        picture(page, f"widget-{size}", folder)
    style = "document.head.append(Object.assign(document.createElement('style'), {textContent: 'main{outline:3px solid red}'}))"
    for path, applies in [("/widget", True), ("/calm", False)]:
        page.goto(url(server, path))
        page.evaluate(style)
        outline = page.evaluate("getComputedStyle(document.querySelector('main')).outlineColor")
        expect((outline == "rgb(255, 0, 0)") == applies, f"the style that is added to {path} gives {outline}")


def clock(browser, server):
    """A wrong clock of the browser changes neither the state nor the ages."""
    for seconds in [15, -30, 3600]:
        context = browser.new_context()
        log_in(context, server)
        page = context.new_page()
        page.add_init_script(f"const now = Date.now; Date.now = () => now() + {seconds * 1000};")
        wait_for_stress(server, page)
        page.wait_for_timeout(8000)
        state, age = page.evaluate("""[document.getElementById('live').dataset.state,
          document.querySelector('[data-for="live"] [data-age]').textContent]""")
        expect(state == "live", f"with a clock {seconds} s ahead the page is {state}: {visible(page)!r}")
        expect(int(age.split()[0]) < 4 and age.split()[1] == "s", f"with a clock {seconds} s ahead the age is {age}")
        context.close()


def notifications(browser, program):
    """Only browsers with the permission of the person show notices, once each."""
    with tempfile.TemporaryDirectory(prefix="stressmon-notice-") as home:
        settings = os.path.join(home, "config", "stressmon")
        os.makedirs(settings)
        with open(os.path.join(settings, "config.toml"), "w") as file:
            file.write('alarm = "hr > 20 for 20s"\n')
        with Server(program, "--simulate", home=home) as server:
            pages = {}
            for permission in ["default", "denied", "granted"]:
                context = browser.new_context()
                log_in(context, server)
                pages[permission] = context.new_page()
                pages[permission].add_init_script(f"""window.shown = [];
                  window.Notification = class {{ static permission = "{permission}"; constructor(text) {{ shown.push(text); }} }};""")
                pages[permission].goto(url(server, "/"))
            end = time.monotonic() + 60
            while not pages["granted"].evaluate("shown") and time.monotonic() < end:
                pages["granted"].wait_for_timeout(500)
            pages["granted"].wait_for_timeout(3000)
            for permission, page in pages.items():
                expected = ["The condition of an alarm is fulfilled."] if permission == "granted" else []
                shown = page.evaluate("shown")
                expect(shown == expected, f"with the permission {permission}: {shown}")
                page.context.close()


def wait_for_live_session(server, seconds=60):
    """The live session starts again after an exercise."""
    end = time.monotonic() + seconds
    while server.json("/api/activity").get("command") != "live":
        expect(time.monotonic() < end, f"no live session within {seconds} s")
        time.sleep(0.5)


def killed(page, server, folder):
    wait_for_live_session(server)
    wait_for_stress(server, page)
    children = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout.split()
    os.kill(int(children[0]), signal.SIGKILL)
    wait_for_notice(page, "the session has ended unexpectedly", 40)
    page.get_by_text("It was stopped from outside.").wait_for(timeout=20_000)
    picture(page, "killed", folder)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector('#live[data-state="live"]', timeout=120_000)
    expect(page.get_by_text("It did not work.").count() == 0, "the failure is stated beside a live session")


def restarted(context, server, program, folder):
    """Pages whose server stops state it, and continue when it runs again. Those of a removed browser state how to log in."""
    now, history = context.new_page(), context.new_page()
    now.goto(url(server, "/"))
    history.goto(url(server, "/history"))
    server.stop()
    for page in [now, history]:
        wait_for_notice(page, "The server does not answer", 30)
    wait_for_one_notice(now)
    picture(now, "stopped", folder)
    with Server(program, "--simulate", home=server.home, port=server.port) as second:
        wait_until_live(now, history)
        remove_browser(context, second)
        for page in [now, history]:
            wait_for_notice(page, LOGGED_OUT, 60)
        wait_for_one_notice(now)
        expect(now.locator("#live").get_attribute("data-state") == "stale", "the values of a removed browser are shown as live")
        picture(now, "denied", folder)
        second.cookies = None
        log_in(context, second)
        wait_until_live(now, history)
        second.stop()
        os.remove(os.path.join(server.environment["XDG_DATA_HOME"], "stressmon", "browsers.jsonl"))
    with Server(program, "--simulate", home=server.home, port=server.port):
        for page in [now, history]:
            wait_for_notice(page, LOGGED_OUT, 60)


def wait_for_one_notice(page, seconds=30):
    """The message about the server is the only one, once the values are stale."""
    end = time.monotonic() + seconds
    while page.locator("#live").get_attribute("data-state") == "live" or len(notices(page)) != 1:
        expect(time.monotonic() < end, f"these are shown together: {notices(page)}")
        page.wait_for_timeout(200)


def wait_until_live(now, history):
    """The notices disappear without a reload."""
    now.wait_for_selector('#live[data-state="live"]', timeout=120_000)
    for page in [now, history]:
        page.wait_for_selector("#trouble", state="hidden", timeout=30_000)


def remove_browser(context, server):
    page = context.new_page()
    page.goto(url(server, "/settings/tokens"))
    page.get_by_role("button", name=re.compile("Remove Chrom")).click()
    page.get_by_role("heading", name="This browser is not logged in").wait_for()
    page.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    with ended_server(options.program) as ended, chromium() as browser:
        context = browser.new_context()
        log_in(context, ended)
        page = context.new_page()
        chart_reading(page, ended, options.screenshots)
        printing(page, ended, options.screenshots)
        forced_colours(browser, ended, options.screenshots)
        buddy(browser, ended)
        context.close()
        notifications(browser, options.program)
        with Server(options.program, "--simulate") as live:
            context = browser.new_context()
            log_in(context, live)
            guides(browser, live, options.screenshots)
            exercise(context.new_page(), live, options.screenshots)
            wait_for_live_session(live)
            widget(context.new_page(), live, options.screenshots)
            clock(browser, live)
            killed(context.new_page(), live, options.screenshots)
            restarted(context, live, options.program, options.screenshots)
    print("states: readings, the buddy, exercise, clocks, reasons, notifications, forced colours and printing are correct")


main()
