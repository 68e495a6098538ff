"""A Synapse on loopback: sqlite, accounts by its shared secret, Synapse's own rate limits or raised ones."""
import asyncio
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

# Logins are always raised, because every scenario logs its people in.
LOGINS = """
rc_login: {address: {per_second: 1000, burst_count: 1000}, account: {per_second: 1000, burst_count: 1000},
  failed_attempts: {per_second: 1000, burst_count: 1000}}
rc_registration: {per_second: 1000, burst_count: 1000}
"""
# How long tokens are good that have a refresh token.
LIFETIME = 5
LOGINS += f"refreshable_access_token_lifetime: {LIFETIME}s\n"
RAISED = """
rc_message: {per_second: 1000, burst_count: 1000}
rc_joins: {local: {per_second: 1000, burst_count: 1000}, remote: {per_second: 1000, burst_count: 1000}}
rc_invites: {per_room: {per_second: 1000, burst_count: 1000}, per_user: {per_second: 1000, burst_count: 1000},
  per_issuer: {per_second: 1000, burst_count: 1000}}
rc_room_creation: {per_second: 1000, burst_count: 1000}
"""


class Synapse:
    def __init__(self, folder: Path, raised: bool):
        self.folder, self.config = folder, folder / "homeserver.yaml"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.run("synapse.app.homeserver", "--generate-config", "--server-name", "localhost", "--report-stats", "no")
        text = self.config.read_text().replace("port: 8008", f"port: {self.port}").replace("      - ::1\n", "")
        text = text.replace("    - ::1\n", "").split("trusted_key_servers:")[0]
        self.config.write_text(text + "trusted_key_servers: []\n" + LOGINS + (RAISED if raised else ""))
        log = folder / "localhost.log.config"
        log.write_text(log.read_text().replace("level: INFO", "level: WARNING"))

    def run(self, module: str, *arguments: str):
        command = [sys.executable, "-m", module, "--config-path", str(self.config), *arguments]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)

    async def start(self):
        command = [sys.executable, "-m", "synapse.app.homeserver", "--config-path", str(self.config)]
        out = (self.folder / "out.log").open("a")
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=out, stderr=out)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/_matrix/client/versions", timeout=2).read()
                return self
            except OSError:
                assert self.process.poll() is None, (self.folder / "out.log").read_text()
                await asyncio.sleep(0.1)
        raise AssertionError("Synapse does not answer")

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def register(self, name: str):
        script = Path(sys.executable).with_name("register_new_matrix_user")
        command = [script, "-u", name, "-p", f"{name}-password", "--no-admin", "-c", self.config, self.url]
        subprocess.run(command, check=True, capture_output=True)
