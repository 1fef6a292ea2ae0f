"""What the screen reader Orca speaks while a person takes a reading, breathes, adds a mood and reads yesterday.

    orca.py PROGRAM [--rewrite]

Orca, its speech server and Chromium run under Xvfb. The speech server appends what it would speak to a file. Numbers and dates are
replaced, as in the accessibility trees, and the transcript is compared with Golden/orca.txt.

Exit code 77: a program is missing (Debian: orca speech-dispatcher xvfb openbox xdotool at-spi2-core libatk-adaptor).
"""
import argparse
import contextlib
import datetime
import difflib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from browser import CHROMIUM, url
from server import Server

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Golden", "orca.txt")
PROGRAMS = ["orca", "speech-dispatcher", "Xvfb", "openbox", "xdotool", "dbus-run-session", "/usr/libexec/at-spi-bus-launcher"]
QUIET = 2.5  # s without speech after which a step is over

SPEECH_SERVER = """LogLevel 1
AudioOutputMethod "alsa"
AddModule "file" "sd_generic" "file.conf"
DefaultModule file
"""
SPEECH_MODULE = """GenericExecuteSynth "echo \\'$DATA\\' >> SPOKEN"
GenericMaxChunkLength 4000
GenericDelimiters "."
AddVoice "en" "MALE1" "en"
GenericLanguage "en" "en" "utf-8"
"""
SILENT_SOUND = "pcm.!default { type null }\nctl.!default { type null }\n"
# A page is not read from its beginning to its end when it is loaded.
ORCA_SETTINGS = '{"general": {"sayAllOnLoad": false, "pageSummaryOnLoad": false, "presentTimeFormat": "%H:%M"}, "profiles": {"default": {"profile": ["Default", "default"], "sayAllOnLoad": false, "pageSummaryOnLoad": false}}, "pronunciations": {}, "keybindings": {}}'

RULES = [
    (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} \w{3} \d{4}", "DATE"), (r"\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* \d{4}", "DATE"),
    (r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}", "MONTH"), (r"\b\d{1,2}:\d\d\b", "TIME"), (r"\b(Relaxed|Mild|Moderate|High)\b", "CATEGORY"), (r"Good (morning|afternoon|evening|night)", "GREETING"),
    (r"(High|Medium|Low) confidence", "LEVEL confidence"), (r"\d+(\.\d+)?", "N")]
# Changes of the live value while the reading runs, which come at different times.
LIVE = re.compile(r"Live\.|Not live|Collecting data|Searching for the strap|New data are shown|N percent|^Updated")
# Orca does not always say these while a page is loaded.
LOADING = re.compile(r"^(Loading|Please wait|Finished loading|Skip to content|return$|space$|link\.$|.$|.*document web\.$)")


class Listener:
    """What was spoken since the last step."""

    def __init__(self, path):
        self.path, self.read, self.transcript = path, 0, []

    def lines(self):
        with open(self.path, "a+") as file:
            file.seek(self.read)
            return file.read()

    def wait_for_speech(self, seconds=60):
        """Until Orca has said that it is on, and what the empty window is."""
        end = time.monotonic() + seconds
        while not self.lines():
            if time.monotonic() > end:
                sys.exit("FAILED Orca speaks nothing")
            time.sleep(0.2)
        time.sleep(4)

    def step(self, title, live=False):
        """Waits until nothing is spoken, and adds what was spoken to the transcript."""
        text, since = self.lines(), time.monotonic()
        while time.monotonic() - since < QUIET:
            time.sleep(0.1)
            if self.lines() != text:
                text, since = self.lines(), time.monotonic()
        self.read += len(text.encode())
        spoken = [self.plain(line) for line in text.splitlines()]
        self.transcript += [f"# {title}"] + [line for line in spoken if line and not LOADING.search(line) and not (live and LIVE.search(line))]

    @staticmethod
    def plain(line):
        for pattern, replacement in RULES:
            line = re.sub(pattern, replacement, line)
        return line.strip()


@contextlib.contextmanager
def desktop(home):
    """A display with a window manager, the bus of assistive technology, and Orca."""
    spoken = os.path.join(home, "spoken")
    write(os.path.join(home, ".config/speech-dispatcher/speechd.conf"), SPEECH_SERVER)
    write(os.path.join(home, ".config/speech-dispatcher/modules/file.conf"), SPEECH_MODULE.replace("SPOKEN", spoken))
    write(os.path.join(home, ".local/share/orca/user-settings.conf"), ORCA_SETTINGS)
    write(os.path.join(home, ".asoundrc"), SILENT_SOUND)
    os.makedirs(os.path.join(home, "run"), mode=0o700)
    os.environ.update(
        HOME=home, XDG_RUNTIME_DIR=os.path.join(home, "run"), XDG_CONFIG_HOME=os.path.join(home, ".config"),
        XDG_DATA_HOME=os.path.join(home, ".local/share"), LANG="C.UTF-8", LC_ALL="C.UTF-8")
    running = []

    def start(*command, **options):
        running.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, **options))
        return running[-1]

    try:
        screen = start("Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", stdout=subprocess.PIPE)
        os.environ["DISPLAY"] = ":" + screen.stdout.readline().decode().strip()
        start("openbox", stdout=subprocess.DEVNULL)
        start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately", "--a11y=1", "--screen-reader=1", stdout=subprocess.DEVNULL)
        time.sleep(2)
        # This file has the name of its module.
        start("orca", stdout=subprocess.DEVNULL, env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
        yield Listener(spoken)
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()
        with contextlib.suppress(OSError, ValueError):
            with open(os.path.join(home, "run/speech-dispatcher/pid/speech-dispatcher.pid")) as file:
                os.kill(int(file.read()), signal.SIGTERM)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def key(*names):
    """Keys of the keyboard, which Orca receives, too."""
    for name in names:
        subprocess.run(["xdotool", "key", name], check=True)
        time.sleep(1)


def focus(locator):
    locator.focus()
    time.sleep(1)


def take_a_reading(server, page, listener):
    page.goto(server.start["url"])
    page.wait_for_url(url(server))
    listener.step("The page Now")
    focus(page.get_by_label("Simulated strap"))
    key("space")
    focus(page.get_by_role("button", name="Measure now"))
    listener.step("Choose the simulated strap, and the button")
    key("Return")
    page.get_by_role("button", name="Stop").wait_for(timeout=30_000)
    listener.step("The reading begins", live=True)
    page.wait_for_selector('#live[data-state="ended"]', timeout=120_000)
    listener.step("Its result is announced", live=True)
    page.reload()
    time.sleep(2)
    key("g")
    listener.step("The page with the result")
    focus(page.locator("#next a").last)
    key("Return")
    page.wait_for_url("**/history/sessions/*")
    listener.step("The page of the reading")
    key("h", "h")
    listener.step("Its headings")


def breathe(server, page, listener):
    page.goto(url(server, "/breathe?pattern=4-7-8"))
    listener.step("An exercise")
    focus(page.get_by_role("button", name="Start"))
    key("Return")
    # Far from the end of the phase, which takes 7 s.
    page.locator(".breath-phase", has_text="Hold").wait_for()
    time.sleep(2)
    key("Return")
    listener.step("Start it, and pause it in the second phase")


def add_a_mood(server, page, listener):
    page.goto(url(server, "/journal"))
    listener.step("The journal")
    focus(page.get_by_role("radio").nth(6))
    key("space")
    focus(page.locator("#note"))
    focus(page.locator("form button.primary"))
    listener.step("Choose a mood, and the button")
    key("Return")
    page.get_by_role("status").first.wait_for()
    listener.step("It is stored")


def read_yesterday(server, page, listener):
    page.goto(url(server, "/history?span=week"))
    listener.step("The week")
    yesterday = datetime.date.today() - datetime.timedelta(days=1)
    focus(page.locator(f"#day-{yesterday} h2 a"))
    key("Return")
    page.wait_for_url(f"**day={yesterday}*")
    time.sleep(4)  # Orca reads the page once it knows that it is loaded
    listener.step("Open yesterday")
    key("h", "Down", "Down", "Down", "Down")
    listener.step("Read it")


def compare(transcript, rewrite):
    if rewrite:
        with open(GOLDEN, "w") as file:
            file.write("\n".join(transcript) + "\n")
        return []
    with open(GOLDEN) as file:
        stored = file.read().splitlines()
    return list(difflib.unified_diff(stored, transcript, "stored", "present", n=2, lineterm=""))


def speak(program, rewrite):
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(program))
        yesterday = datetime.datetime.now() - datetime.timedelta(days=1)
        server.run("journal", "add", "--mood", "4", "--note", "Long meeting", "--at", yesterday.strftime("%Y-%m-%dT12:00"))
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix="stressmon-orca-", ignore_cleanup_errors=True))
        listener = stack.enter_context(desktop(home))
        playwright = stack.enter_context(sync_playwright())
        context = playwright.chromium.launch_persistent_context(
            os.path.join(home, "chromium"), executable_path=CHROMIUM, headless=False, no_viewport=True, reduced_motion="reduce",
            args=["--no-sandbox", "--force-renderer-accessibility", "--disable-gpu", "--kiosk", "--no-first-run"])
        page = context.pages[0]
        listener.wait_for_speech()
        listener.read = len(listener.lines().encode())
        page.bring_to_front()
        for part in [take_a_reading, breathe, add_a_mood, read_yesterday]:
            try:
                part(server, page, listener)
            except Exception:
                print(*listener.transcript, listener.lines(), sep="\n")
                raise
        context.close()
    difference = compare(listener.transcript, rewrite)
    if difference:
        print("FAILED what Orca speaks differs:", *difference, sep="\n")
        print("Read the differences; if they are intended: orca.py PROGRAM --rewrite")
    print(f"orca: {len(listener.transcript)} lines of speech, {'different' if difference else 'as stored'}")
    return 1 if difference else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rewrite", action="store_true", help="store the present transcript")
    options = parser.parse_args()
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        print(f"orca: {', '.join(missing)} missing: what Orca speaks was not tested")
        sys.exit(77)
    # Orca finds the applications through a session bus of its own.
    if "STRESSMON_ORCA_BUS" not in os.environ:
        os.environ["STRESSMON_ORCA_BUS"] = "1"
        os.execvp("dbus-run-session", ["dbus-run-session", "--", sys.executable, *sys.argv])
    sys.exit(speak(options.program, options.rewrite))


main()
