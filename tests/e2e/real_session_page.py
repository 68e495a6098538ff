"""The page in Chromium, as a room in which real_session_led.py leads sessions. Chromium is driven by the W3C's WebDriver protocol."""
import json, socket, subprocess, tempfile, time, urllib.error, urllib.request

from real_session_world import until
from real_session_rooms import Room

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Two clicks in less are a double click, whose second one is no second press; in seconds.
DOUBLE_CLICK = 0.6
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"]
# What the chats' buttons are called on the page.
BUTTONS = {"Approve": "approve", "❌": "deny", "manually": "manual", "auto-accept": "auto-accept", "Yes, allow": "always", "For session": "session", "No answer": "deny",
           "keep planning": "deny"}
LINES = """
const shown = (it, message) => ({ message, text: it.innerText, buttons: [...it.querySelectorAll('button')].map((button) => button.innerText) });
const lines = [...document.querySelectorAll('.told > li')].map((it, at) => ({ message: at + 1, text: it.innerText, buttons: [] }));
const open = [...document.querySelectorAll('.request:not(:empty), .undo:not([hidden])')];
return [...lines, ...open.map((it) => shown(it, lines.length + 0.5))];
"""


class Page(Room):
    """The tab *Sessions* of one browser."""

    always, for_session, undo, keeps_undo = "Yes, allow", "For session", "Undo these edits", True
    offers_undo, ended = "Edits since", "The session has ended"

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        # A gateway that is started again has the address and the browsers of the one before.
        self.settings = {"DMPLZ_GATEWAY_PORT": str(port), "DMPLZ_PAIRING_GAP": "600"}
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        said = until("chromedriver", lambda: [line for line in [self.driver.stdout.readline()] if "successfully on port " in line])[0]
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = {"args": FLAGS + ["--lang=en-US", "--window-size=1280,900", "--user-data-dir=" + self.profile.name]}
        self.address = "http://127.0.0.1:%s/session" % said.split("on port ")[1].rstrip(".\n")
        self.address += "/" + self.asks("", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})["sessionId"]

    def asks(self, path, body):
        wanted = urllib.request.Request(self.address + path, json.dumps(body).encode(), {"content-type": "application/json"})
        with urllib.request.urlopen(wanted, timeout=60) as answer:
            return json.load(answer)["value"]

    def runs(self, script, *arguments):
        return self.asks("/execute/sync", {"script": script, "args": list(arguments)})

    def clicks(self, selector, text=""):
        """Clicks the first enabled element of a selector that shows a text, scrolled from below the page's own bars."""
        find = """const found = [...document.querySelectorAll(arguments[0])].find((it) => !it.disabled && it.checkVisibility() && it.innerText.includes(arguments[1]));
        found?.scrollIntoView({ block: "center" });
        return found;"""

        def click():
            found = self.runs(find, selector, text)
            try:
                return found and (self.asks("/element/%s/click" % found[ELEMENT], {}) or True)
            except urllib.error.HTTPError:  # It was drawn anew, or moved.
                return False
        until("%s %r to click" % (selector, text), click)

    def writes(self, selector, text):
        self.clicks(selector)
        found = self.runs("return document.querySelector(arguments[0])", selector)
        self.asks("/element/%s/value" % found[ELEMENT], {"text": text})

    def messages(self, topic=None):
        return self.runs(LINES)

    def topics(self):
        return [(it, "") for it in self.runs("return [...document.querySelectorAll('.sessions .rows button')].map((it, at) => at)")]

    def begins(self, text="please do it"):
        pairing = json.loads(self.world.dmplz("pair", "--json"))
        self.asks("/url", {"url": "http://127.0.0.1:%s/" % self.settings["DMPLZ_GATEWAY_PORT"]})
        self.writes("#code", pairing["code"] + "\n")
        until("the connection", self.is_online)
        self.clicks("[data-view=sessions]")
        self.clicks(".sessions .new")
        self.writes("#start-prompt", text)
        self.clicks(".starting [type=submit]")
        until("the session", lambda: self.runs("return document.querySelector('.session')?.dataset.id"))
        return 0

    def is_online(self):
        return self.runs("return document.body.dataset.line === 'up'")

    def says(self, topic, text):
        until("the connection", self.is_online)
        self.writes("#session-message", text + "\n")

    chatters = says

    def sends(self, topic, path, text):
        """A file that is chosen, and words with it."""
        until("the connection", self.is_online)
        found = self.runs("return document.querySelector('.composer input[type=file]')")
        self.asks("/element/%s/value" % found[ELEMENT], {"text": path})
        until("the file", lambda: self.runs("return document.querySelector('.attached small')?.textContent === ''"))
        self.writes("#session-message", text + "\n")

    def commands(self, topic, name, rest=""):
        until("the connection", self.is_online)
        self.runs("document.querySelector('.controls').open = true")
        if name == "mode":
            value = {"accept-edits": "acceptEdits", "dont-ask": "dontAsk"}.get(rest, rest)
            self.clicks("#session-mode")
            self.runs("const it = document.querySelector('#session-mode'); it.value = arguments[0]; it.dispatchEvent(new Event('change'))", value)
        elif name == "model":
            self.writes("#session-model", rest + "\n")
        elif name == "interrupt":
            self.clicks(".composer .interrupt")
        elif name == "stop":
            self.clicks(".controls button", "End the session")
            time.sleep(DOUBLE_CLICK)
            self.clicks(".controls button", "Press once more")
        else:
            self.clicks(".controls button", {"resume": "Resume", "fork": "Fork", "undo": "Undo edits"}[name])

    def revokes(self, topic, number):
        until("the connection", self.is_online)
        self.runs("document.querySelector('.controls').open = true")
        self.clicks(".controls button", "Permission rules")
        self.clicks(".rules-of button", "Revoke")

    def pressed(self, message, button):
        until("the connection", self.is_online)
        decision = next((it for label, it in BUTTONS.items() if label in button), None)
        self.clicks("[data-decision=%s]" % decision if decision else ".undo button", "" if decision else button)

    def denies(self, topic, card, reason, prompt):
        until("the connection", self.is_online)
        self.clicks(".request [data-decision=deny]")
        self.writes("#reason", reason + "\n")

    def interrupts(self, topic, card, reason):
        until("the connection", self.is_online)
        self.clicks(".request [data-decision=deny]")
        self.writes("#reason", reason)
        self.clicks(".request .stop-turn")

    def written(self, topic):
        return self.runs("return document.querySelector('.told .growing')?.innerText ?? ''")

    def option(self, name):
        return "Submit"

    def chooses(self, topic, card, option):
        until("the connection", self.is_online)
        self.clicks(".request .option", option)
        self.clicks(".request [data-decision=answers]")

    def close(self):
        with urllib.request.urlopen(urllib.request.Request(self.address, method="DELETE"), timeout=60):
            pass
        self.driver.kill()
        self.driver.wait()
        self.profile.cleanup()
