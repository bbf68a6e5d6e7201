"""linkwork linearize and linkwork modes as a user meets them. Needs LINKWORK, the program's path."""

import csv
import json
import math
import unittest

from cli_for_tests import MODELS, CliCase, page_data

# A mass on a spring and a damper between a driven base and nothing else; hangs at rest where it is drawn.
OSCILLATOR = """
linkwork = 1
space = "planar"
gravity = [0, 0]

[points]
P = [0, 0]
Q = [1, 0]

[bodies]
base = { box = { at = "P", size = [0.1, 0.1] }, mass = 1 }
cart = { box = { at = "Q", size = [0.1, 0.1] }, mass = 2 }

[joints]
B = { prismatic = ["ground", "base"], at = "P", axis = [1, 0] }
S = { prismatic = ["ground", "cart"], at = "Q", axis = [1, 0] }

[inputs]
shift = { default = "0 m", unit = "m" }
push = { default = "0 N", unit = "N" }

[drives]
move = { joint = "B", slide = "shift" }

[loads]
k = { spring_damper = ["base.P", "cart.Q"], stiffness = 50, damping = 4, free_length = 1 }
f = { force = ["push", 0], on = "cart" }

[outputs]
place = "S.slide"
"""


class LinearCli(CliCase):
    def call(self, *arguments):
        return self.run_program(*arguments)

    def model(self, text):
        path = self.folder / "m.toml"
        path.write_text(text)
        return path

    def test_oscillator_with_inputs_and_outputs(self):
        done = self.call("linearize", self.model(OSCILLATOR), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        linear = json.loads(done.stdout)
        self.assertEqual([s["name"] for s in linear["states"]], ["S.slide", "S.slide_rate"])
        self.assertEqual([u["name"] for u in linear["inputs"]], ["shift", "shift'", "shift''", "push"])
        for row, expected in zip(linear["A"] + linear["B"][1:] + linear["C"], [[0, 1], [-25, -2], [25, 2, 0, 0.5], [1, 0]]):
            for value, wanted in zip(row, expected, strict=True):
                self.assertAlmostEqual(value, wanted, places=9)
        self.assertTrue(linear["equilibrium"])

    def test_modes_of_the_oscillator(self):
        done = self.call("modes", self.model(OSCILLATOR), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        (mode,) = json.loads(done.stdout)["modes"]
        self.assertAlmostEqual(mode["damping_ratio"], 0.2, places=12)
        self.assertAlmostEqual(mode["frequency_Hz"], math.sqrt(24) / (2 * math.pi), places=12)
        self.assertAlmostEqual(mode["time_constant_s"], 1.0, places=12)
        text = self.call("modes", self.model(OSCILLATOR)).stdout
        self.assertIn("damping ratio 0.2, time constant 1 s", text)
        self.assertIn("joints: S.slide 1", text)

    def test_files(self):
        done = self.call("linearize", self.model(OSCILLATOR), "--second-order", "--out", "lin")
        self.assertEqual(done.returncode, 0, done.stderr)
        with (self.folder / "lin" / "m_K.csv").open() as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["", "S.slide [m]"])
        self.assertAlmostEqual(float(rows[1][1]), 50.0, places=9)
        self.assertEqual(self.call("modes", self.model(OSCILLATOR), "--out", "lin").returncode, 0)
        self.assertIn("S.slide,m,1,", (self.folder / "lin" / "m_shapes.csv").read_text())
        done = self.call("linearize", self.model(OSCILLATOR), "--out", "m.toml/lin")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot make the folder m.toml", done.stderr)

    def test_along_a_run(self):
        model = self.model(OSCILLATOR.replace('push = { default = "0 N", unit = "N" }', 'push = "3 [N]*sin(2*t)"'))
        self.assertEqual(self.call("simulate", model, "--until", "1", "--output-step", "0.25").returncode, 0)
        done = self.call("linearize", model, "--along", "out/m.csv", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        along = json.loads(done.stdout)
        self.assertEqual(along["time"], [0, 0.25, 0.5, 0.75, 1])
        self.assertEqual([s["name"] for s in along["states"]], ["S.slide", "S.slide_rate"])
        for A, B in zip(along["A"], along["B"], strict=True):
            for row, expected in zip(A + B[1:], [[0, 1], [-25, -2], [25, 2, 0, 0.5]], strict=True):
                for value, wanted in zip(row, expected, strict=True):
                    self.assertAlmostEqual(value, wanted, places=9)
        done = self.call("linearize", model, "--along", "out/m.json", "--out", "lin")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("5 samples from t = 0 to 1 s; 2 states, 4 inputs, 1 outputs\n  A(t) is constant", done.stdout)
        with (self.folder / "lin" / "m_along.csv").open() as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][:5], ["t [s]", "A[S.slide,S.slide]", "A[S.slide,S.slide_rate]", "A[S.slide_rate,S.slide]", "A[S.slide_rate,S.slide_rate]"])  # fmt: skip
        self.assertEqual(len(rows), 6)
        self.assertAlmostEqual(float(rows[3][3]), -25, places=9)
        for arguments, words in [
            (["--along", "out/m.html"], "a page holds a thinned run"),
            (["--along", "out/none.csv"], "none"),
            (["--along", "out/m.csv", "--at", "1"], "--along takes the states of a run; leave out --at"),
        ]:
            done = self.call("linearize", model, *arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(words, done.stderr)
        done = self.call("linearize", MODELS / "double_pendulum.toml", "--along", "out/m.csv")
        self.assertEqual(done.returncode, 2)
        self.assertIn('the run has no series "', done.stderr)

    def test_page_of_the_modes(self):
        done = self.call("modes", self.model(OSCILLATOR), "--page", "pages/modes.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("damping ratio 0.2", done.stdout)
        data = page_data(self.folder / "pages" / "modes.html")
        (mode,) = data["modes"]["list"]
        self.assertAlmostEqual(mode["damping"], 0.2, places=12)
        self.assertEqual(mode["shape"]["cart"], [[1, 0], [0, 0], [0, 0]])
        self.assertEqual(mode["shape"]["base"], [[0, 0], [0, 0], [0, 0]])
        self.assertIn("error", self.call("modes", self.model(OSCILLATOR), "--page", "m.toml/modes.html").stderr)

    def test_state_out_of_balance_is_warned_of(self):
        done = self.call("linearize", MODELS / "double_pendulum.toml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: this state is no equilibrium and no steady motion", done.stderr)

    def test_wrong_requests_are_refused(self):
        for arguments, words in [
            (["--at", "-1"], "--at is -1 s; give a time from 0 on"),
            (["--coordinates", "S.slid"], 'there is no coordinate "S.slid". Did you mean "S.slide"?'),
            (["--coordinates", "S.slide,B.slide"], "the mechanism has 1 freedom here, but 2 coordinates are asked for"),
            (["--coordinates", "B.slide"], '"B.slide" does not move by itself here'),
        ]:
            done = self.call("modes", self.model(OSCILLATOR), *arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)

    def test_equilibrium_is_found(self):
        done = self.call("modes", MODELS / "double_pendulum.toml", "--at-equilibrium", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertTrue(found["equilibrium"])
        self.assertEqual(found["warnings"], [])
        self.assertEqual([mode["kind"] for mode in found["modes"]], ["oscillation"] * 2)

    def test_motion_without_inertia_is_refused(self):
        done = self.call("modes", self.model(OSCILLATOR.replace("mass = 2", "mass = 0, inertia = 0")))
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no inertia in a direction that its joints leave free", done.stderr)

    def test_later_time(self):
        done = self.call("linearize", MODELS / "slider_pendulum.toml", "--at", "0.5", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["time"], 0.5)


if __name__ == "__main__":
    unittest.main()
