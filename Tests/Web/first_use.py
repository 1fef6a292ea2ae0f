"""The path of a first-time user: open the printed URL, see a live value, breathe, find the exercise in History, delete it.

On a phone and on a desktop: from the first page to the first result in at most 3 taps, and from there to the reading, to yesterday,
to the week, to breathing and to a file in at most 2 taps each.

    first_use.py PROGRAM
"""
import contextlib
import datetime
import sys
import time

from browser import chromium, url
from server import Server

LIVE_WITHIN = 90  # s from the opened page to a live value
EXERCISE_WITHIN = 400  # s: two rests of a minute, a minute of breathing, and the start and end of the sessions


def expect(condition, text):
    if not condition:
        print(f"FAILED first use: {text}")
        sys.exit(1)


def wait_until(condition, seconds, text):
    end = time.monotonic() + seconds
    while not condition():
        expect(time.monotonic() < end, f"{text} within {seconds} s")
        time.sleep(0.5)


def see_a_live_value(server, page):
    begin = time.monotonic()
    page.goto(server.start["url"])
    page.wait_for_url(url(server))
    page.wait_for_selector('#live[data-state="live"]', timeout=LIVE_WITHIN * 1000)
    number = page.locator(".ring-number").text_content()
    expect(number.isdigit(), f"the ring shows {number!r}")
    print(f"first use: a live value {time.monotonic() - begin:.0f} s after the page was opened")


def breathe(page):
    """Starts the shortest exercise of the form, as it is preset, and waits for its result."""
    begin = time.monotonic()
    page.get_by_role("link", name="Breathe", exact=True).first.click()
    page.get_by_label("Minutes").fill("1")
    expect(page.get_by_label("Simulated strap").is_checked(), "the simulated strap of the server is not preset")
    page.get_by_role("button", name="Start measured exercise").click()
    page.get_by_role("button", name="Stop and keep the data").wait_for()
    result = page.get_by_role("region", name="Your last exercise")
    result.wait_for(timeout=EXERCISE_WITHIN * 1000)
    expect(result.get_by_text("simulated", exact=True).is_visible(), "the result is not called simulated")
    sentence = result.locator(".judgement").text_content()
    expect("HRV" in sentence, f"the result is {sentence!r}")
    print(f"first use: a measured exercise in {time.monotonic() - begin:.0f} s: {sentence}")


def find_and_delete(server, page):
    page.get_by_role("link", name="History", exact=True).first.click()
    session = page.get_by_role("listitem").filter(has_text="Breathing").get_by_role("link").first
    session.click()
    identifier = page.url.split("/")[-1].split("?")[0]
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(server.request(path=f"/api/sessions/{identifier}")[0] == 404, f"session {identifier} still exists")
    page.goto(url(server, "/history"))
    expect(page.locator(f'a[href*="{identifier}"]').count() == 0, "the deleted session is still listed")
    print("first use: the exercise was found in History and deleted")


class Person:
    """Somebody with an own server, who counts the taps."""

    FIRST_RESULT, FURTHER = 3, 2

    def __init__(self, program, browser, width, stack):
        self.width, self.taps = width, 0
        self.server = stack.enter_context(Server(program))
        is_phone = width < 700
        context = browser.new_context(viewport={"width": width, "height": 780 if is_phone else 900}, has_touch=is_phone)
        self.page = context.new_page()

    def tap(self, *locators):
        """Taps the element that is shown, such as one of the bar of a phone or of the header."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for locator in locators:
                if locator.first.is_visible():
                    (locator.first.tap if self.width < 700 else locator.first.click)()
                    self.taps += 1
                    return
            # The page before a link was tapped can still be shown.
            self.page.wait_for_timeout(100)
        expect(False, f"{self.width} px: none of {locators} is shown on {self.page.url}")

    def begin(self):
        page = self.page
        page.goto(self.server.start["url"])
        page.wait_for_url(url(self.server))
        self.tap(page.get_by_label("Simulated strap"))
        self.tap(page.get_by_role("button", name="Measure now"))
        page.get_by_role("button", name="Stop").wait_for(timeout=60_000)

    def wait_for_result(self):
        page = self.page
        page.wait_for_selector('#live[data-state="ended"]', timeout=180_000)
        page.locator("#next").wait_for()
        number, word = page.locator(".ring-number").text_content(), page.locator("#category-word").text_content()
        expect(number.isdigit() and word in ["Relaxed", "Mild", "Moderate", "High"], f"{self.width} px: the result is {number}, {word!r}")
        expect(self.taps <= self.FIRST_RESULT, f"{self.width} px: {self.taps} taps to the first result")
        return self.taps

    def go(self, place, steps, is_reached):
        """From the result to a place."""
        self.page.goto(url(self.server))
        self.page.locator("#next").wait_for()
        self.taps = 0
        for step in steps:
            self.tap(*step)
        is_reached()
        expect(self.taps <= self.FURTHER, f"{self.width} px: {self.taps} taps to {place}")
        return f"{place} {self.taps}"

    def explore(self):
        """Returns the number of taps to each place."""
        page = self.page
        yesterday = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
        self.server.run("journal", "add", "--mood", "6", "--at", yesterday.strftime("%Y-%m-%dT12:00"))

        def link(name):
            return [page.get_by_role("link", name=name, exact=True)]

        def download():
            with page.expect_download() as started:
                self.tap(*link("CSV"))
            expect(started.value.suggested_filename.endswith(".csv"), f"{self.width} px: {started.value.suggested_filename}")

        reading = link("Open this reading")
        return [
            self.go("the reading", [reading], lambda: page.locator(".judgement", has_text="A reading: stress").wait_for()),
            self.go("yesterday", [link("History"), link("Week")], lambda: page.locator(f"#day-{yesterday:%Y-%m-%d}").wait_for()),
            self.go("the week", [link("Trends")], lambda: page.locator("#stress").wait_for()),
            self.go("breathing", [link("Breathe")], lambda: page.get_by_role("link", name="Follow 4-7-8 breathing").wait_for()),
            self.go("a file", [reading], download)]


def count_taps(program, browser):
    """Both persons measure at the same time."""
    with contextlib.ExitStack() as stack:
        persons = [Person(program, browser, width, stack) for width in (360, 1440)]
        for person in persons:
            person.begin()
        for person in persons:
            first = person.wait_for_result()
            print(f"first use: {person.width} px: taps to the first result: {first}; from it to {', '.join(person.explore())}")


def is_live(server):
    return server.request(path="/hr")[0] == 200


with Server(sys.argv[1], "--simulate") as server, chromium() as browser:
    count_taps(sys.argv[1], browser)
    page = browser.new_context().new_page()
    see_a_live_value(server, page)
    breathe(page)
    wait_until(lambda: is_live(server), 60, "the live session did not start again")
    find_and_delete(server, page)
