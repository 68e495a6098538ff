#!/usr/bin/env python3
"""Has the real Claude Code show our notices at its terminal, which tmux records.

  tests/e2e/real_terminal.py HARNESS
      --dmplz FILE    the program under test  (default target/debug/dmplz)
      --keep DIR      where the run is kept

The hooks are those that `dmplz install` registers for a channel of the type `terminal`. The model calls a tool that the client asks about
and that nobody answers for a while, so that it notifies. Both that and the end of the turn must reach the terminal as OSC 9.

HARNESS is no part of this repository and installs the client from npm, so this is not part of CI.
"""
import os
import re
import subprocess
import time

import real_harness

SETTINGS = """[notify.channels.here]
type = "terminal"
sequence = "9"

[[notify.routes]]
events = ["Notification", "Stop"]
to = ["here"]
"""
STEPS = [{"tool": "Bash", "input": {"command": "touch hello.txt", "description": "Make a file"}}]
WANTED = ["Claude Code asks for permission", "The turn is finished"]


def main():
    cc, dmplz, keep = real_harness.enter(real_harness.parser(__doc__).parse_args(), "real-terminal")
    run = cc.Run("terminal", steps=STEPS, events=[], root=keep, extra_env={"DMPLZ_LANG": "en", "DMPLZ_STATE_DIR": os.path.join(keep, "state")})
    os.makedirs(os.path.join(keep, "state"), mode=0o700, exist_ok=True)
    with open(os.path.join(keep, "state/config.toml"), "w") as file:
        file.write(SETTINGS)
    subprocess.run([dmplz, "install"], env=run.env(), check=True)
    written = os.path.join(keep, "written")
    try:
        run.start_tui(("--permission-mode", "default"))
        run.tmux("pipe-pane", "-t", "cc", f"cat > {written}")
        run.wait("❯", 30)
        time.sleep(1)
        run.prompt("Please do it.")
        run.wait("Do you want to proceed", 30)
        # The client notifies after six seconds without a key.
        time.sleep(8)
        run.keys("1")
        run.wait("All done", 30)
        time.sleep(2)
    finally:
        run.close()
    told = re.findall(r"\x1b\]9;([^\x07\x1b]*)\x07", open(written, errors="replace").read())
    missing = [wanted for wanted in WANTED if not any(wanted in one for one in told)]
    print("\n".join(told))
    if missing:
        raise SystemExit(f"not shown: {', '.join(missing)} (the run is in {keep})")


main()
