"""Tests of check_folder_order.py on small trees made for the purpose."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import check_folder_order

ORDER = "# the order\nlinkwork_folder(base fmt::fmt)\nlinkwork_folder(scalar)\n# linkwork_folder(old)\nlinkwork_folder(model)\n"


class FolderOrder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("CMakeLists.txt", ORDER)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def findings(self) -> list[str]:
        return [f.replace(f"{self.root}/", "") for f in check_folder_order.check(self.root)]

    def test_order_is_read_without_commented_lines(self) -> None:
        self.assertEqual(check_folder_order.read_order(ORDER), ["base", "scalar", "model"])

    def test_own_folder_and_folders_before_are_allowed(self) -> None:
        self.write("base/a.hpp", "#include <vector>\n")
        self.write("model/b.cpp", '#include "linkwork/model/b.hpp"\n#include "linkwork/base/a.hpp"\n#include <fmt/format.h>\n')
        self.assertEqual(self.findings(), [])

    def test_a_folder_after_is_an_error_with_its_line(self) -> None:
        self.write("base/a.hpp", '// x\n\n#include "linkwork/scalar/dual.hpp"\n')
        self.assertEqual(self.findings(), ["base/a.hpp:3: error: base/ may not include scalar/, which comes after it"])

    def test_tests_and_subfolders_obey_too_and_brackets_do_not_hide(self) -> None:
        self.write("scalar/deep/a_test.cpp", "  #  include <linkwork/model/b.hpp>\n")
        self.assertEqual(
            self.findings(), ["scalar/deep/a_test.cpp:1: error: scalar/ may not include model/, which comes after it"]
        )

    def test_comments_do_not_count_and_keep_line_numbers(self) -> None:
        self.write(
            "base/a.cpp",
            '// #include "linkwork/model/b.hpp"\n/* two\n#include "linkwork/model/b.hpp"\n*/\n'
            'const char* u = "http://x /* y";\n#include "linkwork/model/b.hpp"\n',
        )
        self.assertEqual(self.findings(), ["base/a.cpp:6: error: base/ may not include model/, which comes after it"])

    def test_relative_includes_are_errors(self) -> None:
        self.write("base/a.hpp", "")
        self.write("base/b.cpp", '#include "a.hpp"\n#include "../model/b.hpp"\n#include "linkwork/base/../model/b.hpp"\n')
        self.assertEqual([f.split(": ")[0] for f in self.findings()], ["base/b.cpp:1", "base/b.cpp:2", "base/b.cpp:3"])

    def test_folders_outside_the_order_are_errors(self) -> None:
        self.write("extra/a.hpp", "")
        self.write("loose.hpp", "")
        self.write("base/a.hpp", '#include "linkwork/extra/a.hpp"\n')
        self.assertEqual([f.split(": ")[0] for f in self.findings()], ["base/a.hpp:1", "extra/a.hpp:1", "loose.hpp:1"])

    def test_an_empty_or_doubled_order_is_an_error(self) -> None:
        self.write("CMakeLists.txt", "linkwork_folder(base)\nlinkwork_folder(base)\n")
        self.assertEqual(self.findings(), ["CMakeLists.txt:1: error: base/ is listed twice"])
        self.write("CMakeLists.txt", "")
        self.assertEqual(len(self.findings()), 1)


if __name__ == "__main__":
    unittest.main()
