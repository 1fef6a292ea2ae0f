"""The path of a first-time user: open the printed URL, see a live value, breathe, find the exercise in History, delete it.

    first_use.py PROGRAM
"""
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


def is_live(server):
    return server.request(path="/hr")[0] == 200


with Server(sys.argv[1], "--simulate") as server, chromium() as browser:
    page = browser.new_context().new_page()
    see_a_live_value(server, page)
    breathe(page)
    wait_until(lambda: is_live(server), 60, "the live session did not start again")
    find_and_delete(server, page)
