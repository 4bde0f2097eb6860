# Sourced by up and check: brings a fresh tree to one that runs. Every step is skipped when it is already done, so the
# second run is quick and works offline. Nothing here needs a network once it has succeeded.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# npm hands a signal to its script and waits for it: the script then ends what it is at, and ends. `exec` undoes these traps.
trap 'exit 143' TERM
trap 'exit 130' INT

# whole COMMAND...: runs it in a process group of its own. A signal to us ends that group, so nothing goes on without us.
whole() {
  local group status=0 ended=0
  set -m
  "$@" </dev/null &
  group=$!
  set +m
  trap 'ended=143; kill -TERM -- "-$group" 2>/dev/null' TERM
  trap 'ended=130; kill -INT -- "-$group" 2>/dev/null' INT
  while kill -0 "$group" 2>/dev/null; do
    status=0
    wait "$group" || status=$?
  done
  [ "$ended" -eq 0 ] || exit "$ended"
  trap 'exit 143' TERM
  trap 'exit 130' INT
  return "$status"
}

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

require_node() {
  command -v node >/dev/null 2>&1 || fail 'Node.js 20.19 or newer is needed: https://nodejs.org'
  node -e 'const [a,b]=process.versions.node.split(".").map(Number);process.exit(a>20||(a===20&&b>=19)?0:1)' ||
    fail "Node.js 20.19 or newer is needed, this is $(node --version)"
}

# install_modules [WORKSPACE...]: what the gateway needs to be built and to run, and clients of vendors that drive the stand-ins of the
# tests. Who asks for more names the same first; who has more keeps it.
install_modules() {
  local want have
  want="$(sha256sum package-lock.json | cut -c1-16)-$(node -p 'process.versions.modules') $*"
  have="$(cat node_modules/.installed-from 2>/dev/null || true)"
  [[ "$have" != "$want"* ]] || return 0
  say 'installing npm packages'
  local of=(--workspaces=false)
  [ $# -eq 0 ] || of=(--include-workspace-root "${@/#/--workspace=}")
  whole npm ci "${of[@]}" --no-audit --no-fund --loglevel=error >&2
  echo "$want" >node_modules/.installed-from
}

# install_debian COMMAND_OR_LIBRARY:PACKAGE ...: installs what is missing where that is allowed, else names it. Of ONE|OTHER either will do.
install_debian() {
  local missing=() pair
  for pair in "$@"; do present "${pair%%:*}" || missing+=("${pair#*:}"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null && as_root=(sudo -n)
    [ ${#as_root[@]} -gt 0 ] || { name_missing "${missing[@]}"; return 0; }
  fi
  command -v apt-get >/dev/null 2>&1 || { name_missing "${missing[@]}"; return 0; }
  say "installing Debian packages: ${missing[*]}"
  apt_install() { DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >/dev/null 2>&1; }
  apt_install || { "${as_root[@]}" apt-get update >/dev/null 2>&1 && apt_install; } || name_missing "${missing[@]}"
}
present() {
  case "$1" in
    *\|*) present "${1%%|*}" || present "${1#*|}" ;;
    # No pipe: a reader that has seen enough would break it, and pipefail makes that a library that is not there.
    lib*) [[ "$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null)" == *"$1 "* ]] ;;
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}
name_missing() { say "not installed, and needed for the full picture: apt-get install $*"; }

# What is built already is not built again: by when a file or a folder last changed here, whatever time it carries along.
build() {
  [ -e dist/.built ] && [ -z "$(find src tsconfig.json package-lock.json -path '*/generated' -prune -o -cnewer dist/.built -print -quit)" ] && return
  mkdir -p dist src/console/api/generated # The build writes there: no source that changed.
  touch dist/.building # What changes meanwhile is built the next time.
  whole npm run --silent build || return
  mv dist/.building dist/.built
}
