#!/usr/bin/env python3
"""Runs clang-tidy on the given sources, and remembers which were clean, so that only what has changed is looked at again.

A source counts as unchanged when neither it nor any of our own files that it includes, however far down, has changed, nor its
command, nor the linter and its settings. (Headers of libraries are not looked at: they change with the machine's packages.)

usage: lint.py BUILD_FOLDER SOURCE...
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LINTER = "clang-tidy-16"


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


@functools.lru_cache(maxsize=None)
def included_by(path: Path, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    """Our own files that a file names in its includes: beside it, or in one of the folders."""
    found = []
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for folder in (path.parent, *folders):
            if (folder / name).is_file():
                found.append(folder / name)
                break
    return tuple(found)


def read_by(source: Path, folders: tuple[Path, ...]) -> list[str]:
    """The source and all that it includes of our own."""
    seen: dict[Path, None] = {}
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen[path] = None
            waiting += included_by(path, folders)
    return [str(path) for path in seen]


@functools.lru_cache(maxsize=None)
def digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def key_of(command: str, files: list[str], folder: Path, root: Path) -> str:
    """One number for all that a finding can depend on; where the checkout lies is none of it."""
    paths = {os.path.normpath(folder / name) for name in files}
    parts = [part.replace(str(root), ".") for part in [command] + [f"{path} {digest(path)}" for path in paths]]
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def without_precompiled(command: str) -> str:
    """The compile command without its precompiled headers and parameters, which are another compiler's."""
    words = shlex.split(command)
    kept: list[str] = []
    skip = False
    for word, after in zip(words, words[1:] + [""]):
        if skip:
            skip = False
        elif word == "-include" and after.endswith("cmake_pch.hxx"):
            skip = True
        elif word not in ("-Winvalid-pch", "-fpch-preprocess") and not word.startswith("--param="):
            kept.append(word)
    return shlex.join(kept)


def lint(commands: Path, source: Path) -> tuple[int, str]:
    done = subprocess.run(
        [LINTER, "-p", str(commands), "--quiet", str(source)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    lines = [line for line in done.stdout.splitlines() if "warnings generated" not in line and "warning generated" not in line]
    return done.returncode, "\n".join(lines)


def main(arguments: list[str]) -> int:
    build = Path(arguments[0]).resolve()
    sources = [Path(name).resolve() for name in arguments[1:]]
    root = Path(__file__).resolve().parent.parent
    settings = [str(path) for path in [root / ".clang-tidy"] if path.exists()]
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in entries:
        entry["command"] = without_precompiled(entry["command"])
    commands = {entry["file"]: entry["command"] for entry in entries}
    for_linter = build / "lint_commands"
    for_linter.mkdir(exist_ok=True)
    (for_linter / "compile_commands.json").write_text(json.dumps(entries, indent=1), encoding="utf-8")
    version = subprocess.run([LINTER, "--version"], capture_output=True, text=True, check=False).stdout
    clean = build / "lint"
    clean.mkdir(exist_ok=True)

    def visit(source: Path) -> tuple[int, str, bool]:
        command = commands.get(str(source), "")
        mark = clean / key_of(command + version, read_by(source, (root / "src",)) + settings, build, root)
        if mark.exists():
            return 0, "", True
        status, text = lint(for_linter, source)
        if status == 0:
            mark.touch()
        return status, text, False

    failed = 0
    known = 0
    with ThreadPoolExecutor(int(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", os.cpu_count() or 1))) as pool:
        for status, text, was_known in pool.map(visit, sources):
            failed += status != 0
            known += was_known
            if text:
                print(text, flush=True)
    print(f"note: {len(sources)} files, {known} unchanged since they were clean, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
