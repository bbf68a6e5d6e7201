"""Tests of check_links.py on small trees made for the purpose."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import check_links


class Links(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("docs/b.md", "# The `Big` idea\n\n## Twice\n\n## Twice\n")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def test_good_links_pass(self) -> None:
        self.write(
            "README.md",
            "# Top\n[a](docs/b.md) [b](docs/b.md#the-big-idea) [c](#top) ![d](<docs/b.md> \"title\") [e](docs/b.md#twice-1)\n"
            "[w](https://example.org/nowhere) `[x](none.md)`\n```\n[y](none.md)\n```\n[z]: docs/\n",
        )
        self.assertEqual(check_links.check(self.root), [])

    def test_bad_links_are_errors_with_their_line(self) -> None:
        self.write("README.md", "[a](none.md)\n\n[b](docs/b.md#nothing) [c](../x)\n[r]: gone.md\n")
        self.assertEqual(
            check_links.check(self.root),
            [
                "README.md:1: error: none.md: there is no such file",
                "README.md:3: error: docs/b.md#nothing: there is no such heading",
                "README.md:3: error: ../x points outside the repository",
                "README.md:4: error: gone.md: there is no such file",
            ],
        )


if __name__ == "__main__":
    unittest.main()
