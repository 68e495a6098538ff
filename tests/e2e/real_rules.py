#!/usr/bin/env python3
"""Has the real Claude Code ask a person where a deny of the policy may be missing, also where it asks nothing otherwise.

  tests/e2e/real_rules.py HARNESS
      --dmplz FILE    the program under test  (default target/debug/dmplz)
      --keep DIR      where the runs are kept

The policy has a deny with a mistyped key. `dmplz hook`, registered for PreToolUse and PermissionRequest, tells the client to ask. At a
terminal the client then shows its own question, in every mode, and makes the file only when somebody agrees; `claude -p`, where nobody
can be asked, refuses.

HARNESS is no part of this repository and installs the client from npm, so this is not part of CI.
"""
import json
import os
import subprocess
import time

import real_harness

POLICY = """[[rule]]
toolName = "Bash"
comandPrefix = "touch"
decision = "deny"
priority = 100
"""
STEPS = [{"tool": "Bash", "input": {"command": "touch made", "description": "Make a file"}}]
QUESTION = "Do you want to proceed"
# The arguments with which the client would otherwise ask nothing, and those with which it asks anyway.
MODES = {
    "default": [],
    "bypass": ["--dangerously-skip-permissions"],
    "allowed": ["--allowedTools", "Bash(touch:*)"],
}


def main():
    cc, dmplz, keep = real_harness.enter(real_harness.parser(__doc__).parse_args(), "real-rules")
    hook = [{"hooks": [{"type": "command", "command": dmplz + " hook"}]}]
    settings = {"hooks": {"PreToolUse": hook, "PermissionRequest": hook}, "skipDangerousModePermissionPrompt": True}
    wrong = []
    for name, arguments in MODES.items():
        run = begin(cc, keep, name, settings)
        made = os.path.join(run.project, "made")
        try:
            run.start_tui(arguments)
            run.wait("❯", 30)
            time.sleep(1)
            run.prompt("Please do it.")
            asked = run.wait(QUESTION, 30)
            # A key that comes at once after the question appeared is not taken for an answer.
            time.sleep(2)
            early = os.path.exists(made)
            run.keys("1")
            run.wait("All done", 30)
            tell(wrong, name, asked and not early and os.path.exists(made), "is asked, and runs once a person agrees")
        finally:
            run.close()
        run = begin(cc, keep, name + "-print", settings)
        try:
            subprocess.run([cc.claude_bin(), "-p", "Please do it.", *arguments], env=run.env(), cwd=run.project, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, timeout=120)
            refused = "cannot be read" in json.dumps(run.tool_results())
            tell(wrong, name + " -p", refused and not os.path.exists(os.path.join(run.project, "made")), "is refused, with the reason")
        finally:
            run.close()
    if wrong:
        raise SystemExit(f"not so: {', '.join(wrong)} (the runs are in {keep})")


def begin(cc, keep, name, settings):
    env = {"DMPLZ_LANG": "en", "DMPLZ_STATE_DIR": os.path.join(keep, name, "state")}
    run = cc.Run(name, steps=STEPS, events=[], settings=settings, root=keep, extra_env=env)
    os.makedirs(env["DMPLZ_STATE_DIR"], mode=0o700)
    with open(os.path.join(env["DMPLZ_STATE_DIR"], "policy.toml"), "w") as file:
        file.write(POLICY)
    return run


def tell(wrong, name, is_so, what):
    print(f"{'ok' if is_so else 'FAILED':6} {name}: {what}", flush=True)
    if not is_so:
        wrong.append(name)


main()
