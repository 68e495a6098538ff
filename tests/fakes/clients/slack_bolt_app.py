"""slack_bolt in Socket Mode, with slack_sdk's Web API: buttons, a modal, an ephemeral message, files, a thread, a disconnect."""
import logging
import time

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.models.blocks import ActionsBlock, ButtonElement, InputBlock, PlainTextInputElement
from slack_sdk.models.views import View

from human import FAKE, check, human

logging.disable()
client = WebClient(token=FAKE["token"], base_url=FAKE["base_url"])
app = App(client=client)
heard = []


@app.action("approve")
def approve(ack, body, client):
    ack()
    client.chat_update(channel=body["channel"]["id"], ts=body["container"]["message_ts"], text="approved", blocks=[])


@app.action("deny")
def deny(ack, body, client):
    ack()
    client.chat_postEphemeral(channel=body["channel"]["id"], user=body["user"]["id"], text="only you may read this")


@app.action("tell")
def tell(ack, body, client):
    ack()
    field = InputBlock(block_id="b", label="Instead", element=PlainTextInputElement(action_id="a", multiline=True))
    view = View(type="modal", callback_id="told", title="Tell Claude", submit="OK", blocks=[field],
                private_metadata=body["container"]["message_ts"])
    client.views_open(trigger_id=body["trigger_id"], view=view)


@app.view("told")
def told(ack, body, view, client):
    ack()
    text = view["state"]["values"]["b"]["a"]["value"]
    client.chat_update(channel=FAKE["channel"], ts=view["private_metadata"], text=f"told: {text}", blocks=[])


@app.event("message")
def message(event):
    heard.append(event["text"])


def post(text, buttons):
    row = ActionsBlock(elements=[ButtonElement(text=label, action_id=action, value="v", style=style)
                                 for label, action, style in buttons])
    return client.chat_postMessage(channel=FAKE["channel"], text=text, blocks=[row], unfurl_links=False, unfurl_media=False)


def press(ts, button):
    pressed = human("press", message=ts, button=button)["press"]
    check(f"a press of {button} is acknowledged in time", human("acknowledged", press=pressed))
    return pressed


check("auth.test", client.auth_test()["user_id"] == "U0DMPLZBOT")
handler = SocketModeHandler(app, FAKE["app_token"], web_client=WebClient(base_url=FAKE["base_url"]))
handler.connect()
check("hello", human("ready"))
BUTTONS = [("Approve", "approve", "primary"), ("Deny", "deny", "danger"), ("Tell", "tell", None)]
card = post("rm?", BUTTONS)
check("a card with buttons", human("await", text="rm?")["buttons"] == ["Approve", "Deny", "Tell"])
press(card["ts"], "Deny")
check("an ephemeral message", human("whisper", text="only you may read this"))
pressed = press(card["ts"], "Tell")
view = human("modal", press=pressed)
check("a modal", view["title"]["text"] == "Tell Claude")
submitted = human("submit", press=pressed, text="look first")["press"]
check("its submission is acknowledged", human("acknowledged", press=submitted))
check("and its text arrives", human("await", text="told: look first")["message"] == card["ts"])
human("say", text="hello")
for _ in range(100):
    if heard:
        break
    time.sleep(0.1)
check("a direct message is told", heard == ["hello"])
uploaded = client.files_upload_v2(channel=FAKE["channel"], filename="all.txt", content="all of it", title="all.txt")
files = [file for message in human("messages") for file in message["files"]]
check("a file in three steps", uploaded["ok"] and files == [{"name": "all.txt", "size": 9}])
reply = client.chat_postMessage(channel=FAKE["channel"], text="why?", thread_ts=card["ts"], reply_broadcast=True,
                                unfurl_links=False, unfurl_media=False)
check("a reply in the thread", human("await", text="why?")["thread"] == card["ts"])
before = human("connections")
human("refresh")
for _ in range(300):
    if human("connections") > before:
        break
    time.sleep(0.1)
check("a disconnect is followed by a new connection", human("connections") > before and human("ready"))
again = post("after a disconnect", BUTTONS)
press(again["ts"], "Approve")
check("that hears presses", human("await", text="approved")["message"] == again["ts"])
try:
    client.chat_postMessage(channel="C999999999", text="x", unfurl_links=False, unfurl_media=False)
    check("an unknown channel is refused", False)
except SlackApiError as error:
    check("an unknown channel is refused", error.response["error"] == "channel_not_found")
human("fail", call="chat.postMessage", fault="limited")
try:
    client.chat_postMessage(channel=FAKE["channel"], text="x", unfurl_links=False, unfurl_media=False)
    check("a rate limit is told", False)
except SlackApiError as error:
    check("a rate limit is told", error.response.status_code == 429 and error.response.headers["Retry-After"] == "1")
handler.close()
violations = human("violations")
print("   ", sorted(set(violations)))
# The library sends team_id to every method, also to those that have no such argument.
check("no other violation of what is documented", {line.split("request: ")[-1] for line in violations} <= {"team_id: no such argument"})
