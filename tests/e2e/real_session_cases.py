"""The scenarios of real_session.py: what each begins with, and what must be so in the end. What a case returns is said in the table."""
import json, os, random, signal, subprocess, sys, time

import real_session_led as led
from real_session_page import Page
from real_session_rooms import Discord, Telegram
from real_session_world import DMPLZ, expect, until

BASH = led.CURL
ONCE = {"tool": "Bash", "input": {"command": "curl -s http://127.0.0.1:9/x; echo ran >> ran-$DMPLZ_SESSION", "description": "note"}}
QUESTION = {"tool": "AskUserQuestion", "input": {"questions": [{"question": "Which color?", "header": "Color", "multiSelect": False,
            "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]}]}}
MANY = {"tool": "AskUserQuestion", "input": {"questions": [
    {"question": "Which parts?", "header": "Parts", "multiSelect": True, "options": [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}, {"label": "C", "description": "c"}]},
    {"question": "Which name?", "header": "Name", "multiSelect": False, "options": [{"label": "x", "description": "x"}, {"label": "y", "description": "y"}]}]}}
PLAN = [{"tool": "Write", "input": {"file_path": "{{PLAN_FILE}}", "content": "# Plan\n\n1. do A\n"}}, {"tool": "ExitPlanMode", "input": {}}]
SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "real_session_mcp.py")
MCP = {"settings": {"enableAllProjectMcpServers": True, "permissions": {"allow": ["mcp__tiny__ask"]}},
       "files": {"project/.mcp.json": {"mcpServers": {"tiny": {"command": sys.executable, "args": [SERVER]}}}}}


# -- one turn: `dmplz run -- PROMPT` -----------------------------------------------------------------
def approve(w):
    w.begin()
    w.approve(w.request())
    code, out = w.end()
    expect(code == 0 and "All done." in out, out)
    expect(any("ran" in result for result in w.results()), w.results())


def deny(w):
    w.begin()
    w.dmplz("approvals", "deny", w.request()["id"], "--reason", "not here")
    code, out = w.end()
    expect(code == 0 and any("Reason: not here" in result for result in w.results()), out, w.results())


def always(w):
    w.begin()
    request = w.request()
    expect(request["offer"]["always"], request["offer"])
    w.approve(request, "--always")
    code, out = w.end()
    rules = w.settings_local()
    expect(code == 0 and any(rule.startswith("Bash(curl") for rule in rules), rules, out)


def interrupted(w):
    w.begin()
    w.request()
    w.dmplz("sessions", "interrupt", w.session()["id"])
    code, out = w.end()
    expect(code == 1 and not w.open(), out)


def expired(w):
    w.begin()
    code, out = w.end()
    expect(any("Nobody answered" in result for result in w.results()), out, w.results())


def own_rule(w):
    w.begin()
    request = w.request()
    expect(any("ask Bash" in line for line in request["subject"]["context"]), request["subject"])
    w.dmplz("approvals", "deny", request["id"])
    w.end()


def question(w):
    w.begin()
    w.dmplz("approvals", "answer", w.request()["id"], "--choose", "1=2")
    code, out = w.end()
    expect(any("Blue" in result for result in w.results()), out, w.results())


def questions(w):
    w.begin()
    w.dmplz("approvals", "answer", w.request()["id"], "--choose", "1=1,3", "--say", "2=my own name")
    code, out = w.end()
    expect(any("my own name" in result and "A" in result and "C" in result for result in w.results()), out, w.results())


# -- plans: the three answers --------------------------------------------------------------------------
def plan_edits(w):
    session = w.start(mode="plan")
    request = w.request(session)
    expect(request["offer"]["plan"], request)
    w.approve(request, "--auto-accept")
    w.comes_to(session, "idle")
    expect(any("approved your plan" in result for result in w.results()), w.results())
    expect(w.session(session)["mode"] == "acceptEdits", w.session(session))


def plan_asks(w):
    session = w.start(mode="plan")
    w.approve(w.request(session))
    w.comes_to(session, "idle")
    expect(any("approved your plan" in result for result in w.results()), w.results())
    expect(w.session(session)["mode"] == "default", w.session(session))


def plan_denied(w):
    session = w.start(mode="plan")
    w.dmplz("approvals", "deny", w.request(session)["id"], "--reason", "smaller steps")
    w.comes_to(session, "idle")
    expect(any("smaller steps" in result for result in w.results()), w.results())
    expect(w.session(session)["mode"] == "plan", w.session(session))


# -- messages ------------------------------------------------------------------------------------------
def queue_kept(w):
    session = w.start()
    w.request(session)
    w.send(session, "and the tests")
    until("the message to wait", lambda: w.stages(session).get("and the tests") == "waiting")
    w.ok("session.interrupt", id=session)
    until("the message to be done", lambda: w.stages(session).get("and the tests") == "done")
    expect(not w.open(session) and "and the tests" in w.heard(), w.stages(session))


def queue_cancelled(w):
    session = w.start()
    w.request(session)
    for text in ("one more", "another"):
        w.send(session, text)
    until("the messages to wait", lambda: list(w.stages(session).values()).count("waiting") == 2)
    w.ok("session.interrupt", id=session, cancelQueued=True)
    w.comes_to(session, "idle")
    stages = w.stages(session)
    expect(stages["one more"] == "dropped" and stages["another"] == "dropped", stages)
    w.send(session, "a new turn")
    until("the turn", lambda: w.stages(session).get("a new turn") == "done")
    expect("one more" not in w.heard() and "a new turn" in w.heard(), "the model heard what was taken back")


def retracted(w):
    session = w.start()
    request = w.request(session)
    message = w.send(session, "never mind")
    until("the message to wait", lambda: w.stages(session).get("never mind") == "waiting")
    expect(w.ok("session.retract", id=session, messageId=message)["retracted"], "it was not taken back")
    w.approve(request)
    w.comes_to(session, "idle")
    expect("never mind" not in w.heard() and w.stages(session)["never mind"] == "dropped", w.stages(session))


# -- the session itself ----------------------------------------------------------------------------------
def model(w):
    session = w.start()
    w.comes_to(session, "idle")
    before = w.asked_model()[-1]["model"]
    w.ok("session.model", id=session, model="haiku")
    w.send(session, "again")
    until("the turn", lambda: w.stages(session).get("again") == "done")
    after = w.asked_model()[-1]["model"]
    expect(before != after and "haiku" in after, before, after)
    until("the model to be shown", lambda: "haiku" in w.session(session)["model"])
    w.ok("session.stop", id=session)
    w.comes_to(session, "ended")
    w.ok("session.resume", id=session, env=w.env)
    w.send(session, "once more")
    until("the turn", lambda: w.stages(session).get("once more") == "done")
    expect("haiku" in w.asked_model()[-1]["model"], "resumed with another model", w.asked_model()[-1])
    return "%s -> %s, and so when resumed" % (before, after)


def mode(w):
    session = w.start()
    w.comes_to(session, "idle")
    for wanted in ("acceptEdits", "plan", "default"):
        w.ok("session.mode", id=session, mode=wanted)
        until("the mode", lambda: w.session(session)["mode"] == wanted)
    for refused in ("bypassPermissions", "auto", "dontAsk"):
        expect("error" in w.call("session.mode", id=session, mode=refused), refused)


def resumed(w):
    session = w.start("remember the number 4711")
    w.comes_to(session, "idle")
    w.ok("session.mode", id=session, mode="plan")
    until("the mode", lambda: w.session(session)["mode"] == "plan")
    w.ok("session.stop", id=session)
    w.comes_to(session, "ended")
    w.ok("session.resume", id=session, env=w.env)
    w.send(session, "which number")
    until("the turn", lambda: w.stages(session).get("which number") == "done")
    expect("4711" in w.heard(), "the conversation is not there")
    expect(w.session(session)["mode"] == "plan", w.session(session))


def cleared(w):
    session = w.start("remember the number 4711")
    w.comes_to(session, "idle")
    w.send(session, "/clear")
    until("the command", lambda: w.stages(session).get("/clear") == "done")
    w.send(session, "after the clearing")
    until("the turn", lambda: w.stages(session).get("after the clearing") == "done")
    expect("4711" not in w.heard(), "the conversation is still there")
    w.plays({}, ONCE)
    w.send(session, "now do it")
    w.approve(w.request(session))
    w.comes_to(session, "idle")
    w.plays()
    w.ok("session.stop", id=session)
    w.comes_to(session, "ended")
    w.ok("session.resume", id=session, env=w.env)
    w.send(session, "what was there")
    until("the turn", lambda: w.stages(session).get("what was there") == "done")
    heard = w.heard()
    expect("4711" not in heard, "the resumed session is the one from before /clear")
    expect("after the clearing" in heard, "the resumed session has forgotten what came after /clear")


def background(w):
    session = w.start()
    w.approve(w.request(session))
    w.comes_to(session, "idle")
    pid = int(until("the task", lambda: os.path.exists(os.path.join(w.run.project, "task")) and open(os.path.join(w.run.project, "task")).read()))
    w.plays({"text": "x"}, {"text": "x"}, {"text": "slow", "delay": 20})
    w.send(session, "something long")
    w.comes_to(session, "working")
    time.sleep(1)
    w.ok("session.interrupt", id=session)
    w.comes_to(session, "idle")
    expect(os.path.exists("/proc/%d" % pid), "the interrupt ended the task")
    w.ok("session.stop", id=session)
    w.comes_to(session, "ended")
    until("the end of the task", lambda: not os.path.exists("/proc/%d" % pid))


def model_error(w):
    session = w.start()
    w.comes_to(session, "idle")
    failed = [event for event in w.events(session) if event["kind"] == "turn"]
    expect(failed and not failed[-1]["ok"] and "prompt is bad" in (failed[-1]["text"] or ""), failed)
    w.plays({"text": "It works again."})
    w.send(session, "again")
    until("the turn", lambda: w.stages(session).get("again") == "done")
    expect(w.events(session)[-1].get("ok"), w.events(session)[-1])


def elicited(w):
    session = w.start()
    request = w.request(session)
    expect([it["header"] for it in request["offer"]["questions"]] == ["MCP tiny", "MCP tiny"], request["offer"])
    w.serve()
    expect(w.request(session)["id"] == request["id"], "another request after a kill")
    w.dmplz("approvals", "answer", request["id"], "--say", "1=Ada", "--choose", "2=blue")
    w.comes_to(session, "idle")
    answer = json.loads([result for result in w.results() if "action" in result][-1][1:-1].split("'text': '")[1].split("'}")[0])
    expect(answer == {"action": "accept", "content": {"name": "Ada", "colour": "blue"}}, answer)
    return json.dumps(answer)


def elicited_denied(w):
    session = w.start()
    w.dmplz("approvals", "deny", w.request(session)["id"])
    w.comes_to(session, "idle")
    expect(any('"decline"' in result for result in w.results()), w.results())


def elicited_interrupted(w):
    session = w.start()
    w.request(session)
    w.ok("session.interrupt", id=session)
    w.comes_to(session, "idle")
    expect(not w.open(session), "it is still open")


def forked(w):
    session = w.start("remember the number 4711")
    w.comes_to(session, "idle")
    fork = w.ok("session.fork", id=session, env=w.env)["session"]["id"]
    w.send(fork, "which number")
    until("the turn", lambda: w.stages(fork).get("which number") == "done")
    expect("4711" in w.heard(), "the conversation is not there")
    w.send(session, "and here")
    until("the turn", lambda: w.stages(session).get("and here") == "done")
    expect("which number" not in w.heard(), "the two share a conversation")
    for it in (session, fork):
        w.ok("session.stop", id=it)
        w.comes_to(it, "ended")
    w.ok("session.resume", id=fork, env=w.env)
    w.send(fork, "still there")
    until("the turn", lambda: w.stages(fork).get("still there") == "done")
    expect("which number" in w.heard() and "4711" in w.heard(), "the resumed fork is another conversation")


def undone(w):
    path = os.path.join(w.run.project, "a.txt")
    session = w.start("write it", mode="acceptEdits")
    w.comes_to(session, "idle")
    expect(open(path).read() == "one\ntwo\n", "not written")
    w.plays({}, {}, {"tool": "Edit", "input": {"file_path": path, "old_string": "two", "new_string": "three"}})
    w.send(session, "edit it")
    until("the turn", lambda: w.stages(session).get("edit it") == "done")
    w.comes_to(session, "idle")
    expect(open(path).read() == "one\nthree\n", open(path).read())
    seen = w.ok("session.undo", id=session)
    expect(seen["undo"]["files"] == [path] and (seen["undo"]["insertions"], seen["undo"]["deletions"]) == (1, 1) and not seen["done"], seen)
    expect(seen["text"] == "edit it" and open(path).read() == "one\nthree\n", seen)
    other = dict(seen["undo"], deletions=2)
    expect(w.call("session.undo", id=session, confirm=other).get("error", {}).get("code") == -32003, "undone though it was not seen")
    w.dmplz("sessions", "undo", session, "--yes")
    expect(open(path).read() == "one\ntwo\n", open(path).read())
    return "+%(insertions)d -%(deletions)d" % seen["undo"]


# -- kills -------------------------------------------------------------------------------------------------
def killed(w):
    session = w.start()
    first = w.request(session)["id"]
    w.serve()
    until("the session", lambda: w.session(session)["state"] == "asking")
    expect(w.request(session)["id"] == first, "another request")
    w.approve({"id": first})
    until("what was allowed", lambda: any("ran" in result for result in w.results()))
    w.comes_to(session, "idle")


def kill_storm(w, rounds=int(os.environ.get("ROUNDS", "50"))):
    """Kills the gateway at any moment of a turn, and again while the answer is given."""
    rng, ran, denied = random.Random(15), 0, 0
    for number in range(rounds):
        session = w.start("do number %d" % number)
        time.sleep(rng.random() * 2.0)
        w.serve()
        request = w.request(session)
        is_allowed = number % 5 != 4
        words = ("approve", request["id"]) if is_allowed else ("deny", request["id"], "--reason", "no")
        answering = subprocess.Popen([DMPLZ, "approvals", *words], env=w.env,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.random() * 0.15)
        w.serve()
        answering.wait()
        # What was not confirmed may be open still, under the same id, and is answered again; what was confirmed is not asked again.
        again = until("the end of the request", lambda: w.open(session) or w.session(session)["state"] == "idle")
        if again is not True:
            expect([it["id"] for it in again] == [request["id"]], "asked again under another id", again)
            w.dmplz("approvals", *words)
        w.comes_to(session, "idle")
        path = os.path.join(w.run.project, "ran-" + session)
        times = open(path).read().count("ran") if os.path.exists(path) else 0
        expect(times == (1 if is_allowed else 0), "round %d: ran %d times" % (number, times))
        prompts = [event for event in w.events(session) if event["kind"] == "message"]
        expect(len(prompts) == 1, "round %d: the prompt was taken %d times" % (number, len(prompts)))
        ran, denied = ran + times, denied + (not is_allowed)
        w.ok("session.stop", id=session)
    return "%d kills, %d calls ran once each, %d denied" % (w.kills, ran, denied)


def keeper_killed(w):
    session = w.start("remember the number 4711")
    w.request(session)
    keeper = w.keeper(session)
    expect(len(keeper) == 1, keeper)
    os.kill(keeper[0], signal.SIGKILL)
    w.comes_to(session, "ended")
    expect(not w.open(session), "its request is still open")
    until("the end of the client", lambda: not w.keeper(session))
    w.plays({"text": "I am back."})
    w.ok("session.resume", id=session, env=w.env)
    w.send(session, "which number")
    until("the turn", lambda: w.stages(session).get("which number") == "done")
    expect("4711" in w.heard(), "the conversation is not there")


def twenty(w, count=int(os.environ.get("SESSIONS", "20"))):
    began = time.time()
    sessions = [w.start("do number %d" % number) for number in range(count)]
    until("all requests", lambda: len(w.open()) == count, 180)
    asked = time.time() - began
    for request in w.open():
        w.approve(request)
    until("all turns", lambda: all(w.session(session)["state"] == "idle" for session in sessions), 180)
    for session in sessions:
        ran = open(os.path.join(w.run.project, "ran-" + session)).read()
        expect(ran.count("ran") == 1, session, ran)
    keepers = [pid for session in sessions for pid in w.keeper(session)]
    own = [int(line.split()[1]) for pid in keepers for line in open("/proc/%d/status" % pid) if line.startswith("RssAnon")]
    return "all %d asked after %.0f s; a keeper's own memory is at most %d KiB" % (count, asked, max(own))


SLEEP = {"tool": "Bash", "input": {"command": "echo $$ > task; curl -s http://127.0.0.1:9/x; sleep 300", "description": "wait", "run_in_background": True}}
ERROR = {"error": {"status": 400, "type": "invalid_request_error", "message": "prompt is bad"}}
ASK = {"tool": "mcp__tiny__ask", "input": {}}
WRITE = {"tool": "Write", "input": {"file_path": "a.txt", "content": "one\ntwo\n"}}


def plan_led(*expected):
    return lambda w: led.planned(w, PLAN, *expected)


# What is led from each room, as a person would.
LED = {
    "approve": (led.approved, [led.NOTED], {}),
    "deny": (led.denied, [led.NOTED], {}),
    "always": (led.always, [BASH], {}),
    "revoked": (led.revoked, [BASH], {}),
    "kept": (led.kept, [BASH], {}),
    "unasked": (led.unasked, [], {"DMPLZ_RUN_MODES": "dont-ask"}),
    "plan-edits": (plan_led("auto-accept", "approved your plan", "acceptEdits"), [], {}),
    "plan-asks": (plan_led("manually", "approved your plan", "default"), [], {}),
    "plan-denied": (plan_led("keep planning", "smaller steps", "plan"), [], {}),
    "question": (led.asked, [QUESTION], {}),
    "elicited": (led.elicited, [ASK], MCP),
    "queued": (led.queued, [led.NOTED], {}),
    "interrupted": (led.interrupted, [led.NOTED], {}),
    "streamed": (led.streamed, [{"text": " ".join("word%d" % at for at in range(1, 41))}], {"paced": True}),
    "resumed": (led.stopped, [led.NOTED], {}),
    "cleared": (led.cleared, [], {}),
    "forked": (led.forked, [], {}),
    "undone": (led.undone, [WRITE], {}),
    "filed": (led.filed, [led.NOTED], {}),
    "background": (led.background, [SLEEP], {}),
    "model-error": (led.model_error, [ERROR], {}),
}


# Name: what is checked, what the model does, and what the world begins with.
CASES = {
    "approve": (approve, [BASH], {}),
    "deny": (deny, [BASH], {}),
    "always": (always, [BASH], {}),
    "interrupted": (interrupted, [BASH], {}),
    "expired": (expired, [BASH], {"DMPLZ_QUESTION_TIMEOUT_MS": "2000"}),
    "own-rule": (own_rule, [BASH], {"settings": {"permissions": {"ask": ["Bash(curl *)"]}}}),
    "question": (question, [QUESTION], {}),
    "questions": (questions, [MANY], {}),
    "plan-edits": (plan_edits, PLAN, {}),
    "plan-asks": (plan_asks, PLAN, {}),
    "plan-denied": (plan_denied, PLAN, {}),
    "queue-kept": (queue_kept, [BASH], {}),
    "queue-cancelled": (queue_cancelled, [BASH], {}),
    "retracted": (retracted, [BASH], {}),
    "model": (model, [], {}),
    "mode": (mode, [], {}),
    "resumed": (resumed, [], {}),
    "cleared": (cleared, [], {}),
    "background": (background, [SLEEP], {}),
    "model-error": (model_error, [ERROR], {}),
    "elicited": (elicited, [ASK], MCP),
    "elicited-denied": (elicited_denied, [ASK], MCP),
    "elicited-interrupted": (elicited_interrupted, [ASK], MCP),
    "forked": (forked, [], {}),
    "undone": (undone, [WRITE], {}),
    "killed": (killed, [BASH], {}),
    "keeper-killed": (keeper_killed, [BASH], {}),
    **{"%s-%s%s" % (where, name, "-killed" if kills else ""): (check, steps, dict(options, room=room, kills=kills))
       for kills in (False, True) for where, room in (("telegram", Telegram), ("discord", Discord), ("page", Page))
       for name, (check, steps, options) in LED.items()},
    "twenty": (twenty, [ONCE], {}),
    "kill-storm": (kill_storm, [ONCE], {}),
}
