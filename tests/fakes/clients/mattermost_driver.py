"""mattermostdriver as a bot: its account, a channel, posts, edits, reactions, a file, what changed since a time, the WebSocket
and its return after a cut, refusals and a rate limit."""
import asyncio
import json
import threading
import time
import urllib.parse

import requests
from mattermostdriver import Driver
from mattermostdriver.exceptions import NoAccessTokenProvided, NotEnoughPermissions, ResourceNotFound

from human import FAKE, check, human

ADDRESS = urllib.parse.urlparse(FAKE["base_url"])
CHANNEL = FAKE["channel"]
OPTIONS = {"scheme": "http", "url": ADDRESS.hostname, "port": ADDRESS.port, "keepalive": True, "keepalive_delay": 0.1}
events = []


def listen(driver):
    async def keep(frame):
        events.append(json.loads(frame))
    asyncio.set_event_loop(asyncio.new_event_loop())
    driver.init_websocket(keep)


def event(name, part, **wanted):
    """Waits for an event whose JSON in `data[part]` has these members."""
    for _ in range(100):
        for found in events:
            if found.get("event") == name:
                inner = json.loads(found["data"][part])
                if all(inner[key] == value for key, value in wanted.items()):
                    return found
        time.sleep(0.1)
    return None


driver = Driver({**OPTIONS, "token": FAKE["token"]})
me = driver.login()
check("the account of the token", me["id"] == FAKE["bot"] and me["is_bot"])
check("a channel, and the bot's membership",
      driver.channels.get_channel(CHANNEL)["id"] == CHANNEL
      and driver.channels.get_channel_member(CHANNEL, "me")["user_id"] == FAKE["bot"])
direct = driver.channels.create_direct_message_channel([FAKE["bot"], FAKE["user"]])
again = driver.channels.create_direct_message_channel([FAKE["user"], FAKE["bot"]])
check("a direct channel is made once", direct["type"] == "D" and direct["id"] == again["id"])
threading.Thread(target=listen, args=[driver], daemon=True).start()
check("the WebSocket", human("ready"))

card = driver.posts.create_post({"channel_id": CHANNEL, "message": "May I?", "props": {"dmplz": {"tag": "t"}},
                                 "pending_post_id": "p1"})
same = driver.posts.create_post({"channel_id": CHANNEL, "message": "May I?", "pending_post_id": "p1"})
check("a pending post is one post", same["id"] == card["id"] and card["props"]["dmplz"] == {"tag": "t"})
check("the post is told", event("posted", "post", id=card["id"])["broadcast"]["channel_id"] == CHANNEL)
driver.reactions.create_reaction({"user_id": FAKE["bot"], "post_id": card["id"], "emoji_name": "white_check_mark"})
human("react", message=card["id"], name="x")
press = event("reaction_added", "reaction", user_id=FAKE["user"])
check("a press is told", json.loads(press["data"]["reaction"])["emoji_name"] == "x")
since = driver.posts.get_posts_for_channel(CHANNEL, params={"since": card["create_at"]})
names = [it["emoji_name"] for it in since["posts"][card["id"]]["metadata"]["reactions"]]
check("and found again by what changed since", names == ["white_check_mark", "x"])
driver.reactions.delete_reaction(FAKE["bot"], card["id"], "white_check_mark")
check("a reaction is taken back", event("reaction_removed", "reaction", user_id=FAKE["bot"])
      and human("await", text="May I?")["reactions"] == [[FAKE["user"], "x"]])
driver.posts.patch_post(card["id"], {"message": "Denied"})
check("an edit", event("post_edited", "post", message="Denied") and human("await", text="Denied")["revisions"] == 2)
reply = driver.posts.create_post({"channel_id": CHANNEL, "message": "why?", "root_id": card["id"]})
check("a reply in the thread", human("await", text="why?")["root"] == card["id"])
said = human("say", text="because", root=card["id"])["message"]
check("words are told", event("posted", "post", id=said, message="because", root_id=card["id"]))
check("who wrote them", driver.users.get_user(FAKE["user"])["username"] == "jin")

# The library's own upload is a form. The bot sends the bytes alone, which the server takes as well.
uploaded = driver.client.make_request("post", "/files", params={"channel_id": CHANNEL, "filename": "all.txt"}, data=b"all of it")
infos = uploaded.json()["file_infos"]
driver.posts.create_post({"channel_id": CHANNEL, "message": "whole", "file_ids": [infos[0]["id"]]})
check("a file", human("await", text="whole")["files"] == [{"name": "all.txt", "size": 9}])
check("attachments are allowed", driver.system.get_client_configuration({"format": "old"})["EnableFileAttachments"] == "true")
# The library sends no names to this route.
roles = driver.client.post("/roles/names", options=["channel_user"])
check("permissions of a role", "create_post" in roles[0]["permissions"])

seen = len(events)
human("cut")
for _ in range(100):
    if any(it.get("event") == "hello" for it in events[seen:]):
        break
    time.sleep(0.1)
human("say", text="after the cut")
check("a cut is followed by a new connection", human("ready") and event("posted", "post", message="after the cut"))

driver.posts.delete_post(reply["id"])
check("a post is deleted", event("post_deleted", "post", id=reply["id"]))
for refused, what, act in [
    (ResourceNotFound, "a deleted post is not found", lambda: driver.posts.get_post(reply["id"])),
    (NotEnoughPermissions, "an unknown channel looks like a forbidden one", lambda: driver.channels.get_channel("c" * 26)),
    (NoAccessTokenProvided, "a wrong token is refused", lambda: Driver({**OPTIONS, "token": "wrong"}).login()),
]:
    try:
        act()
        check(what, False)
    except refused:
        check(what, True)
human("fail", call="post", fault="limited")
try:
    driver.posts.create_post({"channel_id": CHANNEL, "message": "x"})
    check("a rate limit is told", False)
except requests.HTTPError as error:
    check("a rate limit is told", error.response.status_code == 429 and error.response.headers["Retry-After"] == "1")
driver.disconnect()
check(f"nothing that the documentation does not allow: {human('violations')}", human("violations") == [])
