#!/usr/bin/env python3
"""Drives the real Claude Code with our hook, and plays the person on a fake messenger.

  tests/e2e/real_client.py HARNESS [SCENARIO...]     all of them when none is named
      --dmplz FILE    the program under test  (default target/release/dmplz)
      --serve FILE    the fake messenger      (default target/debug/examples/serve, which
                      `cargo build -p dmplz-fakes --example serve` builds)
      --discord       ask on a fake Discord channel instead: by reactions, and with --gateway by buttons and forms
      --gateway       with `dmplz serve` beside the client: every hook asks through it
      --plugin        register the hooks by host/dmplz/plugin, not by `dmplz install`
      --keep DIR      where runs, reports and what the chat saw are kept

HARNESS runs the client against a fake model in a network namespace of its own:
`HARNESS --scenario NAME --event EVENT=CMD --before CMD --env K=V --home-file SRC:DEST --json FILE`. It is no part of
this repository, and it installs the client from npm, so none of this is part of CI.

For each scenario: the harness's own checks hold, the card's last state is the true one, it came soon enough, no lock
and no open card is left, and the fake saw nothing that the messenger's API does not know.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PORT, TOKEN = 18443, "42:real-client"
THINKS = 0.7  # seconds that the person looks at a card
REASON = "use the build script instead"
TERMINAL = "It was answered in the terminal."
STOPPED = "Claude Code stopped this request."
GONE = "Claude Code has ended."

RULE = """[[rule]]
toolName = "Bash"
commandPrefix = "touch"
decision = "%s"
priority = 1
denyMessage = "A rule says: no new files."
"""

# What the client is to have stored, by the file that it wrote: what the harness calls it, and what must be in it.
LOCAL, PROJECT, USER = "project/.claude/settings.local.json", "project/.claude/settings.json", "home/.claude/settings.json"
CURL, FETCH = "Bash(curl -s http://127.0.0.1:9/x)", "WebFetch(domain:example.com)"
SCOPE, JUST_YOU = "🔄 Scope: ", "this project (just you)"
ALWAYS = "Yes, allow <Bash> for "

# What the person does on every card, and how each card must look in the end. `press`: one button, or one after the other;
# each by a part of its label; `react`: the same where answers are reactions, if it differs. `soon`: seconds from what ended
# the request (a key in the terminal, the client's time-out or its death; `at`, from the request on) to that last look.
# `stored`: what is in which of the client's files, and in no other one. `steps`: what the harness's scenario is to do
# instead of its own steps.
SCENARIOS = {
    "bash-allow": dict(press="✅ Approve", ends=["✅ Approved: Bash"]),
    "bash-deny": dict(press="❌ Deny", says=REASON, ends=["❌ Denied: Bash", "Reason: " + REASON], model=REASON),
    "bash-deny-skip": dict(run="bash-deny", press="❌ Deny", then="Deny without a reason", ends=["❌ Denied: Bash", "No reason given"]),
    # The scenario's second command is another one. The client suggests a rule for the first one only, so that is what the
    # session gets, and the second is asked.
    "bash-allow-always": dict(press="🔄 For the session", ends=["🔄 Approved for the session: Bash"], cards=2,
                              known=["2 permission requests, not 1"]),
    # The same command twice: once it is stored, the client must not ask again.
    "always-local": dict(run="bash-allow-always", steps=2 * ["CURL('x')"], press=ALWAYS + JUST_YOU, react="💾",
                         ends=["💾 Always allowed: Bash", "→ " + JUST_YOU], stored={LOCAL: CURL}),
    "always-user": dict(run="bash-allow-always", steps=2 * ["CURL('x')"], press=[SCOPE + JUST_YOU, ALWAYS + "all projects"], react="🌐",
                        ends=["💾 Always allowed: Bash", "→ all projects"], stored={USER: CURL}),
    "always-project": dict(run="bash-allow-always", steps=2 * ["CURL('x')"],
                           press=[SCOPE + JUST_YOU, SCOPE + "all projects", ALWAYS + "this project (shared)"], react="👥",
                           ends=["💾 Always allowed: Bash", "→ this project (shared)"], stored={PROJECT: CURL}),
    "always-session": dict(run="bash-allow-always", steps=2 * ["CURL('x')"], reactions=False,
                           press=[SCOPE + JUST_YOU, SCOPE + "all projects", SCOPE + "this project (shared)", ALWAYS + "this session"],
                           ends=["💾 Always allowed: Bash", "→ this session"], stored={}),
    # The mode keeps its own destination, the session: nothing is written.
    "write-always": dict(run="write-allow", press="Yes, always allow for this session", react="💾", ends=["💾 Always allowed: Write"], stored={}),
    "subagent-always": dict(run="subagent-bash", press="Yes, allow access to 1 directory for " + JUST_YOU, react="💾", ends=["💾 Always allowed: Bash"],
                            stored={LOCAL: "/project"}),
    "parallel-always": dict(run="parallel", press="Yes, allow <WebFetch> for " + JUST_YOU, react="💾", ends=["💾 Always allowed: WebFetch"], cards=2,
                            stored={LOCAL: FETCH}),
    "bash-tell": dict(run="bash-deny", press="💬 Tell Claude", says=REASON, ends=["❌ Denied: Bash", "Instead: " + REASON],
                      model="said what to do instead: " + REASON, stored={}),
    "ask-user-question": dict(press=["2️⃣ Blue", "▫️ Cheese", "▫️ Ham", "👉 Next", "📨 Submit"], ends=["📨 Answered: AskUserQuestion"],
                              model='\\"Which color?\\"=\\"Blue\\"'),
    "ask-back": dict(run="ask-user-question", press=["2️⃣ Blue", "👈 Back", "1️⃣ Red", "▫️ Basil", "👉 Next", "📨 Submit"],
                     ends=["📨 Answered: AskUserQuestion"], model='\\"Which color?\\"=\\"Red\\"'),
    "ask-own-words": dict(run="ask-user-question", press=["📝 Other", "▫️ Cheese", "👉 Next", "📨 Submit"], says="green, please",
                          ends=["📨 Answered: AskUserQuestion"], model="green, please"),
    "write-allow": dict(press="✅ Approve", ends=["✅ Approved: Write"]),
    "exit-plan-mode": dict(press="⏩ Yes, and auto-accept", ends=["✅ Approved: ExitPlanMode"]),
    "plan-manual": dict(run="exit-plan-mode", press="✅ Yes, and manually", ends=["✅ Approved: ExitPlanMode"]),
    "exit-plan-mode-deny": dict(press="❌ No, keep planning", says=REASON, ends=["❌ Denied: ExitPlanMode"], model=REASON),
    "hook-timeout": dict(ends=["↩️ Settled elsewhere: Bash", STOPPED], timeout=3, at=3, soon=1.5),
    "terminal-first": dict(ends=["↩️ Settled elsewhere: Bash", TERMINAL], at=2, soon=1.5),
    "terminal-first-no": dict(ends=["↩️ Settled elsewhere: Bash", STOPPED], at=2, soon=1.5),
    "subagent-bash": dict(press="✅ Approve", ends=["✅ Approved: Bash"]),
    "parallel": dict(press="❌ Deny", says=REASON, ends=["❌ Denied: WebFetch"], cards=2, model=REASON),
    "client-killed": dict(ends=["↩️ Settled elsewhere: Bash", GONE], at=2.2, soon=1.5),
    "ask-terminal-first": dict(ends=["↩️ Settled elsewhere: AskUserQuestion", TERMINAL], at=2, soon=1.5),
    "auto-mode-flagged": dict(press="❌ Deny", says=REASON, ends=["❌ Denied: Bash"], model=REASON),
    "sdk-allow": dict(press="✅ Approve", ends=["✅ Approved: Bash"]),
    "sdk-host-first": dict(ends=["↩️ Settled elsewhere: Bash", TERMINAL], at=2, soon=1.5),
    # Answered by a rule: nobody is asked.
    "policy-allow": dict(run="bash-allow", policy=RULE % "allow", ends=[], cards=0),
    "policy-deny": dict(run="bash-deny", policy=RULE % "deny", ends=[], cards=0, model="A rule says: no new files."),
    "policy-ask": dict(run="bash-allow", policy=RULE % "ask_user", press="✅ Approve", ends=["✅ Approved: Bash"]),
    "print-allow": dict(press="✅ Approve", ends=["✅ Approved: Bash"]),
    "print-deny": dict(press="❌ Deny", says=REASON, ends=["❌ Denied: Bash"], model=REASON),
}


# What a message says that wants words, and the button that opens a form for them.
WRITE = "✍️ Write"
# What stands before the labels of reactions.
LEGEND = "Answer with a reaction: "
PROMPTS = ("why you deny", "what Claude should do instead", "what to change in the plan", "write your answer")


def human(fake, action, **query):
    """Tells the fake what the person does, or asks what there is."""
    url = f"{fake['human']}/{action}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(urllib.request.Request(url, method="POST"), timeout=20) as answer:
        return json.load(answer)


def person(args, name):
    """Serves the fake, acts on what comes, and writes down what the chat shows, until it is stopped."""
    plan, keep = SCENARIOS[name], args.person
    messenger = "discord" if args.discord else "telegram"
    server = subprocess.Popen([args.serve, messenger, str(PORT), TOKEN], stdout=subprocess.PIPE, text=True)
    fake = json.loads(server.stdout.readline())
    if args.discord:
        chat = f"discord_channel_id = \"{fake['channel']}\"\nallowed_users = [\"{fake['user']}\"]\n"
    else:
        chat = f"telegram_chat_id = \"{fake['chat']}\"\n"
    with open(os.path.join(keep, "state/config.toml"), "w") as config:
        config.write(chat)
    if args.gateway:
        with open(os.path.join(keep, "gateway.txt"), "w") as said:
            subprocess.Popen([args.dmplz, "serve", "--port", "0"], env=settings(args, keep), stdout=said, stderr=subprocess.STDOUT)
    done, shown, since, known = set(), {}, {}, 0
    presses = by_reactions(args) and plan.get("react") or plan.get("press") or []
    presses, pressed = ([presses] if isinstance(presses, str) else presses), {}
    with open(os.path.join(keep, "chat.jsonl"), "w") as log:
        def write(**line):
            log.write(json.dumps(dict(line, at=time.time()), ensure_ascii=False) + "\n")
            log.flush()
        while True:
            for message in map(look, human(fake, "messages")):
                number, offers = message["message"], message["offers"]
                if shown.get(number) != message:
                    shown[number] = message
                    write(message=message)
                # What is offered changes with every step, so each is taken once.
                about = request(message)
                at = pressed.get(about, 0)
                step = (number, at, tuple(sorted(offers)))
                if step in done or message["from"] in ("Jin", "jin") or time.time() - since.setdefault(step, time.time()) < THINKS:
                    continue
                wanted = [*presses[at:at + 1], plan.get("then")]
                if button := next((offer for name in wanted if name for offer in offers if name in offer), None):
                    done.add(step)
                    pressed[about] = at + 1
                    write(pressed=button, told=press(args, fake, plan, number, button))
                elif plan.get("says") and any(words in message["text"] for words in PROMPTS):
                    done.add(step)
                    if by_forms(args):
                        button = next(offer for offer in offers if offer.startswith(WRITE))
                        write(pressed=button, told=press(args, fake, plan, number, button))
                        continue
                    write(said=plan["says"], told=human(fake, "reply", message=number, text=plan["says"]))
                elif plan.get("then") and by_reactions(args) and "why you deny" in message["text"]:
                    done.add(step)
                    write(said="no_reason", told=human(fake, "reply", message=number, text="no_reason"))
            violations = human(fake, "violations")
            if len(violations) > known:
                known = len(violations)
                write(violations=violations)
            time.sleep(0.02)


def by_forms(args):
    """Whether words are asked for by forms: Discord's gateway."""
    return args.discord and args.gateway


def by_reactions(args):
    """Whether a card is answered by reactions: Discord without the gateway."""
    return args.discord and not args.gateway


def press(args, fake, plan, message, button):
    """Presses, and fills in the form that opens, if one does."""
    if by_reactions(args):
        return human(fake, "react", message=message, emoji=button.split(" ")[0])
    told = human(fake, "press", message=message, button=button)
    if not by_forms(args):
        return told
    form = human(fake, "response", interaction=told["interaction"]).get("modal")
    if form is None:
        return told
    return human(fake, "submit", interaction=told["interaction"], field=form["fields"][0]["label"], text=plan["says"])


def look(message):
    """A message as a person sees it, on either messenger."""
    embeds = [embed.get(part, "") for embed in message.get("embeds", []) for part in ("title", "description")]
    text = "\n".join([message.get("text", message.get("content")), *embeds]).replace("**", "").replace("\\", "")
    offers = [label for row in message.get("buttons") or [] for label in ([row] if isinstance(row, str) else row)]
    if emoji := message.get("emoji"):
        legend = re.search(f"^{re.escape(LEGEND)}(.*)$", text, re.MULTILINE)
        labels = legend[1].split(" · ") if legend else []
        offers = [next((label for label in labels if label.startswith(one + " ")), one) for one in emoji]
    return {"message": message["message"], "from": message["from"], "text": text, "offers": offers}


def request(message):
    """The request that a message is about; where it says none, the message itself."""
    found = re.search("request_id: ([0-9a-f-]+)", message["text"])
    return found[1] if found else message["message"]


def settings(args, keep):
    """The environment of the hooks, and of the gateway beside them."""
    messenger, base = ("DISCORD", "/api/v10") if args.discord else ("TELEGRAM", "")
    return {
        f"DMPLZ_{messenger}_BOT_TOKEN": TOKEN,
        f"DMPLZ_{messenger}_API_BASE": f"http://127.0.0.1:{PORT}{base}",
        **({"DMPLZ_DISCORD_GATEWAY_URL": f"ws://127.0.0.1:{PORT}"} if args.discord else {}),
        "DMPLZ_STATE_DIR": os.path.join(keep, "state"),
        "DMPLZ_LANG": "en",
        "PATH": os.path.dirname(args.dmplz) + ":/usr/local/bin:/usr/bin:/bin",
        **({"HOME": keep} if args.person else {}),
    }


def registered(args, home):
    """The harness's arguments that register our hooks: what `dmplz install` writes, or the plugin."""
    if args.plugin:
        return ["--plugin-dir", os.path.join(ROOT, "host/dmplz/plugin"), "--needle", os.path.basename(args.dmplz)]
    subprocess.run([args.dmplz, "install", "--user"], env={"HOME": home, "PATH": "/usr/bin:/bin"}, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(home, ".claude/settings.json")) as settings:
        hooks = json.load(settings)["hooks"]
    out = []
    for event, groups in hooks.items():
        for hook in (hook for group in groups for hook in group["hooks"]):
            command = shlex.join([hook["command"], *hook["args"]])
            out += ["--hook", command] if event == "PermissionRequest" else ["--event", f"{event}={command}"]
    return out


def run(args, name):
    plan = SCENARIOS[name]
    keep = os.path.join(args.keep, name)
    state, home = os.path.join(keep, "state"), os.path.join(keep, "home")
    for folder in (state, home):
        os.makedirs(folder)
    os.chmod(state, 0o700)
    if "policy" in plan:
        with open(os.path.join(state, "policy.toml"), "w") as policy:
            policy.write(plan["policy"])
    environment = settings(args, keep)
    report = os.path.join(keep, "report.json")
    own = ["--person", keep, "--serve", args.serve, "--dmplz", args.dmplz, *(["--discord"] if args.discord else []),
           *(["--gateway"] if args.gateway else []), args.harness, name]
    before = shlex.join([sys.executable, os.path.abspath(__file__), *own])
    harness = changed(args.harness, plan["steps"], plan["run"], keep) if "steps" in plan else args.harness
    command = [harness, "--scenario", plan.get("run", name), "--json", report, "--name", "dmplz-" + name, "--before", before]
    command += registered(args, home)
    if plan.get("timeout"):
        command += ["--timeout", str(plan["timeout"])]
    for pair in environment.items():
        command += ["--env", "=".join(pair)]
    with open(os.path.join(keep, "harness.txt"), "w") as out:
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode
    wrong, took = judge(plan, keep, state, report, code)
    if args.gateway:
        # It goes on until the harness ends, and holds what it holds; every hook must have gone through it.
        wrong = [complaint for complaint in wrong if not complaint.startswith("a lock is held")]
        asked = [line for line in audited(args, keep) if line.get("kind") == "approval.requested"]
        wrong += [f"{len(asked)} requests went through the gateway"] if len(asked) < plan.get("cards", 1) else []
    return wrong, took


def changed(harness, steps, scenario, keep):
    """A copy of the harness in which a scenario takes other steps."""
    copy = os.path.join(keep, "harness")
    shutil.copytree(os.path.dirname(harness), copy)
    with open(os.path.join(copy, "run.py")) as program:
        text = program.read()
    start = text.index("steps=[", text.index(f'"{scenario}": dict('))
    end = text.index("]", start)
    with open(os.path.join(copy, "run.py"), "w") as program:
        program.write(f"{text[:start]}steps=[{', '.join(steps)}{text[end:]}")
    return os.path.join(copy, os.path.basename(harness))


def audited(args, keep):
    """What the gateway's audit trail says."""
    command = [args.dmplz, "audit", "show", "--json"]
    told = subprocess.run(command, env={"HOME": keep, "DMPLZ_STATE_DIR": os.path.join(keep, "state")}, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")]


def judge(plan, keep, state, report, code):
    """What is wrong, and a line about what happened."""
    if not os.path.exists(report):
        return [f"the harness did not come to a report (exit {code}); see {keep}/harness.txt"], ""
    with open(report) as file:
        told = json.load(file)
    with open(os.path.join(keep, "chat.jsonl")) as file:
        lines = [json.loads(line) for line in file]
    wrong = [complaint for complaint in told["complaints"] if complaint not in plan.get("known", [])]
    wrong += [f"the messenger's API does not know this: {line['violations']}" for line in lines if "violations" in line][:1]
    cards, first, last, offered = {}, {}, {}, {}
    for line in lines:
        message = line.get("message", {})
        offered[message.get("message")] = message.get("offers")
        if "request_id" in message.get("text", ""):
            # By reactions every step of a request is a message of its own, and the first shows the end.
            about = request(message)
            if int(message["message"]) <= int(cards.get(about, message)["message"]):
                cards[about] = message
            first.setdefault(about, line["at"])
            last[about] = line["at"]
    if len(cards) != plan.get("cards", 1):
        wrong.append(f"{len(cards)} cards, not {plan.get('cards', 1)}")
    for card in cards.values():
        wrong += [f"the card does not end with {end!r}: {card['text']!r}" for end in plan["ends"] if end not in card["text"]]
    wrong += ["a card still offers answers"] if any(offered.values()) else []
    if plan.get("model") and plan["model"] not in json.dumps(told["model_received"], ensure_ascii=False):
        wrong.append(f"the model did not get {plan['model']!r}")
    wrong += misplaced(plan["stored"], told["files_written"]) if "stored" in plan else []
    asked = request_time(told)
    took = []
    for card in cards:
        if asked:
            took.append(f"card after {first[card] - asked:.2f} s, its end after {last[card] - asked:.2f} s")
            if plan.get("soon") and last[card] - asked - plan["at"] > plan["soon"]:
                wrong.append(f"the card was retired {last[card] - asked - plan['at']:.2f} s after the request's end")
    wrong += leftovers(state)
    if told["hook_process"].get("still_there"):
        wrong.append(f"the hook is still there: {told['hook_process']['still_there']}")
    return wrong, "; ".join(took)


def misplaced(stored, files):
    """What the client did not store where it was to, or stored elsewhere."""
    wrong = []
    for name in (LOCAL, PROJECT, USER):
        permissions = files.get(name, {}).get("permissions", {})
        held = [*permissions.get("allow", []), *permissions.get("additionalDirectories", [])]
        if name in stored:
            wrong += [] if any(stored[name] in rule for rule in held) else [f"{stored[name]!r} is not in {name}: {held}"]
        else:
            wrong += [f"{name} holds {held}"] if held else []
    return wrong


def request_time(told):
    """When the client asked: the harness's probe has it in its name."""
    log = os.path.join(told["run_dir"], "log")
    times = [float(found[1]) for found in (re.match(r"hook-PermissionRequest-([0-9.]+)-\d+\.json", name) for name in sorted(os.listdir(log))) if found]
    return min(times, default=None) if told["scenario"].startswith(("bash-", "ask-", "hook-", "terminal-", "client-", "print-", "sdk-", "write-")) else max(times, default=None)


def leftovers(state):
    """Open cards, and locks that a process still holds."""
    wrong = []
    for folder, _, files in os.walk(state):
        for name in files:
            path = os.path.join(folder, name)
            free = subprocess.run(["flock", "--nonblock", path, "true"]).returncode == 0
            wrong += [] if free else [f"a lock is held: {os.path.relpath(path, state)}"]
            if "/cards" in folder and "open" in os.path.relpath(path, state):
                wrong.append(f"a card's record is left open: {os.path.relpath(path, state)}")
    return wrong


def main():
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    parser.add_argument("harness")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO")
    parser.add_argument("--dmplz", default=os.path.join(ROOT, "target/release/dmplz"))
    parser.add_argument("--serve", default=os.path.join(ROOT, "target/debug/examples/serve"))
    parser.add_argument("--discord", action="store_true")
    parser.add_argument("--gateway", action="store_true")
    parser.add_argument("--plugin", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--person", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.person:
        return person(args, args.scenarios[0])
    args.harness, args.dmplz, args.serve = (os.path.abspath(path) for path in (args.harness, args.dmplz, args.serve))
    args.keep = os.path.abspath(args.keep or tempfile.mkdtemp(prefix="dmplz-real-client-"))
    failed = 0
    for name in args.scenarios or SCENARIOS:
        if args.plugin and SCENARIOS[name].get("timeout"):
            print(f"left out {name}: a plugin's time-outs are its own")
            continue
        if by_reactions(args) and not SCENARIOS[name].get("reactions", True):
            print(f"left out {name}: reactions have no cycle of places, and 🔄 is its end")
            continue
        wrong, took = run(args, name)
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'OK    '} {name}{': ' + took if took else ''}", flush=True)
        for complaint in wrong:
            print(f"       {complaint}", flush=True)
    print(f"kept in {args.keep}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
