#!/usr/bin/env python3
"""Checks the one-way order between the folders of src/linkwork: a file includes only its own folder and those before it.

The order is the order of the linkwork_folder(...) lines in src/linkwork/CMakeLists.txt. Findings are printed as
file:line: error: ...; the exit code is 1 when there are any.

usage: check_folder_order.py [SOURCE_FOLDER]        (src/linkwork of this repository when left out)
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

SUFFIXES = {".cpp", ".hpp", ".h", ".inc", ".ipp"}
FOLDER = re.compile(r"^[ \t]*linkwork_folder\([ \t]*(\w+)", re.MULTILINE)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"]")
# A comment, or a string or character literal (kept, so that "//" inside one does not start a comment).
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)


def read_order(cmake_text: str) -> list[str]:
    """The folders' names in their order."""
    return FOLDER.findall(cmake_text)


def without_comments(text: str) -> str:
    """The text with its comments blanked and its lines where they were."""

    def blank(match: re.Match[str]) -> str:
        found = match.group(0)
        return "\n" * found.count("\n") if found.startswith("/") else found

    return COMMENT.sub(blank, text)


def check_file(path: Path, source_folder: Path, order: list[str]) -> list[str]:
    """What is wrong with the includes of one file."""
    findings = []
    folder = path.relative_to(source_folder).parts[0]
    rank = {name: i for i, name in enumerate(order)}
    for number, line in enumerate(without_comments(path.read_text(encoding="utf-8")).split("\n"), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        where = f"{path}:{number}: error:"
        if target.startswith("linkwork/"):
            parts = target.split("/")
            other = parts[1] if len(parts) > 2 else ""
            if ".." in parts:
                findings.append(f'{where} "{target}" has ".." in it; write the folder\'s name')
            elif other not in rank:
                findings.append(f'{where} "{target}" is in no folder of the order in {source_folder}/CMakeLists.txt')
            elif rank[other] > rank[folder]:
                findings.append(f"{where} {folder}/ may not include {other}/, which comes after it")
        elif ".." in target.split("/") or (path.parent / target).is_file():
            findings.append(f'{where} "{target}" is relative; write it as "linkwork/..." so that the order can be seen')
    return findings


def check(source_folder: Path) -> list[str]:
    """What is wrong in the whole tree, in the order of the files' names."""
    list_file = source_folder / "CMakeLists.txt"
    order = read_order(list_file.read_text(encoding="utf-8"))
    if not order:
        return [f"{list_file}:1: error: no linkwork_folder(...) line, so there is no order to check"]
    findings = [f"{list_file}:1: error: {name}/ is listed twice" for name in sorted(set(order)) if order.count(name) > 1]
    for path in sorted(source_folder.rglob("*")):
        if not path.is_file() or path.suffix not in SUFFIXES:
            continue
        parts = path.relative_to(source_folder).parts
        if len(parts) == 1:
            findings.append(f"{path}:1: error: a source file belongs in one of the folders")
        elif parts[0] not in order:
            findings.append(f"{path}:1: error: folder {parts[0]}/ has no linkwork_folder line in {list_file}")
        else:
            findings += check_file(path, source_folder, order)
    return findings


def main(arguments: list[str]) -> int:
    here = Path(__file__).resolve().parent.parent
    source_folder = Path(arguments[0]) if arguments else here / "src" / "linkwork"
    findings = check(source_folder)
    for finding in findings:
        print(finding.replace(f"{here}/", ""))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
