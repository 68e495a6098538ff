#!/usr/bin/env bash
# Runs the debug binary's hook and doctor against a real Synapse on loopback, with matrix-nio as the people in the room:
# `run.sh [SCENARIO...]`, all of them without arguments. Installs both from PyPI below the target directory. Needs cargo and
# python3 (3.11). `tests/fakes/clients/run.sh matrix_nio.py` lets matrix-nio talk to the fake homeserver.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
home=$target/matrix-real
[ -x "$target/debug/dmplz" ] || cargo build --quiet --locked --workspace --bin dmplz
mkdir -p "$home"
[ -d "$home/venv" ] || python3 -m venv "$home/venv"
"$home/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
exec env PYTHONDONTWRITEBYTECODE=1 "$home/venv/bin/python" "$here/scenarios.py" "$target/debug/dmplz" "$home" "$@"
