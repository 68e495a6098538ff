"""One gateway with sessions of the real Claude Code, and the person who leads them: what real_session.py plays in."""
import http.client, http.server, json, os, signal, socket, subprocess, threading, time

import cc  # The harness, whose folder real_session.py puts in the path.

# The gateway and the sessions work in folders of their own.
DMPLZ = os.path.abspath(os.environ.get("DMPLZ", "target/debug/dmplz"))
SOON = float(os.environ.get("SOON", "60"))


class Failed(AssertionError):
    """What a scenario expected is not so."""


def until(what, look, soon=SOON):
    end = time.time() + soon
    while time.time() < end:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise Failed("waited in vain for " + what)


def expect(is_so, *shown):
    if not is_so:
        raise Failed(*shown)


class Wire:
    """A program that speaks to the gateway over its Unix socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(SOON)
        self.socket.connect(path)
        self.lines, self.last = self.socket.makefile("rwb"), 0

    def call(self, method, **params):
        self.last += 1
        self.lines.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}).encode() + b"\n")
        self.lines.flush()
        while True:
            line = self.lines.readline()
            if not line:
                raise ConnectionError("the gateway is gone")
            said = json.loads(line)
            if said.get("id") == self.last:
                return said


    def listen(self):
        """Hears what it is told, so that there is a surface that can answer."""
        self.socket.settimeout(None)
        try:
            while self.lines.readline():
                pass
        except OSError:
            pass


class Paced(http.server.BaseHTTPRequestHandler):
    """The fake model, through a connection that lets a word of a text pass each `PAUSE` seconds, as a model writes."""

    PAUSE, port = 0.25, 0
    protocol_version = "HTTP/1.0"

    def log_message(self, *words):
        pass

    def passes_on(self):
        model = http.client.HTTPConnection("127.0.0.1", self.port)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        model.request(self.command, self.path, body, {"content-type": "application/json"})
        answer = model.getresponse()
        self.send_response(answer.status)
        self.send_header("content-type", answer.headers["content-type"])
        self.end_headers()
        for line in answer:
            self.lets_pass(line)

    do_GET = do_POST = do_HEAD = passes_on

    def lets_pass(self, line):
        said = json.loads(line[6:]) if line.startswith(b"data: {") else {}
        text = said.get("delta", {}).get("text")
        for word in text.split(" ") if text else ():
            part = dict(said, delta=dict(said["delta"], text=word + " "))
            self.wfile.write(b"data: %s\n\nevent: content_block_delta\n" % json.dumps(part).encode())
            time.sleep(self.PAUSE)
        self.wfile.write(b"data: %s\n" % json.dumps(dict(said, delta=dict(said["delta"], text="."))).encode() if text else line)


class World:
    """A home, a fake model and a gateway. The hooks of `dmplz` are registered as well, so that a person who is asked twice is seen."""

    def __init__(self, name, steps, settings=None, files=None, room=None, kills=False, paced=False, **env):
        self.run = cc.Run(name, steps=steps, hook=DMPLZ + " hook", events=["PermissionRequest"], settings=settings, probe=False, home_files=files)
        bin_dir = os.path.join(self.run.dir, "bin")
        os.makedirs(bin_dir, exist_ok=True)
        os.symlink(cc.claude_bin(), os.path.join(bin_dir, "claude"))
        self.env = dict(self.run.env(), DMPLZ_LANG="en", DMPLZ_GATEWAY_PORT="0", **env)
        self.env["PATH"] = bin_dir + ":" + self.env["PATH"]
        if paced:
            model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Model", (Paced,), {"port": self.run.port}))
            threading.Thread(target=model.serve_forever, daemon=True).start()
            self.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:%d" % model.server_address[1]
        self.state = os.path.join(self.run.home, ".claude", "dm-plz")
        self.gateway, self.prompt, self.kills = None, None, 0
        self.room = room and room()
        if self.room:
            self.room.world, self.room.kills = self, kills
            self.env.update(self.room.settings, DMPLZ_RUN_FOLDERS=self.run.project)
        self.serve()

    # -- the gateway -------------------------------------------------------------------------------
    def serve(self):
        """Starts a gateway; one that runs is killed first."""
        if self.gateway:
            self.gateway.send_signal(signal.SIGKILL)
            self.gateway.wait()
            self.kills += 1
        self.gateway = subprocess.Popen([DMPLZ, "serve", "--json"], env=self.env, cwd=self.run.dir, stdout=subprocess.PIPE, text=True)
        self.gateway.stdout.readline()
        self.surface = Wire(os.path.join(self.state, "gateway.sock"))
        self.surface.call("events.subscribe", types=["approval.requested", "session.event"])
        threading.Thread(target=self.surface.listen, daemon=True).start()

    def call(self, method, **params):
        return Wire(os.path.join(self.state, "gateway.sock")).call(method, **params)

    def ok(self, method, **params):
        said = self.call(method, **params)
        expect("result" in said, method, said)
        return said["result"]

    def dmplz(self, *words):
        done = subprocess.run([DMPLZ, *words], env=self.env, cwd=self.run.project, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        expect(done.returncode == 0, words, done.stderr)
        return done.stdout

    # -- sessions ----------------------------------------------------------------------------------
    def begin(self, mode="default"):
        """`dmplz run -- PROMPT` where there is no terminal: one turn, and the session ends with it."""
        self.out = open(os.path.join(self.run.dir, "run.log"), "w+")
        self.prompt = subprocess.Popen([DMPLZ, "run", "--mode", mode, "--", "please do it"], env=self.env, cwd=self.run.project,
                                       stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.STDOUT)

    def end(self):
        code = self.prompt.wait(SOON)
        self.out.seek(0)
        return code, self.out.read()

    def start(self, prompt="please do it", **wanted):
        """A session that goes on until it is stopped. Its id."""
        started = self.ok("session.start", cwd=self.run.project, prompt=prompt, env=self.env, **wanted)
        return started["session"]["id"]

    def send(self, session, text):
        return self.ok("session.send", id=session, text=text)["messageId"]

    def session(self, session=None):
        all_of_them = self.ok("session.list")["sessions"]
        return next(it for it in all_of_them if session in (None, it["id"]))

    def events(self, session):
        return [it["event"] for it in self.ok("session.get", id=session)["events"]]

    def said(self, session, kind="text"):
        return [event.get("text") or event.get("line") or "" for event in self.events(session) if event["kind"] == kind]

    def comes_to(self, session, state):
        until("%s to be %s" % (session, state), lambda: self.session(session)["state"] == state)

    def stages(self, session):
        return {it["text"]: it["stage"] for it in self.session(session)["queue"]}

    def keeper(self, session):
        """The process that holds the session's pipes."""
        found = subprocess.run(["pgrep", "-f", "keeper .*" + session], capture_output=True, text=True).stdout.split()
        return [int(pid) for pid in found if "client" not in open("/proc/%s/cmdline" % pid).read().split("\0")]

    # -- requests ----------------------------------------------------------------------------------
    def open(self, session=None):
        listed = self.ok("approvals.list", status="open")["approvals"]
        return [it for it in listed if session in (None, it["source"].get("sessionId"))]

    def request(self, session=None):
        found = until("a request", lambda: self.open(session))
        time.sleep(0.7)  # A second one would be a hook's.
        found = self.open(session)
        expect(len(found) == 1, "asked %d times: %s" % (len(found), found))
        expect(found[0]["source"]["kind"] == "session", found)
        return found[0]

    def approve(self, request, *words):
        self.dmplz("approvals", "approve", request["id"], *words)

    def settings_local(self):
        """The rules that Claude Code stored for this project."""
        path = os.path.join(self.run.project, ".claude", "settings.local.json")
        return json.load(open(path))["permissions"]["allow"] if os.path.exists(path) else []

    # -- the model ---------------------------------------------------------------------------------
    def plays(self, *steps):
        """From now on the model does this, beginning with its next message."""
        json.dump({"steps": list(steps)}, open(self.run.script + ".new", "w"))
        os.rename(self.run.script + ".new", self.run.script)

    def requests(self):
        path = os.path.join(self.run.log, "requests.jsonl")
        lines = open(path).read().splitlines() if os.path.exists(path) else []
        return [json.loads(line) for line in lines]

    def asked_model(self):
        return [it for it in self.requests() if it.get("kind") == "main"]

    def heard(self):
        """Everything that the model was sent last."""
        number = self.asked_model()[-1]["n"]
        return open(os.path.join(self.run.log, "body-%03d.json" % number)).read()

    def results(self):
        return [str(result.get("content")) for line in self.requests() for result in line.get("tool_results", [])]

    def close(self):
        # A session outlives its gateway.
        if self.gateway.poll() is not None:
            self.serve()
        running = [it["id"] for it in self.ok("session.list")["sessions"] if it["state"] != "ended"]
        for session in running:
            self.call("session.stop", id=session)
        until("the end of the sessions", lambda: all(it["state"] == "ended" for it in self.ok("session.list")["sessions"]))
        for process in filter(None, (self.prompt, self.gateway, self.run.api)):
            process.kill()
            process.wait()
        if self.room:
            self.room.close()
