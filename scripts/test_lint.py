"""Tests of lint.py: what it takes for unchanged."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import lint


class Lint(unittest.TestCase):
    def test_dependencies_are_read_and_stale_ones_left_out(self) -> None:
        text = "a.o: #deps 2, deps mtime 1 (VALID)\n    a.cpp\n    a.hpp\n\nb.o: #deps 1, deps mtime 1 (STALE)\n    b.cpp\n"
        self.assertEqual(lint.read_dependencies(text), {"a.o": ["a.cpp", "a.hpp"]})

    def test_the_object_is_found_in_the_command(self) -> None:
        self.assertEqual(lint.object_of("c++ -O2 -o dir/a.o -c a.cpp"), "dir/a.o")
        self.assertEqual(lint.object_of(""), "")

    def test_precompiled_headers_are_not_shown_to_the_linter(self) -> None:
        command = (
            "c++ '-DX=\"a b\"' -fpch-preprocess --param=ggc-min-heapsize=1 -Winvalid-pch -include d/cmake_pch.hxx "
            "-include own.hpp -o a.o -c a.cpp"
        )
        self.assertEqual(lint.without_precompiled(command), "c++ '-DX=\"a b\"' -include own.hpp -o a.o -c a.cpp")

    def test_sources_compiled_together_have_a_command_each(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            joint = Path(name) / "Unity" / "unity_0_cxx.cxx"
            joint.parent.mkdir()
            joint.write_text('/* by CMake */\n\n#include "/src/a.cpp"\n\n#include "/src/b.cpp"\n\n', encoding="utf-8")
            entries = [
                {"file": str(joint), "command": f"c++ -o u.o -c {joint}"},
                {"file": "/src/c.cpp", "command": "c++ -o c.o -c /src/c.cpp"},
            ]
            singles, together = lint.each_source(entries)
            self.assertEqual([entry["file"] for entry in singles], ["/src/a.cpp", "/src/b.cpp", "/src/c.cpp"])
            self.assertEqual(singles[1]["command"], "c++ -o u.o -c /src/b.cpp")
            self.assertEqual(together, {"/src/a.cpp": str(joint), "/src/b.cpp": str(joint)})

    def test_what_a_neighbour_reads_is_not_read(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            texts = {"src/x/a.cpp": '#include "x/a.hpp"', "src/x/a.hpp": '# include "own.hpp"', "src/x/own.hpp": "", "src/x/b.hpp": ""}
            for file, text in texts.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text, encoding="utf-8")
            files = {str(root / file) for file in texts} | {"/usr/include/vector"}
            found = lint.reached(str(root / "src/x/a.cpp"), files, root)
            self.assertEqual(found, files - {str(root / "src/x/b.hpp")})

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
