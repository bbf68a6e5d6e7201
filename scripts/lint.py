#!/usr/bin/env python3
"""Runs clang-tidy on the given sources, and remembers which were clean, so that only what has changed is looked at again.

A source counts as unchanged when nothing that its last compilation read has changed, nor the settings of the linter; what it
read is taken from the build's own record of dependencies.

Where the build compiles several sources at a time, the linter takes them at a time too: most of its time goes to the headers
that they share. A source of which few neighbours are to be looked at is taken alone.

usage: lint.py BUILD_FOLDER SOURCE...
       lint.py --compiled BUILD_FOLDER         what can be linted: the sources that the build compiles, one to a line
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
# So many sources are worth the time that all of those compiled with them take.
WORTH_THE_NEIGHBOURS = 3


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


def compiled_together(file: str) -> list[str]:
    """The sources that a file written by CMake joins; none if it is a source itself."""
    if "/Unity/unity_" not in file:
        return []
    return re.findall(r'^#include "(.*)"$', Path(file).read_text(encoding="utf-8"), re.MULTILINE)


def each_source(entries: list[dict[str, str]]) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The compile commands of single sources, and for those that the build compiles with others the file that joins them."""
    singles: list[dict[str, str]] = []
    joint: dict[str, str] = {}
    for entry in entries:
        sources = compiled_together(entry["file"])
        for source in sources or [entry["file"]]:
            words = [source if word == entry["file"] else word for word in shlex.split(entry["command"])]
            singles.append({**entry, "file": source, "command": shlex.join(words)})
        joint.update({source: entry["file"] for source in sources})
    return singles, joint


def reached(source: str, files: set[str], root: Path) -> set[str]:
    """Those of the files that a source reads: what it includes by quotes, and so on from there. Of files outside of the
    repository, which are included by brackets, all."""
    found = {file for file in files if not file.startswith(f"{root}{os.sep}")}
    left = [source]
    while left:
        file = left.pop()
        if file in found:
            continue
        found.add(file)
        for name in re.findall(r'^\s*#\s*include\s*"(.*?)"', Path(file).read_text(encoding="utf-8"), re.MULTILINE):
            places = (os.path.normpath(Path(file).parent / name), os.path.normpath(root / "src" / name))
            left += [place for place in places if place in files]
    return found


def lint(commands: Path, source: Path) -> tuple[int, str]:
    # A file that the build makes of several sources includes them: that is what it is for.
    checks = ["--checks=-bugprone-suspicious-include"] if source.suffix == ".cxx" else []
    command = [LINTER, "-p", str(commands), "--quiet", *checks, str(source)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if "warnings generated" not in line and "warning generated" not in line]
    return done.returncode, "\n".join(lines)


def main(arguments: list[str]) -> int:
    listing = arguments[0] == "--compiled"
    build = Path(arguments[-1] if listing else arguments[0]).resolve()
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in entries:
        entry["command"] = without_precompiled(entry["command"])
    singles, joint = each_source(entries)
    commands = {entry["file"]: entry["command"] for entry in singles}
    if listing:
        print("\n".join(commands))
        return 0
    sources = [str(Path(name).resolve()) for name in arguments[1:]]
    root = Path(__file__).resolve().parent.parent
    settings = [str(path) for path in [root / ".clang-tidy"] if path.exists()]
    for_linter = build / "lint_commands"
    for_linter.mkdir(exist_ok=True)
    (for_linter / "compile_commands.json").write_text(json.dumps(entries + singles, indent=1), encoding="utf-8")
    record = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=False).stdout
    dependencies = read_dependencies(record)
    clean = build / "lint"
    clean.mkdir(exist_ok=True)

    def mark_of(source: str) -> Path | None:
        """The file that is there when the source, as it is now, was found clean; none if what it reads is not known."""
        command = commands.get(source, "")
        files = {os.path.normpath(build / name) for name in dependencies.get(object_of(command), [])}
        if not files:
            return None
        command = command.replace(object_of(command), "")  # the same wherever it is compiled to
        return clean / key_of(command, [*reached(source, files, root), *settings], build, root)

    marks = {source: mark_of(source) for source in sources}
    pending = [source for source in sources if not ((mark := marks[source]) and mark.exists())]
    tasks: dict[str, list[str]] = {}  # what the linter is given, and which sources that are
    for source in pending:
        tasks.setdefault(joint.get(source, source), []).append(source)
    for together in [task for task, members in tasks.items() if members != [task] and len(members) < WORTH_THE_NEIGHBOURS]:
        tasks.update({source: [source] for source in tasks.pop(together)})

    def visit(task: str) -> tuple[int, str]:
        status, text = lint(for_linter, Path(task))
        for source in tasks[task] if status == 0 else []:
            if (mark := marks[source]) is not None:
                mark.touch()
        return status, text

    failed = 0
    with ThreadPoolExecutor(int(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", os.cpu_count() or 1))) as pool:
        for status, text in pool.map(visit, tasks):
            failed += status != 0
            if text:
                print(text, flush=True)
    print(f"note: {len(sources)} files, {len(sources) - len(pending)} unchanged since they were clean, {failed} runs with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
