#!/usr/bin/env bash
# The first minutes of a newcomer: a fresh clone with an empty home, the two commands of the README, and how long it takes
# to the page, to readiness and to the first answer; then every snippet of the README, the pages and the guides.
#
#   scripts/first-run.sh              all of it, in a temporary folder; port 3000 must be free
#   scripts/first-run.sh --no-snippets
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
clone=$work/castellan
export HOME=$work/home npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false
mkdir "$HOME"
service=
# The group of npm: the signal must reach the service itself. npm ends with an error, and before the service does.
stop() {
  kill -TERM -- "-$service" 2>/dev/null || true
  wait "$service" || true
  while kill -0 -- "-$service" 2>/dev/null; do sleep 0.05; done
  service=
}
end() {
  [ -z "$service" ] || stop
  rm -rf "$work"
}
trap end EXIT

milliseconds() { date +%s%3N; }
row() { printf '%-44s %8s s\n' "$1" "$(awk "BEGIN { printf \"%.1f\", ($3 - $2) / 1000 }")"; }

# Waits until a request is answered with status 200.
answered() {
  until [ "$(curl -s -o "$work/answer" -w '%{http_code}' "$@")" = 200 ]; do
    kill -0 "$service" || { cat "$work/log" >&2; exit 1; }
    sleep 0.05
  done
}

git clone --quiet "$source" "$clone"
cd "$clone"
began=$(milliseconds)
npm ci >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
if grep -q 'npm warn' "$work/log"; then grep 'npm warn' "$work/log"; fi
installed=$(milliseconds)
row 'npm ci' "$began" "$installed"

setsid npm start >"$work/log" 2>&1 &
service=$!
answered -H 'accept: text/html' http://127.0.0.1:3000/
page=$(milliseconds)
row 'npm start, until the page shows' "$installed" "$page"
answered http://127.0.0.1:3000/health/ready
ready=$(milliseconds)
row 'npm start, until it is ready' "$installed" "$ready"
answered -H "x-api-key: $(cat data/api-key)" 'http://127.0.0.1:3000/v2/social/user/by_username/?username=harbor'
row 'npm start, until the first answer' "$installed" "$(milliseconds)"
grep -q '"username":"harbor"' "$work/answer"
stop
again=$(milliseconds)
setsid npm start >"$work/log" 2>&1 &
service=$!
answered http://127.0.0.1:3000/health/ready
row 'npm start again, until it is ready' "$again" "$(milliseconds)"
stop

[ "${1:-}" = --no-snippets ] || CASTELLAN_TEST_TIER=long npx vitest run test/readme test/doc-snippet test/guide test/operate-guide
