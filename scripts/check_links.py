#!/usr/bin/env python3
"""Checks the links inside this repository's Markdown files: the file must exist, and the heading too where one is named.

Links to the web are not followed. Findings are printed as file:line: error: ...; the exit code is 1 when there are any.

usage: check_links.py [REPOSITORY]                  (this repository when left out)
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import unquote

SKIPPED = {"build", "out", "node_modules", ".git", ".venv", "dist"}
INLINE = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)")
FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")


def prose_lines(text: str) -> list[tuple[int, str]]:
    """Numbered lines outside fenced code."""
    lines = []
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        match = FENCE.match(line)
        if match and not fence:
            fence = match.group(1)
        elif match and match.group(1) == fence:
            fence = ""
        elif not fence:
            lines.append((number, line))
    return lines


def slug(heading: str) -> str:
    """The name that GitHub gives a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def anchors(path: Path) -> set[str]:
    names: set[str] = set()
    for _, line in prose_lines(path.read_text(encoding="utf-8")):
        names.update(ANCHOR.findall(line))
        if match := HEADING.match(line):
            name = base = slug(match.group(1))
            count = 0
            while name in names:
                count += 1
                name = f"{base}-{count}"
            names.add(name)
    return names


def check_file(path: Path, root: Path) -> list[str]:
    findings = []
    for number, line in prose_lines(path.read_text(encoding="utf-8")):
        line = re.sub(r"`[^`]*`", lambda m: "x" * len(m.group(0)), line)
        for link in INLINE.findall(line) + REFERENCE.findall(line):
            if re.match(r"[a-z][a-z0-9+.-]*:", link, re.IGNORECASE):
                continue
            name, _, fragment = unquote(link).partition("#")
            start = root if name.startswith("/") else path.parent
            target = (start / name.lstrip("/")).resolve() if name else path
            where = f"{path.relative_to(root)}:{number}: error:"
            if not target.is_relative_to(root):
                findings.append(f"{where} {link} points outside the repository")
            elif not target.exists():
                findings.append(f"{where} {link}: there is no such file")
            elif fragment and target.suffix == ".md" and fragment not in anchors(target):
                findings.append(f"{where} {link}: there is no such heading")
    return findings


def check(root: Path) -> list[str]:
    root = root.resolve()
    findings = []
    for path in sorted(root.rglob("*.md")):
        if not SKIPPED & set(path.relative_to(root).parts):
            findings += check_file(path, root)
    return findings


def main(arguments: list[str]) -> int:
    findings = check(Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
