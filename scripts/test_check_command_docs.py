"""Tests of check_command_docs.py with a program made for the purpose."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import check_command_docs

PROGRAM = """#!/bin/sh
case $1 in
  run) cat <<END
Runs --fast things
Usage: linkwork run [OPTIONS] FILE

Options:
  -h,--help                   Print this help
  --until FLOAT               End; see --nothing
  --format TEXT:{a,b}=a Excludes: --until
                              How --written
END
  ;;
  *) cat <<END
Usage: linkwork [OPTIONS] SUBCOMMAND

Options:
  -h,--help                   Print this help

Subcommands:
  run                         Runs
END
  ;;
esac
"""
TOP = "# Command line\n\n## linkwork\n\n| `--help`, `-h` | help |\n\n"
RUN = "## linkwork run\n\n| `--until` | end, not with `--format` |\n| `--format` | how |\n"


class CommandDocs(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = Path(folder.name) / "linkwork"
        self.program.write_text(PROGRAM, encoding="utf-8")
        self.program.chmod(0o755)
        self.document = Path(folder.name) / "command-line.md"

    def findings(self, text: str) -> list[str]:
        self.document.write_text(text, encoding="utf-8")
        return check_command_docs.check(str(self.program), self.document)

    def test_a_complete_document_passes(self) -> None:
        self.assertEqual(self.findings(TOP + RUN), [])

    def test_an_option_missing_or_too_many_is_an_error(self) -> None:
        self.assertEqual(
            self.findings(TOP + RUN.replace("| `--format` |", "| `--colour` |")),
            [
                "command-line.md:7: error: linkwork run has the option --format, which is not named here",
                "command-line.md:10: error: linkwork run has no option --colour",
                "command-line.md:10: error: no verb has an option --colour",
            ],
        )

    def test_an_option_in_prose_must_exist(self) -> None:
        self.assertEqual(self.findings(TOP + RUN + "\nUse `--untill`.\n"), ["command-line.md:12: error: no verb has an option --untill"])

    def test_verbs_must_match(self) -> None:
        self.assertEqual(
            self.findings(TOP + RUN.replace("linkwork run", "linkwork walk")),
            [
                'command-line.md:1: error: there is no heading "## linkwork run"',
                "command-line.md:7: error: linkwork has no verb walk",
            ],
        )


if __name__ == "__main__":
    unittest.main()
