"""The scenarios of real_session.py that are led from a chat or the page, in the world's room."""
import base64, os, time

from real_session_world import expect, until

NOTED = {"tool": "Bash", "input": {"command": "curl -s http://127.0.0.1:9/x; echo ran >> ran", "description": "fetch"}}

CURL = {"tool": "Bash", "input": {"command": "curl -s http://127.0.0.1:9/x; echo ran", "description": "fetch"}}


# A PNG of one pixel.
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def ran(w):
    path = os.path.join(w.run.project, "ran")
    return open(path).read().count("ran") if os.path.exists(path) else 0


def approved(w):
    topic = w.room.begins()
    card = w.room.sees("Bash", topic, button="Approve")
    w.request()
    w.room.chatters(topic, "ok")
    time.sleep(1)
    expect(w.open(), "a text allowed it")
    w.room.presses(card, "Approve")
    w.room.sees("done", topic, after=card["message"])
    expect(ran(w) == 1, "ran %d times" % ran(w))


def denied(w):
    topic = w.room.begins()
    card = w.room.sees("Bash", topic, button="Deny")
    w.room.denies(topic, card, "not here", "why you deny")
    until("the denial", lambda: any("Reason: not here" in result for result in w.results()))
    w.room.sees("done", topic, after=card["message"])
    expect(ran(w) == 0, "it ran")


def always(w):
    """Stored in the scope that the button names: the next call of the same kind is not asked."""
    topic = w.room.begins()
    w.room.presses(w.room.sees("Bash", topic, button=w.room.always), w.room.always)
    w.comes_to(w.session()["id"], "idle")
    rules = w.settings_local()
    expect(any(rule.startswith("Bash(curl") for rule in rules), rules)
    before = len(w.results())
    w.plays({}, {}, CURL)
    w.room.says(topic, "once more")
    until("the turn", lambda: w.stages(w.session()["id"]).get("once more") == "done")
    expect(len(w.results()) > before and all("ran" in result for result in w.results()), w.results())


def again(w, topic, turns, text):
    """The same call after so many turns is not asked."""
    before = len(w.results())
    w.plays(*[{}] * (2 * turns), CURL)
    w.room.says(topic, text)
    until("the turn", lambda: w.stages(w.session()["id"]).get(text) == "done")
    expect(len(w.results()) > before and all("ran" in result for result in w.results()), w.results())


def allowed(w, topic, button):
    """Allowed from then on with this button: the list says what and who, and the same call is not asked."""
    w.room.presses(w.room.sees("Bash", topic, button=button), button)
    w.comes_to(w.session()["id"], "idle")
    given = w.ok("session.rules", id=w.session()["id"])["given"]
    expect(given and all(it["permission"]["text"].startswith("Bash(") and it["by"]["name"] for it in given), given)
    again(w, topic, 1, "once more")


def revokes(w, topic, turns):
    """Revoked where the session is led: the same call after so many turns is asked."""
    given = lambda: w.ok("session.rules", id=w.session()["id"])["given"]
    for it in given():
        w.room.revokes(topic, it["number"])
        until("the list", lambda: all(left["number"] != it["number"] for left in given()))
    w.plays(*[{}] * (2 * turns), CURL)
    w.room.says(topic, "and again")
    card = w.room.sees("Bash", topic, button="Deny")
    w.request()
    w.room.denies(topic, card, "no more", "why you deny")
    until("the denial", lambda: any("Reason: no more" in result for result in w.results()))


def revoked(w):
    """What was stored in the settings is removed from them."""
    topic = w.room.begins()
    allowed(w, topic, w.room.always)
    expect(w.settings_local(), "nothing is stored")
    revokes(w, topic, 2)
    expect(not w.settings_local(), w.settings_local())


def kept(w):
    """What was allowed for the session holds after a resume, until it is revoked."""
    topic = w.room.begins()
    allowed(w, topic, w.room.for_session)
    expect(not w.settings_local(), w.settings_local())
    w.room.commands(topic, "stop")
    w.comes_to(w.session()["id"], "ended")
    w.room.commands(topic, "resume")
    w.comes_to(w.session()["id"], "idle")
    again(w, topic, 2, "after the resume")
    revokes(w, topic, 3)


def unasked(w):
    """A mode in which nobody is asked: wanted here, confirmed at the terminal, and never here."""
    topic = w.room.begins("wait")
    session = w.session()["id"]
    w.comes_to(session, "idle")
    w.room.commands(topic, "mode", "dont-ask")
    change = w.request()
    expect(change["tool"] == "SetPermissionMode" and w.session()["mode"] == "default", change)
    shown = w.room.sees("dontAsk", topic, button="Deny")
    expect(not any("Approve" in label for label in shown["buttons"]), shown)
    w.approve(change)
    until("the mode", lambda: w.session()["mode"] == "dontAsk")
    w.plays({}, NOTED)
    w.room.says(topic, "go on")
    until("the turn", lambda: w.stages(session).get("go on") == "done")
    expect(ran(w) == 0 and any("don't ask mode" in result for result in w.results()) and not w.open(), w.results())


def planned(w, plan, answer, told, mode):
    topic = w.room.begins("wait")
    session = w.session()["id"]
    w.comes_to(session, "idle")
    w.room.commands(topic, "mode", "plan")
    until("the mode", lambda: w.session()["mode"] == "plan")
    w.plays({}, *plan)
    w.room.says(topic, "plan it")
    card = w.room.sees("do A", topic, button=answer)
    if answer == "keep planning":
        w.room.denies(topic, card, "smaller steps", "what to change in the plan")
    else:
        w.room.presses(card, answer)
    until("the answer", lambda: any(told in result for result in w.results()))
    w.comes_to(session, "idle")
    expect(w.session()["mode"] == mode, w.session())


def asked(w):
    topic = w.room.begins()
    w.room.chooses(topic, w.room.sees("Which color?", topic, button=w.room.option("Blue")), "Blue")
    until("the answer", lambda: any("Blue" in result for result in w.results()))


def elicited(w):
    topic = w.room.begins()
    w.room.presses(w.room.sees("MCP tiny", topic, button="No answer"), "No answer")
    w.comes_to(w.session()["id"], "idle")
    expect(any('"decline"' in result for result in w.results()), w.results())


def queued(w):
    """What waits when the turn is interrupted is the next turn."""
    topic = w.room.begins()
    w.room.sees("Bash", topic, button="Approve")
    w.room.says(topic, "and the tests")
    session = w.session()["id"]
    until("the message to wait", lambda: w.stages(session).get("and the tests") == "waiting")
    w.room.commands(topic, "interrupt")
    until("the message to be done", lambda: w.stages(session).get("and the tests") == "done")
    expect(not w.open() and "and the tests" in w.heard() and ran(w) == 0, w.stages(session))


def interrupted(w):
    """Interrupted with a reason: the history says who denied and why; the agent reads it with the next message, and is not asked before."""
    topic = w.room.begins()
    card = w.room.sees("Bash", topic, button="Deny")
    request, session = w.request(), w.session()["id"]
    w.room.interrupts(topic, card, "not to main")
    until("the end of the request", lambda: not w.open())
    ended = w.ok("approvals.get", id=request["id"])["approval"]["resolution"]
    expect(ended["outcome"] == "rejected_with_reason" and ended["reason"] == "not to main" and ended["by"]["name"], ended)
    w.comes_to(session, "idle")
    until("the reason", lambda: "not to main" in w.said(session, "message"))
    expect(len(w.asked_model()) == 1 and w.said(session, "turn") and len(w.said(session, "turn")) == 1, w.events(session))
    w.plays({}, {"text": "I see."})
    w.room.says(topic, "and now")
    w.room.sees("I see.", topic)
    until("the turn", lambda: w.stages(session).get("and now") == "done")
    expect("not to main" in w.heard() and ran(w) == 0, "the agent does not know why")


def streamed(w):
    """What the agent writes is read while it writes; where the gateway is killed meanwhile, the whole of it is read at the end."""
    topic = w.room.begins("write it")
    session = w.session()["id"]
    first = until("the beginning", lambda: w.room.written(topic))
    until("more of it", lambda: len(w.room.written(topic)) > len(first))
    expect(w.session()["state"] == "working" and "word40" not in w.room.written(topic), w.room.written(topic))
    if w.room.kills:
        w.serve()
    w.comes_to(session, "idle")
    w.room.sees("word40", topic)
    expect(len(w.asked_model()) == 1 and "word40" in w.said(session)[-1], w.events(session))


def stopped(w):
    """Interrupted while it asks, then resumed with its mode and its model in the same topic."""
    topic = w.room.begins()
    card = w.room.sees("Bash", topic, button="Approve")
    w.room.commands(topic, "interrupt")
    until("the end of the request", lambda: not w.open())
    w.room.sees("did not go to its end", topic, after=card["message"])
    session = w.session()["id"]
    w.plays()
    w.room.commands(topic, "mode", "accept-edits")
    w.room.commands(topic, "model", "haiku")
    until("the mode", lambda: w.session()["mode"] == "acceptEdits")
    w.room.commands(topic, "stop")
    w.comes_to(session, "ended")
    ended = w.room.sees(w.room.ended, topic)
    w.room.commands(topic, "resume")
    w.comes_to(session, "idle")
    w.serve()
    w.room.says(topic, "remember the number 4711")
    until("the turn", lambda: w.stages(session).get("remember the number 4711") == "done")
    w.room.sees("done", topic, after=ended["message"])
    expect(w.session()["mode"] == "acceptEdits" and len(w.room.topics()) == 1, w.session(), w.room.topics())
    expect("haiku" in w.asked_model()[-1]["model"], w.asked_model()[-1])


def cleared(w):
    topic = w.room.begins("remember the number 4711")
    session = w.session()["id"]
    w.comes_to(session, "idle")
    w.room.says(topic, "/clear")
    until("the command", lambda: w.stages(session).get("/clear") == "done")
    w.room.says(topic, "which number")
    until("the turn", lambda: w.stages(session).get("which number") == "done")
    expect("4711" not in w.heard(), "the conversation is still there")


def forked(w):
    topic = w.room.begins("remember the number 4711")
    first = w.session()["id"]
    w.comes_to(first, "idle")
    w.room.commands(topic, "fork")
    until("two sessions", lambda: len(w.room.topics()) == 2)
    other = next(it for it, _ in w.room.topics() if it != topic)
    second = next(it["id"] for it in w.ok("session.list")["sessions"] if it["id"] != first)
    w.comes_to(second, "idle")
    w.room.says(other, "which number")
    until("the turn", lambda: w.stages(second).get("which number") == "done")
    expect("4711" in w.heard() and "which number" not in w.stages(first), "not a conversation of its own")


def undone(w):
    path = os.path.join(w.run.project, "a.txt")
    topic = w.room.begins()
    w.room.presses(w.room.sees("a.txt", topic, button="Approve"), "Approve")
    w.comes_to(w.session()["id"], "idle")
    expect(open(path).read() == "one\ntwo\n", "not written")
    w.room.commands(topic, "undo")
    offered = w.room.sees(w.room.offers_undo, topic, button=w.room.undo)
    if w.room.kills and not w.room.keeps_undo:
        # The card of a gateway before this one takes no press, and the person is told so.
        w.room.kills = False
        w.room.presses(offered, w.room.undo)
        w.room.commands(topic, "undo")
        offered = w.room.sees(w.room.offers_undo, topic, after=offered["message"], button=w.room.undo)
        expect(os.path.exists(path), "the card of the gateway before took a press")
    expect(path in offered["text"] and "+0 −2" in offered["text"], offered)
    w.room.presses(offered, w.room.undo)
    until("the undo", lambda: not os.path.exists(path) or open(path).read() == "")
    until("the event", lambda: any(event["kind"] == "undone" for event in w.events(w.session()["id"])))


def filed(w):
    """A picture that goes with a message is before the model. Of what comes while it works it sees the path, and reads it unasked."""
    topic = w.room.begins()
    session = w.session()["id"]
    card = w.room.sees("Bash", topic, button="Approve")
    picture, note = (os.path.join(w.run.dir, name) for name in ("shot 1.png", "note.txt"))
    open(picture, "wb").write(PIXEL)
    open(note, "w").write("the number is 4711\n")
    w.room.sends(topic, note, "read this")
    until("the message", lambda: any("read this" in text for text in w.stages(session)))
    expect(w.open(), "a file allowed it")
    received = os.path.join(w.state, "sessions", session, "received")
    w.plays({}, {"tool": "Read", "input": {"file_path": os.path.join(received, os.listdir(received)[0])}})
    w.room.presses(card, "Approve")
    until("the note", lambda: any("the number is 4711" in result for result in w.results()))
    w.comes_to(session, "idle")
    w.room.sends(topic, picture, "look at this")
    until("the picture", lambda: '"media_type": "image/png"' in w.heard() or '"media_type":"image/png"' in w.heard())
    w.comes_to(session, "idle")
    shown = [text for text in w.stages(session) if "look at this" in text]
    expect(shown and "📎 shot_1.png" in shown[0] and "/received/" not in shown[0], w.stages(session))


def model_error(w):
    topic = w.room.begins()
    w.room.sees("prompt is bad", topic)
    w.comes_to(w.session()["id"], "idle")
    w.plays({"text": "It works again."})
    w.room.says(topic, "again")
    w.room.sees("It works again.", topic)


def background(w):
    """A task in the background outlives an interrupt and ends with the session."""
    topic = w.room.begins()
    session, task = w.session()["id"], os.path.join(w.run.project, "task")
    w.room.presses(w.room.sees("Bash", topic, button="Approve"), "Approve")
    w.comes_to(session, "idle")
    pid = int(until("the task", lambda: os.path.exists(task) and open(task).read()))
    w.plays({"text": "x"}, {"text": "x"}, {"text": "slow", "delay": 20})
    w.room.says(topic, "something long")
    w.comes_to(session, "working")
    time.sleep(1)
    w.room.commands(topic, "interrupt")
    w.comes_to(session, "idle")
    expect(os.path.exists("/proc/%d" % pid), "the interrupt ended the task")
    w.room.commands(topic, "stop")
    w.comes_to(session, "ended")
    until("the end of the task", lambda: not os.path.exists("/proc/%d" % pid))
