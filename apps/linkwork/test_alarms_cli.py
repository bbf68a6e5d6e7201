"""Alarms are true: what rests raises none, what differs or grows raises one, and reasons are the real ones. Needs LINKWORK."""

import json
import unittest

from cli_for_tests import FOUR_BAR, PENDULUM, CliCase

HANGING = PENDULUM.replace("A = [1, 0]", "A = [0, -1]").replace("until = 1", "until = 10")

# A body on a slide with a spring, where the spring does not pull.
STILL = """
linkwork = 1
space = "spatial"
gravity = [0, 0, 0]

[bodies]
b0 = { position = [-0.6, 0.9, -0.6], rotation = { zyx = [0.7, 1.3, 0.5] }, mass = 2.3, inertia = [0.24, 0.21, 0.4], com = [0.07, -0.28, -0.2] }

[joints]
j0 = { prismatic = ["ground", "b0"], at = [-0.7, 0.8, -0.5], axis = [-0.06, 0.7, -0.9] }

[loads]
spring = { actuator = "j0", force = "-17.6*j0.slide" }

[simulate]
until = 1
"""

# Three bars that cannot move.
TRUSS = """
linkwork = 1
space = "planar"
gravity = [0, -9.81]

[points]
A = [0, 0]
B = [3, 0]
C = [1.3, 1.7]

[bodies]
left = { rod = ["A", "C"], mass = 120 }
right = { rod = ["C", "B"], mass = 90 }

[joints]
A = { revolute = ["ground", "left"] }
B = { revolute = ["ground", "right"] }
C = { revolute = ["left", "right"] }

[simulate]
until = 10
"""

CHAIN = """
linkwork = 1
space = "planar"
gravity = [0, -9.81]

[bodies]
b0 = { rod = [[0.0, 0], [0.5, 0]], mass = FIRST }
b1 = { rod = [[0.5, 0], [1.0, 0]], mass = SECOND }
b2 = { rod = [[1.0, 0], [1.5, 0]], mass = FIRST }

[joints]
j0 = { revolute = ["ground", "b0"], at = [0.0, 0] }
j1 = { revolute = ["b0", "b1"], at = [0.5, 0] }
j2 = { revolute = ["b1", "b2"], at = [1.0, 0] }

[simulate]
until = 1
"""

TOP = """
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]

[bodies]
top = { position = [0, 0, 1], mass = 30, inertia = [90, 90, 30] }

[joints]
O = { spherical = ["ground", "top"], at = [0, 0, 0] }

[initial]
top.wz = RATE
"""


class Alarms(CliCase):
    def grades(self, *arguments):
        result = self.run_program("simulate", *arguments, "--no-page")
        self.assertEqual(result.returncode, 0, result.stderr)
        return dict(line.split()[:2] for line in result.stdout.splitlines() if line.startswith("  ") and len(line.split()) > 2)

    def test_runs_of_what_rests_agree(self):
        for text in (HANGING, STILL, TRUSS):
            model = self.write(text)
            for options in ([], ["--rtol", "1e-6"], ["--rtol", "1e-6", "--until", "3" if text == STILL else "1000"]):
                result = self.run_program("compare", model, "--within", "1e-5", "--no-page", *options)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    # The same pendulum, hit so that it swings by some 3e-5 rad, which Euler's method makes more of and Runge's does not.
    def test_a_difference_of_1e_5_is_found(self):
        model = self.write(HANGING.replace("[simulate]", "[initial]\nO.rate = 1e-4\n\n[simulate]"))
        for other, code in (("euler", 3), ("dop853", 0)):
            result = self.run_program("compare", model, "--integrators", f"rk4,{other}", "--step", "0.01", "--formulations", "absolute", "--space", "planar", "--within", "1e-5", "--no-page")
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        swing = PENDULUM.replace("until = 1", "until = 2")
        result = self.run_program("compare", self.write(swing), "--integrators", "rk4,dop853", "--step", "0.02", "--formulations", "recursive", "--space", "planar", "--within", "1e-8", "--no-page")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)

    def test_the_energy_lamp_of_what_rests_is_good(self):
        for text in (HANGING, STILL, TRUSS):
            self.assertEqual(self.grades(self.write(text))["Energy"], "good")

    # Swinging by a hundredth of a radian, a ten-thousandth of the energy that it could have.
    def test_the_energy_lamp_of_a_small_swing_tells_an_error_of_1e_5(self):
        model = self.write(HANGING.replace("[simulate]", "[initial]\nO.rate = 0.04\n\n[simulate]"))
        self.assertEqual(self.grades(model)["Energy"], "good")
        result = self.run_program("simulate", model, "--integrator", "rk4", "--step", "0.1", "--json", "--no-page")
        energy = json.loads(result.stdout)["ledger"]["energy"]
        self.assertGreater(energy["worst_balance"], 1e-5 * energy["exchanged"])
        self.assertNotEqual(self.grades(model, "--integrator", "rk4", "--step", "0.1")["Energy"], "good")

    def test_light_bodies_beside_heavy_ones_move_as_they_should(self):
        ends = {}
        for light, heavy in (("1e-6", "1e6"), ("1e-9", "1e9"), ("1", "1e14")):
            model = self.write(CHAIN.replace("FIRST", light).replace("SECOND", heavy))
            for formulation in ("absolute", "recursive", "linkage", "hamiltonian"):
                result = self.run_program("simulate", model, "--formulation", formulation, "--no-page", "--rtol", "1e-9", "--atol", "1e-11")
                self.assertEqual(result.returncode, 0, formulation + result.stdout + result.stderr)
                rows = [line.split(",") for line in (self.folder / "out" / "model.csv").read_text().splitlines() if not line.startswith("#")]
                ends[light, formulation] = [float(rows[-1][rows[0].index(name + " [rad]")]) for name in ("b0.angle", "b1.angle", "b2.angle")]
        # Beside a heavy body it matters little how light the others are: to some 1e-12.
        reference = ends["1e-6", "recursive"]
        for found in ends.values():
            for angle, expected in zip(found, reference):
                self.assertAlmostEqual(angle, expected, 6)

    def test_masses_too_far_apart_are_told_by_their_ratio(self):
        # A light body that nothing holds, with a heavy one on a pin: how it turns is lost in the round-off of the heavy one.
        text = CHAIN.replace("FIRST", "1e-14").replace("SECOND", "1e14").replace('j0 = { revolute = ["ground", "b0"], at = [0.0, 0] }\n', "")
        for formulation in ("absolute", "recursive", "linkage", "hamiltonian"):
            result = self.run_program("simulate", self.write(text), "--formulation", formulation, "--no-page", "--until", "0.1")
            self.assertNotIn("no inertia", result.stdout + result.stderr)

    def test_a_body_that_drives_hold_is_not_called_free(self):
        text = PENDULUM.replace('[joints]\nO = { revolute = ["ground", "bar"] }', '[drives]\nturn = { body = "bar", angle = "t" }\nshift = { body = "bar", x = "sin(t)" }\nlift = { body = "bar", y = 0 }')
        result = self.run_program("check", self.write(text))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("moves freely", result.stderr)

    def test_modes_tell_what_grows_from_what_is_neutral(self):
        result = self.run_program("modes", self.write(TOP.replace("RATE", "12")))
        self.assertIn(": not stable: mode ", result.stdout + result.stderr)
        self.assertIn("grows, twice as large every ", result.stdout)
        result = self.run_program("modes", self.write(TOP.replace("RATE", "13.5")))
        self.assertIn(": neutral: nothing grows, but mode ", result.stdout + result.stderr)

    def test_drift_is_named_where_it_is_the_cause_alone(self):
        model = self.write(FOUR_BAR.replace("[simulate]\nuntil = 1", "[initial]\nO.rate = 3\n\n[simulate]\nuntil = 5"))
        result = self.run_program(
            "compare", model, "--formulations", "absolute", "--space", "planar", "--stabilisations", "none,projection", "--rtol", "1e-5", "--atol", "1e-7",
            "--within", "1e-9", "--no-page", "--json",
        )
        self.assertEqual(json.loads(result.stdout)["reference"], "absolute with projection")


if __name__ == "__main__":
    unittest.main()
