#!/usr/bin/env python3
"""Checks that packages.txt names every Debian package that the build, the tests and the scripts use.

What is used: find_package(...) in CMake files, library headers in C++ files, and the tools that the scripts call. Each is
looked up in the tables below; something that stands in neither table nor packages.txt is an error at its file and line.

usage: check_packages.py [REPOSITORY]               (this repository when left out)
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CMAKE_PACKAGES = {
    "Eigen3": "libeigen3-dev",
    "fmt": "libfmt-dev",
    "tomlplusplus": "libtomlplusplus-dev",
    "nlohmann_json": "nlohmann-json3-dev",
    "CLI11": "libcli11-dev",
    "SUNDIALS": "libsundials-dev",
    "GTest": "libgtest-dev",
    "benchmark": "libbenchmark-dev",
    "rapidcheck": "librapidcheck-dev",
    "Python3": "python3",
    "Threads": "g++",
    "OpenMP": "g++",
}
# First part of a bracketed include -> package. Headers of the language and of the system are not listed.
HEADER_PACKAGES = {
    "Eigen": "libeigen3-dev",
    "unsupported": "libeigen3-dev",
    "fmt": "libfmt-dev",
    "toml++": "libtomlplusplus-dev",
    "nlohmann": "nlohmann-json3-dev",
    "CLI": "libcli11-dev",
    "sundials": "libsundials-dev",
    "nvector": "libsundials-dev",
    "cvode": "libsundials-dev",
    "arkode": "libsundials-dev",
    "ida": "libsundials-dev",
    "gtest": "libgtest-dev",
    "gmock": "libgmock-dev",
    "benchmark": "libbenchmark-dev",
    "rapidcheck": "librapidcheck-dev",
    "rapidcheck.h": "librapidcheck-dev",
    "hdf5.h": "libhdf5-dev",
}
# Folders of the C++ library, the compiler and the system, which come with g++.
SYSTEM_FOLDERS = {"sys", "linkwork", "experimental", "arpa", "netinet", "linux", "sanitizer"}
TOOL_PACKAGES = {
    "cmake": "cmake",
    "ninja": "ninja-build",
    "ccache": "ccache",
    "git": "git",
    "node": "nodejs",
    "npm": "npm",
    "python3": "python3",
    "chromium": "chromium",
    "shellcheck": "shellcheck",
    "valgrind": "valgrind",
    "clang++-16": "clang-16",
    "clang-format-16": "clang-format-16",
    "clang-tidy-16": "clang-tidy-16",
}

FIND_PACKAGE = re.compile(r"^[^#\n]*?\bfind_package\(\s*([\w+-]+)")
FIND_PROGRAM = re.compile(r"^[^#\n]*?\bfind_program\(\s*\w+\s+(?:NAMES\s+)?([^\s)]+)")
INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>")
SKIPPED = {"build", "out", "node_modules", ".git", ".venv", "dist"}


def read_list(text: str) -> tuple[dict[str, str], list[str]]:
    """Package -> section, and what is wrong with the list itself."""
    packages: dict[str, str] = {}
    findings = []
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"# section ([a-z]+):", line)
        words = line.split("#")[0].split()
        if header:
            section = header.group(1)
        elif words:
            if not section:
                findings.append(f"packages.txt:{number}: error: {words[0]} stands in no section")
            if words[0] in packages:
                findings.append(f"packages.txt:{number}: error: {words[0]} is listed twice")
            if len(words) > 2:
                findings.append(f"packages.txt:{number}: error: a line is a package and at most one command")
            packages[words[0]] = section
    return packages, findings


def uses(path: Path) -> list[tuple[int, str, str, dict[str, str]]]:
    """(line, kind, name, table) for everything a file uses."""
    found = []
    is_cmake = path.name == "CMakeLists.txt" or path.suffix == ".cmake"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if is_cmake:
            if (match := FIND_PACKAGE.match(line)) and match.group(1) != "Linkwork":  # ours, installed
                found.append((number, "find_package", match.group(1), CMAKE_PACKAGES))
            if match := FIND_PROGRAM.match(line):
                found.append((number, "find_program", match.group(1), TOOL_PACKAGES))
        elif match := INCLUDE.match(line):
            head = match.group(1).split("/")[0]
            if head in HEADER_PACKAGES or ("/" in match.group(1) and head not in SYSTEM_FOLDERS):
                found.append((number, "include", head, HEADER_PACKAGES))
    return found


def check(root: Path) -> list[str]:
    packages, findings = read_list((root / "packages.txt").read_text(encoding="utf-8"))
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if SKIPPED & set(relative.parts) or not path.is_file():
            continue
        if path.name != "CMakeLists.txt" and path.suffix not in {".cmake", ".cpp", ".hpp"}:
            continue
        for number, kind, name, table in uses(path):
            package = table.get(name)
            if package is None:
                findings.append(f"{relative}:{number}: error: {kind} {name}: tell scripts/check_packages.py its package")
            elif package not in packages:
                findings.append(f"{relative}:{number}: error: {kind} {name}: {package} is not in packages.txt")
    for script in ("run", "test", "scripts/same_results_sides.py"):
        text = (root / script).read_text(encoding="utf-8") if (root / script).is_file() else ""
        for tool, package in TOOL_PACKAGES.items():
            if re.search(rf"(?<![\w./-]){re.escape(tool)}(?![\w+-])", text) and package not in packages:
                findings.append(f"{script}:1: error: calls {tool}: {package} is not in packages.txt")
    return findings


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    findings = check(root)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
