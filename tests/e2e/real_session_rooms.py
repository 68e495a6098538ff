"""The chats in which real_session_led.py leads sessions: Jin's with the bot, as Jin sees them, on the messengers' fakes."""
import json, os, subprocess, urllib.parse, urllib.request

from real_session_world import Failed, expect, until

SERVE = os.path.abspath(os.environ.get("DMPLZ_FAKES", "target/debug/examples/serve"))


class Room:
    """What is the same wherever a session is led. A topic is where one session is shown: a topic, a thread, or its view on the page."""

    world, kills = None, False
    # Whether an undo that was shown can be done after the gateway was killed.
    keeps_undo = False

    def sees(self, text, topic=None, after=0, button=""):
        """The first message after another one that shows this. Where `kills` is set, the gateway is killed once the buttons are there."""
        def look():
            found = [it for it in self.messages(topic) if it["message"] > after and text in it["text"]]
            return next((it for it in found if not button or any(button in label for label in it["buttons"])), None)
        what = "a message with %r, %r" % (text, button)
        found = self.waits(what, topic, look)
        if button and self.kills:
            self.world.serve()
            until("the gateway's way back to the session", lambda: self.world.session()["state"] != "starting")
            found = self.waits(what + " after a kill", topic, look)
        return found

    def waits(self, what, topic, look):
        try:
            return until(what, look)
        except Failed as failed:
            raise Failed("%s; there is %s" % (failed, self.messages(topic))) from failed

    def written(self, topic):
        """What is seen of a text while the agent writes it; of a chat that shows nothing before its end, what the gateway knows."""
        return self.world.ok("session.get", id=self.world.session()["id"]).get("partial") or ""

    def presses(self, message, label):
        button = next(it for it in message["buttons"] if label in it)
        return self.pressed(message, button)


class Chat(Room):
    """A chat of a messenger, on its fake."""

    always, for_session, undo = "Yes, allow", "For the session", "Undo exactly this"
    offers_undo, ended = "undo the edits", "the session has ended"

    def __init__(self, messenger):
        self.server = subprocess.Popen([SERVE, messenger], stdout=subprocess.PIPE, text=True)
        self.fake = json.loads(self.server.stdout.readline())

    def does(self, action, **query):
        url = "%s/%s?%s" % (self.fake["human"], action, urllib.parse.urlencode(query))
        with urllib.request.urlopen(urllib.request.Request(url, method="POST"), timeout=20) as answer:
            return json.load(answer)

    def begins(self, text="please do it"):
        """Starts a session. Its topic."""
        self.sees("Sessions may be started in")
        self.commands(None, "new", "project " + text)
        topic, name = until("a topic", self.topics)[0]
        expect(name.startswith("project · "), name)
        commands = self.does("commands", language="ko")
        expect(len(commands) == 14, commands)
        return topic

    def revokes(self, topic, number):
        self.commands(topic, "rules")
        self.sees("/revoke NUMBER", topic)
        self.commands(topic, "revoke", str(number))

    def interrupts(self, topic, card, reason):
        self.commands(topic, "interrupt", reason)

    def option(self, name):
        """The button that is there when a question has this option."""
        return name

    def chooses(self, topic, card, option):
        self.presses(card, option)
        self.presses(self.sees("→ " + option, topic, button="Submit"), "Submit")

    def close(self):
        expect(not self.does("violations"), self.does("violations"))
        self.server.kill()
        self.server.wait()


class Telegram(Chat):
    """A private chat with topics."""

    def __init__(self):
        super().__init__("telegram")
        self.settings = {"DMPLZ_TELEGRAM_API_BASE": self.fake["base_url"], "DMPLZ_TELEGRAM_BOT_TOKEN": self.fake["token"],
                         "DMPLZ_TELEGRAM_CHAT_ID": str(self.fake["chat"]), "DMPLZ_RUN_CHATS": "*"}
        self.does("enable_topics")

    def messages(self, topic=None):
        return [it for it in self.does("messages") if it["from"] != "Jin" and not it["deleted"] and topic in (None, it["topic"])]

    def topics(self):
        return [(it["topic"], it["name"]) for it in self.does("topics")]

    def says(self, topic, text):
        """A message to the session of the topic."""
        self.does("say", text=text, **({"topic": topic} if topic else {}))

    chatters = says

    def written(self, topic):
        drafts = [it["text"] for it in self.does("drafts") if it["topic"] == topic]
        return drafts[-1] if drafts else ""

    def sends(self, topic, path, text):
        """A file with a caption."""
        expect("message" in self.does("attach", file=path, text=text, topic=topic))

    def commands(self, topic, name, rest=""):
        self.says(topic, ("/%s %s" % (name, rest)).strip())

    def pressed(self, message, button):
        expect("press" in self.does("press", message=message["message"], button=button), message, button)

    def denies(self, topic, card, reason, prompt):
        self.presses(card, "❌")
        self.sees(prompt, topic)
        self.says(topic, reason)


class Discord(Chat):
    """A channel of a server with threads. The bot has buttons, forms and commands, and reads no texts."""

    def __init__(self):
        super().__init__("discord")
        self.settings = {"DMPLZ_DISCORD_API_BASE": self.fake["base_url"], "DMPLZ_DISCORD_GATEWAY_URL": self.fake["gateway"],
                         "DMPLZ_DISCORD_BOT_TOKEN": self.fake["token"], "DMPLZ_DISCORD_CHANNEL_ID": self.fake["channel"],
                         "DMPLZ_DISCORD_ALLOWED_USERS": self.fake["user"], "DMPLZ_RUN_CHATS": "*"}

    def messages(self, topic=None):
        def read(it, channel):
            embeds = [text for embed in it["embeds"] for text in (embed.get("title"), embed.get("description")) if text]
            return {"message": int(it["message"]), "text": "\n".join([it["content"], *embeds]), "channel": channel,
                    "buttons": [label for row in it["buttons"] for label in row]}
        channel = topic or self.fake["channel"]
        return [read(it, channel) for it in self.does("messages", channel=channel) if it["from"] != "jin" and not it["deleted"]]

    def topics(self):
        return [(it["thread"], it["name"]) for it in self.does("threads")]

    def commands(self, topic, name, rest=""):
        channel = topic or self.fake["channel"]
        until("the command", lambda: "interaction" in self.does("command", channel=channel, name=name, text=rest))

    def sends(self, topic, path, text):
        """A file with the command that takes one."""
        expect("interaction" in self.does("command", channel=topic, name="send", text=text, file=path))

    def says(self, topic, text):
        """Writes into the form that the button of the session's card opens."""
        card = next(it for it in self.messages(topic) if any("Write" in button for button in it["buttons"]))
        self.fills(self.presses(card, "Write"), text)

    def chatters(self, topic, text):
        self.does("say", channel=topic or self.fake["channel"], text=text)

    def pressed(self, message, button):
        press = self.does("press", channel=message["channel"], message=message["message"], button=button)
        expect("interaction" in press, message, button, press)
        return press["interaction"]

    def fills(self, press, text):
        """Fills the form that a press opened."""
        opened = self.does("response", interaction=press)
        expect(opened.get("modal"), opened)
        expect("interaction" in self.does("submit", interaction=press, field=opened["modal"]["fields"][0]["id"], text=text), opened)

    def denies(self, topic, card, reason, prompt):
        self.presses(card, "❌")
        self.fills(self.presses(self.sees(prompt, topic, button="Write"), "Write"), reason)
