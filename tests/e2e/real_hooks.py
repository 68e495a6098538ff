#!/usr/bin/env python3
"""Compares the real Claude Code with `dmplz hooks run`: which hooks of a configuration run for an event, and what each gets.

  tests/e2e/real_hooks.py HARNESS [PART OF A CASE'S NAME...]     all cases when none is named
      --dmplz FILE    the program under test  (default target/debug/dmplz)
      --keep DIR      where the runs are kept

The cases are the configurations of `host/hooks/src/settings/tests/corpus.rs`, as people publish them. They are the client's user
settings for a run (`claude -p`, against the fake model of HARNESS, in a network namespace of its own), in which the model calls
tools, an MCP server and a subagent: most of them together, and those `ALONE` in a run each that could change what others do. Every
command is replaced by a recorder that keeps what it got. A probe in the project's settings keeps every event. The same events, as the probe kept them, are then given to `dmplz hooks run` with the same
settings: the same commands must run, each as often, and each with the same stdin.

HARNESS is no part of this repository and installs the client from npm, so this is not part of CI.
"""
import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import time

import real_harness

CORPUS = os.path.join(real_harness.ROOT, "host/hooks/src/settings/tests/corpus.rs")

# What could keep the hooks of others from running, or has a model asked.
ALONE = {
    "a broken group beside a good one", "an expression that is none", "a misspelt event", "an event of another client", "http, agent and mcp_tool",
    "a prompt beside a command",
}

STEPS = [
    ("Bash", {"command": "ls", "description": "List"}),
    ("Bash", {"command": "git status", "description": "Look"}),
    ("Bash", {"command": "git add -A && git push origin main", "description": "Push"}),
    ("Bash", {"command": "false", "description": "Fail"}),
    ("Bash", {"command": "touch asked", "description": "Ask"}),
    ("Write", {"file_path": "{{PROJECT}}/src/a.ts", "content": "one\n"}),
    ("Read", {"file_path": "{{PROJECT}}/src/a.ts"}),
    ("Edit", {"file_path": "{{PROJECT}}/src/a.ts", "old_string": "one", "new_string": "two"}),
    ("mcp__github__create_issue", {}),
    ("mcp__fs__write_file", {}),
    ("mcp__memory__add", {}),
    ("Agent", {"description": "Look", "prompt": "SUBAGENT-TASK look", "subagent_type": "Explore"}),
]
ALLOWED = ["Bash(ls)", "Bash(git:*)", "Bash(false)", "Write", "Edit", "Read", "mcp__github", "mcp__fs", "mcp__memory", "Agent"]

RECORDER = """#!/usr/bin/env python3
import os, sys, time
with open(os.path.join(os.environ["REC_DIR"], "%s-%d-%d" % (sys.argv[1], time.time_ns(), os.getpid())), "w") as f:
    f.write(sys.stdin.read())
"""

SERVER = """#!/usr/bin/env python3
import json, sys
tool = sys.argv[1]
for line in sys.stdin:
    call = json.loads(line)
    if "id" not in call:
        continue
    result = {
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "tiny", "version": "1"}},
        "tools/list": {"tools": [{"name": tool, "description": tool, "inputSchema": {"type": "object", "properties": {}}}]},
        "tools/call": {"content": [{"type": "text", "text": "done"}]},
    }.get(call["method"], {})
    print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
"""


def corpus():
    """The cases, read from the table of the Rust test: its tuples are those of Python once `&` and `json!` are gone."""
    text = open(CORPUS).read()
    text = text[text.index("fn cases()"):]
    text = text[:text.index("\n#[test]")]
    names = dict(re.findall(r'const (\w+): &str = ("(?:[^"\\]|\\.)*");', text))
    table = text[text.index("vec![") + 4:text.rindex("]") + 1]
    # Strings stay as they are; only what is between them is translated.
    pieces = re.split(r'("(?:[^"\\]|\\.)*")', table)
    for at in range(0, len(pieces), 2):
        pieces[at] = pieces[at].replace("&[", "[").replace("json!(", "(").replace("true", "True").replace("false", "False")
    code = lambda name: json.loads(names[name])

    def on(event, groups):
        group = lambda matcher, commands: dict(**({"matcher": matcher} if matcher else {}),
                                               hooks=[{"type": "command", "command": command} for command in commands])
        return {event: [group(*one) for one in groups]}

    known = dict(
        on=on,
        one=lambda event, matcher, handler: {event: [{"matcher": matcher, "hooks": [handler]}]},
        bash=lambda command: {"tool_name": "Bash"}, edit=lambda tool, path: {"tool_name": tool}, tool=lambda name: {"tool_name": name},
        command=lambda line, more: dict({"type": "command", "command": line}, **more), **{name: code(name) for name in names})
    return eval("".join(pieces), {"__builtins__": {}}, known)


def recorded(cases, recorder, names):
    """The configurations as one, with a recorder in place of every command but dmplz's own. `names` gets what each stands for."""
    merged = {}
    for name, hooks, _, _ in cases:
        hooks = json.loads(json.dumps(hooks))
        for event, groups in hooks.items():
            for group in groups:
                for handler in group.get("hooks", []) if isinstance(group, dict) else []:
                    if "command" not in handler or handler["command"] == "dmplz":
                        continue
                    # The same command of another configuration is another one, so that it runs as well.
                    key = hashlib.sha256(json.dumps([name, handler["command"], handler.get("args")]).encode()).hexdigest()[:12]
                    names[key] = name, handler["command"]
                    if "args" in handler:
                        handler.update(command=recorder, args=[key])
                    else:
                        handler["command"] = f"{recorder} {key}"
            merged.setdefault(event, []).extend(groups)
    return merged


def runs(folder, names):
    """What ran: by the case, how often each (event, command, stdin)."""
    found = collections.defaultdict(collections.Counter)
    for file in os.listdir(folder):
        stdin = json.load(open(os.path.join(folder, file)))
        case, command = names[file.split("-")[0]]
        found[case][stdin["hook_event_name"], command, json.dumps(stdin, sort_keys=True)] += 1
    return found


def by_client(cc, title, cases, keep, recorder, server):
    """One run of the client. Returns what ran, the events that the probe kept, and where it was."""
    steps = [{"tool": tool, "input": given} for tool, given in STEPS]
    run = cc.Run(re.sub(r"\W+", "-", title), script={"steps": steps, "sub_steps": [], "final": "All done."}, events=[], root=keep)
    folder = os.path.join(run.dir, "client")
    os.makedirs(folder)
    script = open(run.script).read().replace("{{PROJECT}}", run.project)
    open(run.script, "w").write(script)
    names = {}
    hooks = recorded(cases, recorder, names)
    json.dump({"hooks": hooks, "permissions": {"allow": ALLOWED}}, open(os.path.join(run.home, ".claude/settings.json"), "w"))
    probe = lambda one: {"hooks": [{"type": "command", "command": f"{sys.executable} {cc.HERE}/probe_hook.py {run.log} {one}"}]}
    os.makedirs(os.path.join(run.project, ".claude"))
    json.dump({"hooks": {one: [probe(one)] for one in cc.EVENTS}}, open(os.path.join(run.project, ".claude/settings.json"), "w"))
    servers = {name: {"command": server, "args": [tool]} for name, tool in [("github", "create_issue"), ("fs", "write_file"), ("memory", "add")]}
    config = os.path.join(run.dir, "mcp.json")
    json.dump({"mcpServers": servers}, open(config, "w"))
    try:
        ended = subprocess.run([cc.claude_bin(), "-p", "Please do it.", "--mcp-config", config, "--debug-file", f"{run.log}/debug.txt"], cwd=run.project,
                               env=dict(run.env(), REC_DIR=folder), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        time.sleep(2)
        if ended.returncode != 0:
            raise SystemExit(f"{title}: the client ended with {ended.returncode}: {ended.stderr[-500:]}")
    finally:
        run.close()
    wanted = set(hooks) | {event for _, _, (event, _), _ in cases}
    events = [record["stdin"] for record in run.hooks() if isinstance(record.get("stdin"), dict) and record["event"] in wanted]
    return runs(folder, names), events, run, names


def by_engine(dmplz, run, events, names):
    """The same events through `dmplz hooks run`."""
    folder = os.path.join(run.dir, "engine")
    os.makedirs(folder)
    env = {"PATH": run.env()["PATH"], "HOME": run.home, "DMPLZ_STATE_DIR": os.path.join(run.dir, "state"), "DMPLZ_LANG": "en", "REC_DIR": folder}
    for event in events:
        file = os.path.join(run.dir, "event.json")
        json.dump(event, open(file, "w"))
        command = [dmplz, "hooks", "run", event["hook_event_name"], file, "--source", "user", "--project", run.project, "--json"]
        ended = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        if ended.returncode not in (0, 4):
            raise SystemExit(f"dmplz ended with {ended.returncode}: {ended.stderr}")
    return runs(folder, names)


def main():
    parser = real_harness.parser(__doc__)
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    cc, dmplz, keep = real_harness.enter(args, "real-hooks")
    os.makedirs(keep, exist_ok=True)
    programs = []
    for name, text in [("recorder", RECORDER), ("server", SERVER)]:
        programs.append(os.path.join(keep, name))
        with open(programs[-1], "w") as file:
            file.write(text)
        os.chmod(programs[-1], 0o700)
    cases = [case for case in corpus() if not args.cases or any(part in case[0] for part in args.cases)]
    together = [case for case in cases if case[0] not in ALONE]
    count = collections.Counter()
    for batch in ([together] if together else []) + [[case] for case in cases if case[0] in ALONE]:
        client, events, run, names = by_client(cc, batch[0][0] if len(batch) == 1 else "together", batch, keep, *programs)
        engine = by_engine(dmplz, run, events, names)
        count["events"] += len(events)
        for name, _, _, _ in batch:
            ours, theirs = engine[name], client[name]
            verdict = "same" if ours == theirs else "DIFFERENT"
            count[verdict] += 1
            count["ran"] += sum(theirs.values())
            count["none"] += not theirs and not ours
            print(f"{verdict:9} {sum(theirs.values()):3} runs by the client, {sum(ours.values()):3} by dmplz  {name}", flush=True)
            if verdict == "same":
                continue
            for side, found, other in [("the client", theirs, ours), ("dmplz", ours, theirs)]:
                for (event, command, stdin), times in (found - other).items():
                    print(f"          only {side}: {times} x {event} {command!r} {stdin[:300]}")
    print(f"{len(cases)} configurations, {count['events']} events: {count['same']} the same, {count['DIFFERENT']} different. "
          f"The client ran {count['ran']} hooks; of {count['none']} configurations neither ran any. Kept in {keep}")
    return 1 if count["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
