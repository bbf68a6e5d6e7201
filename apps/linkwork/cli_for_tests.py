"""What the tests of the command line share: the program, small models, and a folder for each test. Needs LINKWORK, the program's path."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["LINKWORK"]
MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

PENDULUM = """
linkwork = 1
space = "planar"
gravity = [0, -9.81]

[points]
O = [0, 0]
A = [1, 0]

[bodies]
bar = { rod = ["O", "A"], mass = 2 }

[joints]
O = { revolute = ["ground", "bar"] }

[simulate]
until = 1
"""

FOUR_BAR = """
linkwork = 1
space = "planar"
gravity = [0, -9.81]

[points]
O = [0, 0]
A = [0, 0.3]
B = [0.9, 0.6]
D = [0.9, 0]

[bodies]
crank = { rod = ["O", "A"], mass = 1.2 }
coupler = { rod = ["A", "B"], mass = 2.0 }
rocker = { rod = ["D", "B"], mass = 1.5 }

[joints]
O = { revolute = ["ground", "crank"] }
A = { revolute = ["crank", "coupler"] }
B = { revolute = ["coupler", "rocker"] }
D = { revolute = ["ground", "rocker"] }

[simulate]
until = 1
"""


def page_data(path):
    """The data object of a page."""
    text = path.read_text()
    start = text.index('id="linkwork-data">') + len('id="linkwork-data">')
    return json.loads(text[start : text.index("</script>", start)])


class CliCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, text, name="model.toml"):
        (self.folder / name).write_text(text)
        return name

    def run_program(self, *arguments, timeout=120, **options):
        return subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=timeout, check=False, **options
        )

    def assert_fails(self, result, code, *texts):
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        for text in texts:
            self.assertIn(text, result.stderr)
