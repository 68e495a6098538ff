#!/usr/bin/env bash
# Lets real libraries read what the channels of `dmplz serve` send: `receivers.sh [BINARY]`, by default the debug build. Installs
# the libraries from PyPI below the target directory. Needs cargo and python3 (3.10).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
home=$target/fakes-clients
binary=${1:-$target/debug/dmplz}
[ -x "$binary" ] || { echo "build $binary first: cargo test --workspace --no-run --bin dmplz" >&2; exit 1; }
[ -x "$target/debug/examples/serve" ] || cargo build --quiet -p dmplz-fakes --example serve
mkdir -p "$home"
[ -d "$home/venv" ] || python3 -m venv "$home/venv"
"$home/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/receivers.txt"

exec 3< <(exec "$target/debug/examples/serve" telegram)
serve=$!
trap 'kill "$serve"' EXIT
read -r FAKE <&3
FAKE=$FAKE DMPLZ=$(realpath "$binary") PYTHONDONTWRITEBYTECODE=1 timeout 120 "$home/venv/bin/python" "$here/receivers.py"
