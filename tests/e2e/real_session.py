#!/usr/bin/env python3
"""Sessions of the real Claude Code under `dmplz serve`: real_session.py HARNESS [SCENARIO...]

HARNESS is the folder of the harness that drives the client (its cc.py, fake_api.py); CLAUDE_BIN names the client, DMPLZ the program
(default target/debug/dmplz). The model is a fake one; the run is in a network namespace of its own where that is possible. The hooks of
`dmplz` are registered as well, so that a person who is asked twice is seen. Not part of CI: the client comes from npm.
"""
import json, os, signal, subprocess, sys, time

if len(sys.argv) < 2:
    sys.exit(__doc__)
sys.path.insert(0, sys.argv[1])
import cc  # noqa: E402

DMPLZ = os.path.abspath(os.environ.get("DMPLZ", "target/debug/dmplz"))
SOON = 60


class Session:
    """A gateway, and one prompt that is carried out under it."""

    def __init__(self, name, steps, mode="default", settings=None, **env):
        self.run = cc.Run(name, steps=steps, hook=DMPLZ + " hook", events=["PermissionRequest"], settings=settings, probe=False)
        bin_dir = os.path.join(self.run.dir, "bin")
        os.makedirs(bin_dir, exist_ok=True)
        os.symlink(cc.claude_bin(), os.path.join(bin_dir, "claude"))
        self.env = dict(self.run.env(), DMPLZ_LANG="en", DMPLZ_GATEWAY_PORT="0", **env)
        self.env["PATH"] = bin_dir + ":" + self.env["PATH"]
        self.gateway = None
        self.serve()
        self.out = open(os.path.join(self.run.dir, "run.log"), "w+")
        self.prompt = subprocess.Popen([DMPLZ, "run", "--mode", mode, "--", "please do it"], env=self.env, cwd=self.run.project,
                                       stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.STDOUT)

    def serve(self):
        if self.gateway:
            self.gateway.send_signal(signal.SIGKILL)
            self.gateway.wait()
        self.gateway = subprocess.Popen([DMPLZ, "serve", "--json"], env=self.env, cwd=self.run.dir, stdout=subprocess.PIPE, text=True)
        self.gateway.stdout.readline()

    def dmplz(self, *words):
        done = subprocess.run([DMPLZ, *words], env=self.env, cwd=self.run.project, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return done.stdout

    def open(self):
        text = self.dmplz("approvals", "list", "--json")
        return json.loads(text)["approvals"] if text else []

    def request(self):
        found = until("a request", self.open)
        time.sleep(1)  # A second one would be a hook's.
        found = self.open()
        assert len(found) == 1, "asked %d times: %s" % (len(found), found)
        assert found[0]["source"]["kind"] == "session", found
        return found[0]

    def end(self):
        code = self.prompt.wait(SOON)
        self.out.seek(0)
        return code, self.out.read()

    def sessions(self):
        text = self.dmplz("sessions", "list", "--json")
        return json.loads(text)["sessions"] if text else []

    def state(self):
        return self.sessions()[0]["state"]

    def results(self):
        lines = [json.loads(line) for line in open(os.path.join(self.run.log, "requests.jsonl"))]
        return [str(result.get("content")) for line in lines for result in line.get("tool_results", [])]

    def close(self):
        # A session outlives its gateway.
        for session in self.sessions():
            self.dmplz("sessions", "stop", session["id"])
        if self.gateway.poll() is None:
            until("the end of the session", lambda: all(session["state"] == "ended" for session in self.sessions()))
        for process in (self.prompt, self.gateway, self.run.api):
            process.kill()


def until(what, look):
    end = time.time() + SOON
    while time.time() < end:
        found = look()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError("waited in vain for " + what)


BASH = {"tool": "Bash", "input": {"command": "curl -s http://127.0.0.1:9/x; echo ran", "description": "fetch"}}


def approve(s):
    s.dmplz("approvals", "approve", s.request()["id"])
    code, out = s.end()
    assert code == 0 and "All done." in out, out
    assert any("ran" in result for result in s.results()), s.results()


def deny(s):
    s.dmplz("approvals", "deny", s.request()["id"], "--reason", "not here")
    code, out = s.end()
    assert code == 0 and any("Reason: not here" in result for result in s.results()), (out, s.results())


def killed(s):
    first = s.request()["id"]
    s.serve()
    until("the session", lambda: s.state() == "asking")
    assert s.request()["id"] == first
    s.dmplz("approvals", "approve", first)
    until("what was allowed", lambda: any("ran" in result for result in s.results()))
    until("the end of the turn", lambda: s.state() == "idle")


def interrupted(s):
    s.request()
    s.dmplz("sessions", "interrupt", s.sessions()[0]["id"])
    code, out = s.end()
    assert code == 1 and not s.open(), out


def expired(s):
    code, out = s.end()
    assert any("Nobody answered" in result for result in s.results()), (out, s.results())


def plan(s):
    request = s.request()
    assert request["offer"]["plan"], request
    s.dmplz("approvals", "approve", request["id"], "--auto-accept")
    code, out = s.end()
    assert any("approved your plan" in result for result in s.results()), (out, s.results())


def question(s):
    request = s.request()
    s.dmplz("approvals", "answer", request["id"], "--choose", "1=2")
    code, out = s.end()
    assert any("Blue" in result for result in s.results()), (out, s.results())


def own_rule(s):
    request = s.request()
    assert any("ask Bash" in line for line in request["subject"]["context"]), request["subject"]
    s.dmplz("approvals", "deny", request["id"])
    s.end()


QUESTION = {"tool": "AskUserQuestion", "input": {"questions": [{"question": "Which color?", "header": "Color", "multiSelect": False,
            "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]}]}}
PLAN = [{"tool": "Write", "input": {"file_path": "{{PLAN_FILE}}", "content": "# Plan\n\n1. do A\n"}}, {"tool": "ExitPlanMode", "input": {}}]
SCENARIOS = {
    "approve": (approve, [BASH], {}),
    "deny": (deny, [BASH], {}),
    "killed": (killed, [BASH], {}),
    "interrupted": (interrupted, [BASH], {}),
    "expired": (expired, [BASH], {"DMPLZ_QUESTION_TIMEOUT_MS": "2000"}),
    "plan": (plan, PLAN, {"mode": "plan"}),
    "question": (question, [QUESTION], {}),
    "own-rule": (own_rule, [BASH], {"settings": {"permissions": {"ask": ["Bash(curl *)"]}}}),
}


def main():
    cc.isolate()
    failed = 0
    for name in sys.argv[2:] or SCENARIOS:
        check, steps, options = SCENARIOS[name]
        session = Session("session-" + name, steps, **options)
        try:
            check(session)
            print("ok    ", name, flush=True)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            session.out.seek(0)
            print("FAILED", name, error, session.out.read(), flush=True)
        finally:
            session.close()
    sys.exit(1 if failed else 0)


main()
