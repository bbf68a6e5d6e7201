"""Joints made of springs as a user meets them: check, simulate, compare --stiffness. Needs LINKWORK, the program's path."""

import csv
import json
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from cli_for_tests import FOUR_BAR, PENDULUM, PROGRAM, CliCase

SPRINGS = FOUR_BAR.replace('B = { revolute = ["coupler", "rocker"] }', 'B = { revolute = ["coupler", "rocker"], compliance = { stiffness = "1e6 N/m" } }')

# Two hinges on one axis repeat each other.
DOOR = """
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]

[bodies]
door = { mass = 20, com = [0.4, 0, 0.6], inertia = { xx = 2.4, yy = 3.5, zz = 1.1 } }

[joints]
low = { revolute = ["ground", "door"], at = [0, 0, 0], axis = [0, 0, 1], compliance = { stiffness = 1e6, rotational_stiffness = 1e3 } }
high = { revolute = ["ground", "door"], at = [0, 0, 1.2], axis = [0, 0, 1], compliance = { stiffness = 2e6, rotational_stiffness = 1e3 } }

[simulate]
until = 0.05
"""


class CompliantCli(CliCase):
    def simulate(self, text, *options):
        result = self.run_program("simulate", self.write(text), "--no-page", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def columns(self, name="model.csv"):
        with (self.folder / "out" / name).open() as file:
            head = next(line for line in file if not line.startswith("#"))
            return [name.split(" [")[0].strip('"') for name in head.strip().split(",")]

    def test_check_counts_the_freedoms_of_springs(self):
        result = self.run_program("check", self.write(SPRINGS))
        self.assertIn("6 independent in the assembled pose: 3 degrees of freedom", result.stdout)
        self.assertIn("joint B is made of springs, which add 2 degrees of freedom", result.stdout)
        found = json.loads(self.run_program("check", self.write(DOOR), "--json").stdout)
        self.assertEqual(found["joints_of_springs"], ["low", "high"])
        self.assertEqual((found["degrees_of_freedom"], found["degrees_of_freedom_of_springs"]), (6, 5))

    def test_joints_that_repeat_each_other_are_warned_of_with_their_place(self):
        result = self.simulate(DOOR)
        self.assertIn("model.toml:10:", result.stderr)
        self.assertIn("how they share their loads follows from the stiffness of their springs", result.stderr)
        self.assertIn("axis_angle", " ".join(self.columns()))

    def test_simulate_records_the_gap_and_the_ledger_what_springs_cost(self):
        result = self.simulate(SPRINGS)
        self.assertIn('Joint "B", made of springs, opened by up to', result.stdout)
        self.assertIn("B.gap", self.columns())
        joint = json.loads((self.folder / "out/model.json").read_text())["ledger"]["spring_joints"][0]
        self.assertEqual((joint["joint"], joint["origin"], joint["stiffness"]), ("B", "given", 1e6))
        self.assertAlmostEqual(joint["greatest_gap"], joint["greatest_force"] / 1e6, delta=1e-12)

    def test_the_formulation_finds_its_stiffness_and_keeps_the_gap(self):
        self.simulate(FOUR_BAR, "--formulation", "compliant", "--gap", "1e-5")
        ledger = json.loads((self.folder / "out/model.json").read_text())["ledger"]["spring_joints"]
        self.assertEqual(len(ledger), 1)
        self.assertIn("a gap of 1e-05 m", ledger[0]["origin"])
        self.assertLess(ledger[0]["greatest_gap"], 1e-5)
        self.assertGreater(ledger[0]["greatest_gap"], 1e-6)

    def test_options_of_springs_are_refused_without_them(self):
        model = self.write(FOUR_BAR)
        self.assert_fails(self.run_program("simulate", model, "--gap", "1e-5"), 1, "--gap belongs to the formulation compliant")
        self.assert_fails(self.run_program("simulate", model, "--formulation", "compliant", "--variant", "quarter"), 1, 'has no variant "quarter"')
        self.assert_fails(self.run_program("simulate", model, "--formulation", "compliant", "--stiffness", "-1"), 1, "--stiffness")

    def test_where_no_loop_can_be_softened_it_says_so(self):
        result = self.simulate(PENDULUM, "--formulation", "compliant")
        self.assertIn("no loop of this model is closed at a joint that can be made of springs", result.stderr)

    def test_an_explicit_method_that_would_never_end_is_told_beforehand(self):
        process = subprocess.Popen(
            [PROGRAM, "simulate", self.write(FOUR_BAR), "--formulation", "compliant", "--stiffness", "1e14", "--integrator", "dopri5", "--until", "100", "--no-page"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn('the springs of joint "B" swing at', errors)
        self.assertIn("--integrator radau5", errors)

    def test_a_run_with_springs_resumes(self):
        options = ("--formulation", "compliant", "--gap", "1e-5", "--until", "60", "--output-step", "0.5", "--checkpoint-every", "2", "--no-page")
        model = self.write(FOUR_BAR)
        process = subprocess.Popen([PROGRAM, "simulate", model, *options], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (self.folder / "out/model.checkpoint").exists():
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertTrue((self.folder / "out/model.checkpoint").exists())
        result = self.run_program("simulate", model, *options, "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        resumed = (self.folder / "out/model.csv").read_bytes()
        self.assertEqual(self.run_program("simulate", model, *options).returncode, 0)
        self.assertEqual((self.folder / "out/model.csv").read_bytes(), resumed)

    def test_compare_sweeps_stiffness(self):
        model = self.write(FOUR_BAR)
        result = self.run_program("compare", model, "--stiffness", "1e6..1e8", "--richardson", "--until", "0.3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("joint B of springs against hard ones", result.stdout)
        with (self.folder / "out/model_stiffness.csv").open() as file:
            rows = list(csv.DictReader(file))
        places = [float(row["places [m]"]) for row in rows]
        self.assertEqual(len(rows), 3)
        for stiff, soft in zip(places[1:], places):
            self.assertAlmostEqual(soft / stiff, 10.0, delta=1.0)
        self.assertLess(float(rows[2]["limit_places [m]"]), 0.2 * places[2])
        xml.etree.ElementTree.parse(self.folder / "out/model_stiffness.svg")
        found = json.loads(self.run_program("compare", model, "--stiffness", "1e6", "--until", "0.1", "--json").stdout)
        self.assertEqual(found["joints"], ["B"])
        self.assertEqual(len(found["samples"]), 1)

    def test_compare_says_what_is_wrong_with_stiffnesses(self):
        model = self.write(FOUR_BAR)
        for wrong in ("soft", "1e9..1e4", "-5"):
            self.assert_fails(self.run_program("compare", model, f"--stiffness={wrong}"), 1, "stiffnesses are positive and rise")
        self.assert_fails(self.run_program("compare", model, "--richardson"), 1, "--stiffness")
        self.assert_fails(self.run_program("compare", self.write(PENDULUM), "--stiffness", "1e6"), 1, "nothing to sweep")

    def test_compare_does_not_count_what_springs_explain(self):
        result = self.run_program("compare", self.write(FOUR_BAR), "--formulations", "recursive,compliant", "--integrators", "radau5", "--space", "planar",
                                  "--until", "0.3", "--within", "1e-9", "--no-page")
        self.assertIn("opens its joints by up to", result.stdout)
        self.assertIn("which is not counted", result.stdout)


if __name__ == "__main__":
    unittest.main()
