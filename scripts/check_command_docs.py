#!/usr/bin/env python3
"""Checks that docs/reference/command-line.md names every option of every verb that the program has, and no other.

The program's own --help is the truth. In the document a verb has a heading "## linkwork VERB", and its options stand in the first
column of a table below it; options of "## linkwork" itself (--help) hold for every verb. Findings are printed as
file:line: error: ...; the exit code is 1 when there are any.

usage: check_command_docs.py [PROGRAM [DOCUMENT]]   (build/release/bin/linkwork and this repository's document when left out)
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADING = re.compile(r"^##\s+linkwork(?:\s+([a-z-]+))?\s*$")
OPTION = re.compile(r"--[a-z][a-z-]*")


def help_text(program: str, *verb: str) -> str:
    return subprocess.run([program, *verb, "--help"], capture_output=True, text=True, check=True, timeout=30).stdout


def help_section(text: str, title: str) -> list[str]:
    """The indented lines under "title:"."""
    lines = text.splitlines()
    if f"{title}:" not in lines:
        return []
    section = []
    for line in lines[lines.index(f"{title}:") + 1 :]:
        if line and not line.startswith(" "):
            break
        section.append(line)
    return section


def options_of(text: str) -> set[str]:
    """An entry starts with two blanks and its names ("-h,--help"); what follows the names is its description."""
    options = set()
    for line in help_section(text, "Options"):
        if match := re.match(r"  (-\S+)", line):
            options.update(OPTION.findall(match.group(1)))
    return options


def verbs_of(text: str) -> list[str]:
    return [m.group(1) for line in help_section(text, "Subcommands") if (m := re.match(r"  ([a-z][a-z-]*)\b", line))]


def documented(text: str) -> dict[str, tuple[int, dict[str, int]]]:
    """For each verb ("" for the program itself): line of its heading, and line of each option in its tables."""
    sections: dict[str, tuple[int, dict[str, int]]] = {}
    current: dict[str, int] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("## "):
            match = HEADING.match(line)
            current = {} if match else None
            if match and current is not None:
                sections[match.group(1) or ""] = (number, current)
        elif current is not None and line.startswith("|"):
            for option in OPTION.findall(line.split("|")[1]):
                current[option] = number
    return sections


def check(program: str, document: Path) -> list[str]:
    text = document.read_text(encoding="utf-8")
    name = document.name
    top = help_text(program)
    truth = {"": options_of(top)} | {verb: options_of(help_text(program, verb)) for verb in verbs_of(top)}
    sections = documented(text)
    shared = set(sections.get("", (0, {}))[1])
    findings = []
    for verb, options in truth.items():
        title = f"linkwork {verb}".strip()
        if verb not in sections:
            findings.append(f'{name}:1: error: there is no heading "## {title}"')
            continue
        heading, named = sections[verb]
        findings += [f"{name}:{heading}: error: {title} has the option {o}, which is not named here" for o in sorted(options - set(named) - shared)]
        findings += [f"{name}:{named[o]}: error: {title} has no option {o}" for o in sorted(set(named) - options)]
    findings += [f"{name}:{sections[v][0]}: error: linkwork has no verb {v}" for v in sections if v not in truth]
    everything = set().union(*truth.values())
    for number, line in enumerate(text.splitlines(), start=1):
        findings += [f"{name}:{number}: error: no verb has an option {o}" for o in OPTION.findall(line) if o not in everything]
    return list(dict.fromkeys(findings))


def main(arguments: list[str]) -> int:
    program = arguments[0] if arguments else str(ROOT / "build/release/bin/linkwork")
    document = Path(arguments[1]) if len(arguments) > 1 else ROOT / "docs/reference/command-line.md"
    findings = check(program, document)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
