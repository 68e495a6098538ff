"""The scenarios of real_session.py that are led from a chat, on the messenger of the room."""
import os, time

from real_session_world import expect, until


def approved(w):
    topic = w.room.begins()
    card = w.room.sees("Bash", topic, button="Approve")
    w.request()
    w.room.chatters(topic, "ok")
    time.sleep(1)
    expect(w.open(), "a text allowed it")
    w.room.presses(card, "Approve")
    w.room.sees("done", topic, after=card["message"])
    expect(any("ran" in result for result in w.results()), w.results())
    expect(len(w.room.does("commands", language="ko")) == 12, w.room.does("commands", language="ko"))
    w.room.is_clean()


def denied(w):
    topic = w.room.begins()
    card = w.room.sees("Bash", topic, button="Deny")
    w.room.denies(topic, card, "not here")
    until("the denial", lambda: any("Reason: not here" in result for result in w.results()))
    w.room.sees("done", topic, after=card["message"])
    w.room.is_clean()


def planned(w):
    topic = w.room.begins("wait")
    w.comes_to(w.session()["id"], "idle")
    w.room.says(topic, "/mode plan")
    until("the mode", lambda: w.session()["mode"] == "plan")
    w.plays({}, *w.plan)
    w.room.says(topic, "plan it")
    card = w.room.sees("do A", topic, button="manually")
    w.room.presses(card, "manually")
    until("the approval", lambda: any("approved your plan" in result for result in w.results()))
    w.comes_to(w.session()["id"], "idle")
    w.room.is_clean()


def asked(w):
    topic = w.room.begins()
    card = w.room.sees("Which color?", topic, button="Blue")
    w.room.presses(card, "Blue")
    w.room.presses(w.room.sees("→ Blue", topic, button="Submit"), "Submit")
    until("the answer", lambda: any("Blue" in result for result in w.results()))
    w.room.is_clean()


def stopped(w):
    """Interrupted while it asks, then resumed with its mode in the same topic."""
    topic = w.room.begins()
    card = w.room.sees("Bash", topic, button="Approve")
    w.room.says(topic, "/interrupt")
    until("the end of the request", lambda: not w.open())
    w.room.sees("did not go to its end", topic, after=card["message"])
    session = w.session()["id"]
    w.plays()
    w.room.says(topic, "/mode accept-edits")
    until("the mode", lambda: w.session()["mode"] == "acceptEdits")
    w.room.says(topic, "/stop")
    w.comes_to(session, "ended")
    ended = w.room.sees("the session has ended", topic)
    w.room.says(topic, "/resume")
    w.comes_to(session, "idle")
    w.serve()
    w.room.says(topic, "remember the number 4711")
    until("the turn", lambda: w.stages(session).get("remember the number 4711") == "done")
    w.room.sees("done", topic, after=ended["message"])
    expect(w.session()["mode"] == "acceptEdits" and len(w.room.topics()) == 1, w.session(), w.room.topics())
    w.room.is_clean()


def undone(w):
    path = os.path.join(w.run.project, "a.txt")
    topic = w.room.begins()
    card = w.room.sees("Write", topic, button="Approve")
    w.room.presses(card, "Approve")
    w.comes_to(w.session()["id"], "idle")
    expect(open(path).read() == "one\ntwo\n", "not written")
    w.room.says(topic, "/undo")
    offered = w.room.sees("undo the edits", topic, button="Undo exactly this")
    expect(path in offered["text"] and "+0 −2" in offered["text"], offered)
    w.room.presses(offered, "Undo exactly this")
    until("the undo", lambda: not os.path.exists(path) or open(path).read() == "")
    until("the event", lambda: any(event["kind"] == "undone" for event in w.events(w.session()["id"])))
    w.room.is_clean()
