"""Servers under test and browser contexts."""
import contextlib
import json
import os

from playwright.sync_api import sync_playwright
from server import Server

# Text does not depend on the settings of the desktop.
ARGUMENTS = ["--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb"]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
THEME_OPTIONS = {
    "light": {"color_scheme": "light"}, "dark": {"color_scheme": "dark"},
    "high-contrast": {"color_scheme": "light", "contrast": "more"},
    "forced-colours": {"color_scheme": "dark", "forced_colors": "active"}}


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


def url(server, path="/"):
    if "SESSION" in path:
        path = path.replace("SESSION", server.json("/api/sessions?limit=1")["sessions"][0]["session"])
    return f"{server.origin}{path}"


def log_in(context, server):
    """Admits a context: with a login URL the first time, then as the same browser."""
    if not getattr(server, "cookies", None):
        page = context.new_page()
        page.goto(server.login_url())
        page.wait_for_url(url(server))
        server.cookies = context.cookies()
        page.close()
    context.add_cookies(server.cookies)


def wait_for_stress(server, page, seconds=120):
    page.goto(url(server))
    page.wait_for_selector('#live[data-state="live"]', timeout=seconds * 1000)


def set_text_size(server, percent):
    """Writes the preferences as the page Settings does."""
    folder = os.path.join(server.environment["XDG_DATA_HOME"], "stressmon")
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, "dashboard.json.new")
    with open(temporary, "w") as file:
        json.dump({"version": 1, "text_size_percent": percent, "favourites": ["4-0-6-0"]}, file)
    os.replace(temporary, os.path.join(folder, "dashboard.json"))


def ended_server(program):
    """A read-only server with a session that has ended."""
    with Server(program) as creator:
        home, creator.is_owner = creator.home, False
        creator.run("live", "--simulate", "--seed", "7", "--speed", "max", "--duration", "5m", "--json")
        creator.run("journal", "add", "--mood", "8", check=False)
    server = Server(program, "--read-only", home=home)
    server.is_owner = True
    return server
