#!/usr/bin/env python3
"""A person's first minutes from a package: installs it in a fresh root, sets up there by `dmplz setup` in a terminal against the fake
Telegram, and takes all of it out again.

  sudo tests/e2e/first_minutes.py PACKAGE...     packages of `cargo xtask dist`: dmplz_amd64.deb, dmplz_x86_64.rpm

A .deb goes into a Debian that debootstrap makes (from the network, once: it is kept below `target`), an .rpm into an empty folder.
Needs root, for a root of its own. The package in a root of Debian needs the network, so this is not part of CI.
"""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SERVE = os.environ.get("DMPLZ_FAKES", os.path.join(ROOT, "target/debug/examples/serve"))
DEBIAN = os.path.join(ROOT, "target/first-minutes/debian")
CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"
# Nothing takes longer.
SOON = 40


class Fake:
    """The messenger, and what its person does there."""

    def __init__(self):
        self.process = subprocess.Popen([SERVE, "telegram"], stdout=subprocess.PIPE, text=True)
        self.about = json.loads(self.process.stdout.readline())

    def does(self, action, **query):
        url = "%s/%s?%s" % (self.about["human"], action, urllib.parse.urlencode(query))
        with urllib.request.urlopen(urllib.request.Request(url, method="POST"), timeout=SOON) as answer:
            return json.load(answer)

    def presses(self, button):
        """Presses it, once a card has it."""
        end = time.time() + SOON
        while time.time() < end:
            for message in self.does("messages"):
                label = next((it for it in message["buttons"] if button in it), None)
                if label:
                    return self.does("press", message=message["message"], button=label)
            time.sleep(0.05)
        sys.exit("no button %r: %s" % (button, self.does("messages")))


class Terminal:
    """A program in a root, in a terminal."""

    def __init__(self, root, words, environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chroot(root)
            os.chdir("/")
            os.execve(words[0], words, environment)
        self.seen, self.at = "", 0

    def shows(self, text):
        """Waits for the text, and returns what came before it."""
        end = time.time() + SOON
        while text not in self.seen[self.at:]:
            if time.time() > end or not self.read(end):
                sys.exit("%r is not shown: %s" % (text, self.seen))
        before = self.seen[self.at:self.seen.index(text, self.at)]
        self.at += len(before) + len(text)
        return before

    def read(self, end):
        if not select.select([self.fd], [], [], max(0, end - time.time()))[0]:
            return False
        try:
            piece = os.read(self.fd, 4096)
        except OSError:
            return False
        self.seen += piece.decode(errors="replace")
        return bool(piece)

    def types(self, text):
        os.write(self.fd, text.encode())

    def ended(self):
        end = time.time() + SOON
        while self.read(end):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]), self.seen


def run(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit("%s: %s%s" % (" ".join(words), done.stdout, done.stderr))
    return done.stdout


def fresh(package, root):
    """Makes the root, and installs the package. The command that takes it out."""
    if package.endswith(".deb"):
        if not os.path.isdir(DEBIAN):
            os.makedirs(os.path.dirname(DEBIAN), exist_ok=True)
            run("debootstrap", "--variant=minbase", "bookworm", DEBIAN + ".part")
            os.rename(DEBIAN + ".part", DEBIAN)
        run("cp", "-a", DEBIAN, root)
        shutil.copy(package, os.path.join(root, "dmplz.deb"))
        run(CHROOT, root, "dpkg", "-i", "/dmplz.deb")
        return [CHROOT, root, "dpkg", "--purge", "dmplz"]
    os.mkdir(root)
    run("rpm", "--root", root, "--dbpath=/var/lib/rpm", "-i", "--nodeps", os.path.abspath(package))
    return ["rpm", "--root", root, "--dbpath=/var/lib/rpm", "-e", "dmplz"]


def minutes(package):
    fake = Fake()
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "root")
        taken_out = fresh(package, root)
        for name in ("proc", "tmp", "home/ann"):
            os.makedirs(os.path.join(root, name), exist_ok=True)
        run("mount", "-t", "proc", "proc", os.path.join(root, "proc"))
        try:
            environment = {"HOME": "/home/ann", "USER": "ann", "PATH": "/usr/bin:/bin", "TERM": "xterm", "LANG": "en_US.UTF-8",
                           "DMPLZ_LANG": "en", "DMPLZ_TELEGRAM_API_BASE": fake.about["base_url"]}
            terminal = Terminal(root, ["/usr/bin/dmplz", "setup", "--json"], environment)
            terminal.shows("at once (it stays hidden): ")
            terminal.types("Use this token to access the HTTP API:\n%s\n" % fake.about["token"])
            terminal.shows("?start=")
            fake.does("say", text="/start " + terminal.shows("\n").strip())
            terminal.shows("[y/n] ")
            terminal.types("y\n")
            fake.presses("Approve")
            terminal.shows("Ready after ")
            code, seen = terminal.ended()
            report = json.loads(re.search(r"(?s)\{\r?\n.*\}", seen).group(0))
            assert code == 0 and report["ok"] and report["test"]["pressed"] == "allow", seen
            doctor = subprocess.run([CHROOT, root, "/usr/bin/dmplz", "doctor"], env=environment, capture_output=True, text=True)
            assert doctor.returncode == 0, doctor.stdout
            assert os.path.exists(os.path.join(root, "home/ann/.claude/settings.json"))
            run(CHROOT, root, "/usr/bin/dmplz", "uninstall", env=environment)
        finally:
            run("umount", os.path.join(root, "proc"))
        run(*taken_out)
        assert not os.path.exists(os.path.join(root, "usr/bin/dmplz"))
    fake.process.kill()
    print("%-20s set up in a fresh root: %.1f s, %d actions" % (os.path.basename(package), report["seconds"], report["actions"]))


if len(sys.argv) < 2:
    sys.exit(__doc__)
for named in sys.argv[1:]:
    minutes(named)
