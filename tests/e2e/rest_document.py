#!/usr/bin/env python3
"""Has schemathesis compare the gateway's REST with its OpenAPI document, with all its checks.

  tests/e2e/rest_document.py SCHEMATHESIS
      --dmplz FILE    the program under test                    (default target/debug/dmplz)
      --examples N    the most cases of an operation and phase  (default 30)
      --seed N        which cases                               (default 1)

A terminal shows the requests, so that the gateway is ready and takes tool runs. schemathesis approves some of them, and PATH holds
nothing that they could run.
"""
import argparse
import os
import pty
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Starting takes no longer, in seconds.
SOON = 30


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schemathesis")
    parser.add_argument("--dmplz", default=os.path.join(ROOT, "target/debug/dmplz"))
    parser.add_argument("--examples", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dmplz-rest-") as home:
        sys.exit(compare(args, home))


def compare(args, home):
    state, empty, work = (os.path.join(home, name) for name in ("state", "empty", "work"))
    for folder in (state, empty, work):
        os.mkdir(folder, mode=0o700)
    environment = {"HOME": home, "PATH": empty, "DMPLZ_STATE_DIR": state, "DMPLZ_LANG": "en", "TERM": "xterm"}
    environment |= {"DMPLZ_GATEWAY_PORT": "0", "DMPLZ_RUN_FOLDERS": work}
    log = os.path.join(home, "serve.log")
    with open(log, "w") as file:
        gateway = subprocess.Popen([args.dmplz, "serve"], env=environment, stdout=file, stderr=file)
    try:
        url = until(lambda: address(log), gateway, log)
        watch(args.dmplz, environment)
        until(lambda: answers(f"{url}/readyz"), gateway, log)
        with open(os.path.join(state, "gateway.token")) as file:
            token = file.read().strip()
        command = [os.path.abspath(args.schemathesis), "run", f"{url}/api/v1/openapi.json", "-H", f"Authorization: Bearer {token}"]
        command += ["--checks", "all", "--max-examples", str(args.examples), "--seed", str(args.seed)]
        return subprocess.run(command, cwd=home).returncode
    finally:
        gateway.terminate()
        gateway.wait()


def until(there, gateway, log):
    end = time.time() + SOON
    while time.time() < end and gateway.poll() is None:
        if found := there():
            return found
        time.sleep(0.1)
    with open(log) as file:
        sys.exit("the gateway is not ready: " + file.read())


def address(log):
    """Returns the address that the gateway says, once it does."""
    with open(log) as file:
        return next((word for word in file.read().split() if word.startswith("http://127.0.0.1:")), None)


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=SOON):
            return True
    except urllib.error.URLError:
        return False


def watch(dmplz, environment):
    """Shows requests in a terminal of its own, which ends with the gateway."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(dmplz, [dmplz, "approvals", "watch"], environment)

    def drain():
        try:
            while os.read(terminal, 65536):
                pass
        except OSError:
            pass

    threading.Thread(target=drain, daemon=True).start()


if __name__ == "__main__":
    main()
