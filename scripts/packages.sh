#!/usr/bin/env bash
# Installs the Debian packages of packages.txt that are missing: scripts/packages.sh SECTION...
# Says nothing when all is there. Not allowed to install: says what to install and how, and fails.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
list=${LINKWORK_PACKAGES:-$root/packages.txt}
known=" $(sed -n 's/^# section \([a-z]*\):.*/\1/p' "$list" | tr '\n' ' ')"

if [[ $# -eq 0 ]]; then
  echo "usage: scripts/packages.sh SECTION...   (sections:$known)" >&2
  exit 1
fi
for section in "$@"; do
  if [[ $known != *" $section "* ]]; then
    echo "packages: no section \"$section\" in $list (sections:$known)" >&2
    exit 1
  fi
done

have_dpkg=yes
command -v dpkg-query >/dev/null || have_dpkg=no

# isThere PACKAGE COMMAND: the command is on the PATH, or the package is installed. Without dpkg only commands can be
# looked for; libraries are then left to CMake, which names the one it cannot find.
isThere() {
  if [[ -n $2 ]] && command -v "$2" >/dev/null; then return 0; fi
  if [[ $have_dpkg == no ]]; then [[ -z $2 ]] && return 0 || return 1; fi
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# missingOf SECTION...: the packages of these sections that are not there, one to a line.
missingOf() {
  local section="" first second rest
  while read -r first second rest; do
    if [[ $first == "#" && $second == section ]]; then
      section=${rest%%:*}
      continue
    fi
    if [[ -z $first || $first == "#"* || " $* " != *" $section "* ]]; then continue; fi
    [[ $second == "#"* ]] && second=""
    isThere "$first" "$second" || echo "$first"
  done <"$list"
}

mapfile -t missing < <(missingOf "$@")
if [[ ${#missing[@]} -eq 0 ]]; then exit 0; fi

refuse() {
  echo "$1" >&2
  printf '  %s\n' "${missing[@]}" >&2
}

if ! command -v apt-get >/dev/null || [[ $have_dpkg == no ]]; then
  refuse "Linkwork needs these programs (Debian's package names); please install them in this system's own way:"
  exit 1
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  else
    refuse "Linkwork needs these Debian packages, and installing them takes an administrator:"
    echo "Install them with" >&2
    echo "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
aptGet() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$log" 2>&1; }

echo "Installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
# An update that fails twice is no reason to stop: the lists that are there may do.
aptGet update || { sleep 3; aptGet update; } || echo "packages: apt-get update failed; trying with the lists that are there" >&2
if ! aptGet install -y --no-install-recommends "${missing[@]}"; then
  tail -n 25 "$log" >&2
  echo "packages: apt-get install failed (above: the end of its log)" >&2
  exit 1
fi

mapfile -t missing < <(missingOf "$@")
if [[ ${#missing[@]} -ne 0 ]]; then
  refuse "packages: apt-get reported success, yet these are still missing:"
  exit 1
fi
