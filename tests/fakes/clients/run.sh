#!/usr/bin/env bash
# Runs real client libraries against the fakes: `run.sh [SCRIPT...]`, all of them without arguments. Installs them from
# PyPI and npm below the target directory. Needs cargo, python3 (3.10) and node (20).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
home=$target/fakes-clients
cargo build --quiet -p dmplz-fakes --example serve
mkdir -p "$home"
[ -d "$home/venv" ] || python3 -m venv "$home/venv"
"$home/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
# Node looks for packages beside the script.
cp "$here"/*.mjs "$here/package.json" "$home"
(cd "$home" && npm install --silent --no-audit --no-fund)

run() { # platform, command...
  local platform=$1 serve
  shift
  exec 3< <(exec "$target/debug/examples/serve" "$platform")
  serve=$!
  read -r FAKE <&3
  echo "== ${*: -1}"
  local status=0
  FAKE=$FAKE PYTHONDONTWRITEBYTECODE=1 timeout 120 "$@" || status=$?
  kill "$serve"; wait "$serve" 2>/dev/null || true
  return $status
}

[ $# -gt 0 ] || set -- python_telegram_bot.py aiogram_bot.py grammy_bot.mjs discord_py.py discordjs_rest.mjs discord_py_gateway.py \
  discordjs_gateway.mjs slack_bolt_app.py matrix_nio.py mattermost_driver.py
for script in "$@"; do
  case $script in discord*) platform=discord ;; slack*) platform=slack ;; matrix*) platform=matrix ;; mattermost*) platform=mattermost ;; *) platform=telegram ;; esac
  case $script in
    *.py) run $platform "$home/venv/bin/python" "$here/$script" ;;
    *.mjs) run $platform node "$home/$script" ;;
  esac
done
