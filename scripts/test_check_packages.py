"""Tests of check_packages.py on small trees made for the purpose."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import check_packages


class Packages(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("packages.txt", "# section build: x\ng++ g++\nlibfmt-dev  # text\n\n# section tests: y\nlibgtest-dev\n")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def test_listed_packages_and_standard_headers_pass(self) -> None:
        self.write("CMakeLists.txt", "find_package(fmt REQUIRED)\n  find_package(GTest)\n# find_package(Eigen3)\n")
        self.write("src/a.cpp", "#include <vector>\n#include <sys/stat.h>\n#include <fmt/format.h>\n")
        self.assertEqual(check_packages.check(self.root), [])

    def test_a_known_package_that_is_not_listed_is_an_error(self) -> None:
        self.write("src/CMakeLists.txt", "\nfind_package(Eigen3 3.4 REQUIRED)\n")
        self.write("src/a.hpp", "#include <Eigen/Dense>\n")
        self.assertEqual(
            check_packages.check(self.root),
            [
                "src/CMakeLists.txt:2: error: find_package Eigen3: libeigen3-dev is not in packages.txt",
                "src/a.hpp:1: error: include Eigen: libeigen3-dev is not in packages.txt",
            ],
        )

    def test_an_unknown_package_is_an_error(self) -> None:
        self.write("cmake/x.cmake", "find_package(Sundials)\n")
        self.write("src/a.cpp", "#include <hdf5/hdf5.h>\n")
        self.assertEqual([f.split(":")[0] for f in check_packages.check(self.root)], ["cmake/x.cmake", "src/a.cpp"])

    def test_tools_of_the_scripts_must_be_listed(self) -> None:
        self.write("test", "#!/bin/bash\nclang-format-16 --version\nx=node_modules\n")
        self.assertEqual(
            check_packages.check(self.root), ["test:1: error: calls clang-format-16: clang-format-16 is not in packages.txt"]
        )
        self.write("test", "")
        self.write("scripts/same_results_sides.py", 'TOOL = ["valgrind", "--tool=callgrind"]\n')
        self.assertIn("calls valgrind: valgrind is not in packages.txt", check_packages.check(self.root)[0])

    def test_mistakes_in_the_list_are_errors(self) -> None:
        self.write("packages.txt", "git git\n# section build: x\ngit git\ncmake cmake cmake3\n")
        self.assertEqual([f.split(": ")[0] for f in check_packages.check(self.root)], [f"packages.txt:{n}" for n in (1, 3, 4)])


if __name__ == "__main__":
    unittest.main()
