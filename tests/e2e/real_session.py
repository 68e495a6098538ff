#!/usr/bin/env python3
"""Sessions of the real Claude Code under `dmplz serve`: real_session.py HARNESS [SCENARIO...]

HARNESS is the folder of the harness that drives the client (its cc.py, fake_api.py); CLAUDE_BIN names the client, DMPLZ the program
(default target/debug/dmplz). The model is a fake one; the run is in a network namespace of its own where that is possible. ROUNDS and
SESSIONS say how often `kill-storm` kills, and how many sessions `twenty` runs. Not part of CI: the client comes from npm.
"""
import sys, time

if len(sys.argv) < 2:
    sys.exit(__doc__)
sys.path.insert(0, sys.argv[1])
import cc  # noqa: E402
from real_session_cases import CASES  # noqa: E402
from real_session_world import World  # noqa: E402


def main():
    cc.isolate()
    rows = []
    for name in sys.argv[2:] or CASES:
        check, steps, options = CASES[name]
        began, world, more, how = time.time(), None, "", "ok"
        try:
            world = World("s-" + name, steps, **options)
            more = check(world) or ""
        except Exception as error:  # A scenario that fails in any way is a row of the table, and the others are played.
            how, more = "FAILED", "%s: %s" % (type(error).__name__, error)
        try:
            if world:
                world.close()
        except Exception as error:
            how, more = "FAILED", "%s; at its end %s: %s" % (more, type(error).__name__, error)
        rows.append((how, name, time.time() - began, more))
        print("%-6s %-16s %5.1f s  %s" % rows[-1][:4], flush=True)
    failed = sum(how != "ok" for how, *_ in rows)
    print("\n| scenario | | seconds | |\n|---|---|---|---|")
    for how, name, seconds, more in rows:
        print("| %s | %s | %.1f | %s |" % (name, how, seconds, more.replace("|", "\\|").replace("\n", " ")[:200]))
    print("%d scenarios, %d failed" % (len(rows), failed))
    sys.exit(1 if failed else 0)


main()
