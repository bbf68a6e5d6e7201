#!/usr/bin/env python3
"""Runs clang-tidy on the given sources, and remembers which were clean, so that only what has changed is looked at again.

A source counts as unchanged when nothing that its last compilation read has changed, nor the settings of the linter; what it
read is taken from the build's own record of dependencies.

usage: lint.py BUILD_FOLDER SOURCE...
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LINTER = "clang-tidy-16"


def read_dependencies(ninja_text: str) -> dict[str, list[str]]:
    """What each object was made of, from the output of `ninja -t deps`; objects whose record is stale are left out."""
    dependencies: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in ninja_text.splitlines():
        if line.startswith("    "):
            if current is not None:
                current.append(line.strip())
        elif ": #deps" in line:
            name = line.split(": #deps", 1)[0]
            current = dependencies.setdefault(name, []) if line.endswith("(VALID)") else None
    return dependencies


@functools.lru_cache(maxsize=None)
def digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def key_of(command: str, files: list[str], folder: Path, root: Path) -> str:
    """One number for all that a finding can depend on; where the checkout lies is none of it."""
    paths = {os.path.normpath(folder / name) for name in files}
    parts = [part.replace(str(root), ".") for part in [command] + [f"{path} {digest(path)}" for path in paths]]
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def object_of(command: str) -> str:
    """The object that a compile command writes."""
    words = shlex.split(command)
    return words[words.index("-o") + 1] if "-o" in words[:-1] else ""


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
    record = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=False).stdout
    dependencies = read_dependencies(record)
    clean = build / "lint"
    clean.mkdir(exist_ok=True)

    def visit(source: Path) -> tuple[int, str, bool]:
        command = commands.get(str(source), "")
        files = dependencies.get(object_of(command), [])
        mark = clean / key_of(command, files + settings, build, root) if files else None
        if mark is not None and mark.exists():
            return 0, "", True
        status, text = lint(for_linter, source)
        if status == 0 and mark is not None:
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
