# What ./run and ./test share: configure and build a preset of CMakePresets.json, and show the end of a log.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# git, also where the checkout belongs to someone else (as in a container).
repoGit() { git -c safe.directory="$root" -C "$root" "$@"; }

# configure PRESET [cmake options...]; a build folder of a checkout that has moved is started afresh.
configure() {
  local preset=$1
  local cache=$root/build/$preset/CMakeCache.txt
  local fresh=()
  shift
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then fresh=(--fresh); fi
  (cd "$root" && cmake "${fresh[@]}" --preset "$preset" "$@")
}

# buildPreset PRESET [TARGET...]; one build at a time in a folder, a second one waits.
buildPreset() {
  local folder=$root/build/$1
  local targets=()
  shift
  if [[ $# -gt 0 ]]; then targets=(--target "$@"); fi
  (
    if command -v flock >/dev/null; then
      exec 9>"$folder/.lock"
      flock 9
    fi
    cmake --build "$folder" "${targets[@]}"
  )
}

# showEnd LOG [LINES]: the errors named in a log, then its last lines.
showEnd() {
  local log=$1 lines=${2:-30}
  if [[ $(wc -l <"$log") -gt $lines ]]; then
    { grep -m 12 -E '(: error|: fatal error|CMake Error|^FAILED|\*\*\*Failed|\*\*\*Timeout|\*\*\*Exception|^\[  FAILED  \] .*[^:]$|undefined reference)' "$log" || true; } |
      sed 's/^/    | /'
    echo "    | ..."
  fi
  tail -n "$lines" "$log" | sed 's/^/    | /'
  echo "    whole log: $log"
}
