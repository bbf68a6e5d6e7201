"""Tests of lint.py: what it takes for unchanged."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import lint


class Lint(unittest.TestCase):
    def test_all_own_files_that_a_source_includes_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "src" / "linkwork").mkdir(parents=True)
            (folder / "app").mkdir()
            source = folder / "app" / "a.cpp"
            source.write_text('#include <vector>\n#include "near.hpp"\n  #  include "linkwork/far.hpp"\n#include "not_ours.hpp"\n')
            (folder / "app" / "near.hpp").write_text('#include "linkwork/farther.hpp"\n')
            (folder / "src" / "linkwork" / "far.hpp").write_text('#include "linkwork/farther.hpp"\n')
            (folder / "src" / "linkwork" / "farther.hpp").write_text('#include "linkwork/far.hpp"\n')
            found = {Path(path).name for path in lint.read_by(source, (folder / "src",))}
            self.assertEqual(found, {"a.cpp", "near.hpp", "far.hpp", "farther.hpp"})

    def test_precompiled_headers_are_not_shown_to_the_linter(self) -> None:
        command = (
            "c++ '-DX=\"a b\"' -fpch-preprocess --param=ggc-min-heapsize=1 -Winvalid-pch -include d/cmake_pch.hxx "
            "-include own.hpp -o a.o -c a.cpp"
        )
        self.assertEqual(lint.without_precompiled(command), "c++ '-DX=\"a b\"' -include own.hpp -o a.o -c a.cpp")

    def test_a_change_in_a_header_or_in_the_command_is_a_change(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "a.cpp").write_text("int a;", encoding="utf-8")
            (folder / "a.hpp").write_text("", encoding="utf-8")
            files = ["a.cpp", "a.hpp"]
            first = lint.key_of("c++ a.cpp", files, folder, folder)
            self.assertEqual(lint.key_of("c++ a.cpp", files[::-1], folder, folder), first)
            self.assertNotEqual(lint.key_of("c++ -O2 a.cpp", files, folder, folder), first)
            lint.digest.cache_clear()
            (folder / "a.hpp").write_text("int b;", encoding="utf-8")
            self.assertNotEqual(lint.key_of("c++ a.cpp", files, folder, folder), first)

    def test_it_does_not_matter_where_the_checkout_lies(self) -> None:
        keys = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as name:
                source = Path(name) / "a.cpp"
                source.write_text("int a;", encoding="utf-8")
                keys.append(lint.key_of(f"c++ -I{name} {source}", [str(source)], Path(name) / "build", Path(name)))
        self.assertEqual(keys[0], keys[1])


if __name__ == "__main__":
    unittest.main()
