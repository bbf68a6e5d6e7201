"""linkwork compare as a user meets it, bad cases first. Needs LINKWORK, the program's path."""

import csv
import json
import unittest
import xml.etree.ElementTree

from cli_for_tests import MODELS, PENDULUM, CliCase, page_data

# The drive turns the crank to where the rod no longer reaches: every run stops there.
DEAD_POINT = """
linkwork = 1
space = "planar"
gravity = [0, -9.81]

[points]
O = [0, 0]
A = [0.5, 0.866]
B = [1.5, 0.5]
C = [2, 0]

[bodies]
crank = { rod = ["O", "A"], mass = 1 }
coupler = { rod = ["A", "B"], mass = 1 }
rocker = { rod = ["B", "C"], mass = 1 }

[joints]
O = { revolute = ["ground", "crank"] }
A = { revolute = ["crank", "coupler"] }
B = { revolute = ["coupler", "rocker"] }
C = { revolute = ["ground", "rocker"] }

[drives]
turn = { joint = "O", angle = "1.0472 + 3*t" }

[simulate]
until = 2
"""


# Euler's method gains energy and swings the bar to where the event is; the true motion does not get there.
EVENT = PENDULUM.replace("until = 1", "until = 2") + """
[events]
over = { when = "bar.angle + 3.2", stop = true }
"""

# Too stiff for rk4 with a step of 0.05 s, which fails on the way.
STIFF = PENDULUM.replace("A = [1, 0]", "A = [1, 0]\nB = [0.4, 0.9]").replace("until = 1", "until = 0.1") + """
[loads]
k = { spring = ["ground.B", "bar.A"], stiffness = 1e6, free_length = 0.5 }
"""


class CompareCli(CliCase):
    def call(self, *arguments):
        return self.run_program("compare", *arguments)

    def model(self, text=PENDULUM):
        path = self.folder / "m.toml"
        path.write_text(text)
        return path

    # --- bad cases

    def test_unknown_names_are_refused_with_a_suggestion(self):
        model = self.model()
        self.assert_fails(self.call(model, "--formulations", "recursiv"), 1, 'no formulation "recursiv"', 'Did you mean "recursive"?')
        self.assert_fails(self.call(model, "--stabilisations", "projection,nothing"), 1, 'no stabilisation "nothing"')
        self.assert_fails(self.call(model, "--integrators", "rk5"), 1, 'no integrator "rk5"')

    def test_one_run_alone_is_nothing_to_compare(self):
        result = self.call(self.model(), "--formulations", "absolute", "--space", "planar")
        self.assert_fails(result, 1, "there is nothing to compare: absolute is the only run")
        self.assertFalse((self.folder / "out").exists())

    def test_an_impossible_start_is_a_numerical_failure(self):
        model = self.model(DEAD_POINT.replace('angle = "1.0472 + 3*t"', 'angle = "3.1 + 3*t"'))
        result = self.call(model)
        self.assert_fails(result, 2, "m.toml", "error")

    def test_an_option_that_no_run_needs_is_refused(self):
        self.assert_fails(self.call(self.model(), "--alpha", "3"), 1, "--alpha belongs to stabilisation baumgarte")

    def test_a_model_in_space_is_not_flattened(self):
        self.assert_fails(self.call(MODELS / "heavy_top.toml", "--space", "planar"), 1, "leave out --space")

    def test_a_within_that_is_no_tolerance_is_refused(self):
        self.assert_fails(self.call(self.model(), "--within", "-1"), 1, "must be positive")

    def test_runs_that_stop_keep_their_rows(self):
        result = self.call(self.model(DEAD_POINT), "--json", "--space", "planar")
        self.assert_fails(result, 2, "no two runs went through")
        runs = [run for run in json.loads(result.stdout)["runs"] if run["applies"]]
        self.assertGreater(len(runs), 1)
        for run in runs:
            self.assertEqual(run["status"], "failed")
            self.assertLess(run["reached"], 2.0)
            self.assertTrue(run["message"])

    def test_a_run_that_an_event_stops_alone_does_not_agree(self):
        options = ["--integrators", "rk4,euler", "--step", "0.01", "--formulations", "absolute", "--space", "planar"]
        result = self.call(self.model(EVENT), *options, "--within", "0.3", "--json")
        self.assert_fails(result, 3, "they do not end at the same time")
        found = json.loads(result.stdout)
        self.assertFalse(found["agree"])
        self.assertIn('`absolute by euler` is stopped by event "over" at t = 0.86', found["verdict"])
        self.assertEqual(found["runs"][1]["ends"]["reference"], 2.0)
        self.assertEqual(self.call(self.model(EVENT), *options).returncode, 0)

    def test_a_run_that_fails_beside_two_that_agree_is_exit_code_2(self):
        options = ["--integrators", "dopri5,radau5,rk4", "--step", "0.05", "--formulations", "absolute", "--space", "planar"]
        result = self.call(self.model(STIFF), *options, "--within", "0.01", "--json")
        self.assert_fails(result, 2, "`absolute by rk4` could not go on")
        found = json.loads(result.stdout)
        self.assertFalse(found["agree"])
        self.assertTrue(found["verdict"].startswith("Two of three agree"), found["verdict"])
        self.assertEqual(self.call(self.model(STIFF), *options).returncode, 0)

    def test_no_place_to_write_is_said(self):
        (self.folder / "out").write_text("a file")
        self.assert_fails(self.call(self.model(), "--out", "out"), 1, "out")

    # --- what it says

    def test_all_formulations_agree_on_a_pendulum(self):
        result = self.call(self.model(), "--within", "1e-6")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("agree to", result.stdout)
        with open(self.folder / "out" / "m_compare.csv", encoding="utf-8") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        self.assertEqual(len(rows), 1002)
        self.assertIn("recursive.positions", rows[0])
        self.assertEqual(xml.etree.ElementTree.parse(self.folder / "out" / "m_compare.svg").getroot().tag[-3:], "svg")

    def test_page_shows_the_verdict_and_is_left_out_when_asked(self):
        result = self.call(self.model())
        self.assertEqual(result.returncode, 0, result.stderr)
        path = self.folder / "out" / "m_compare.html"
        self.assertIn(f"page     {path}", result.stdout)
        data = page_data(path)
        self.assertEqual(data["start"], "comparison")
        self.assertIn("agree to", data["comparison"]["verdict"][0])
        plotted = {name for plot in data["comparison"]["plots"] for name in plot["series"]}
        self.assertIn("recursive: positions", plotted)
        self.assertLessEqual(plotted, {series["name"] for series in data["series"]})
        path.unlink()
        self.assertEqual(self.call(self.model(), "--no-page").returncode, 0)
        self.assertFalse(path.exists())

    def test_worse_than_within_is_exit_code_3(self):
        result = self.call(self.model(), "--within", "1e-15")
        self.assert_fails(result, 3, "the runs differ by", "more than 1e-15")

    def test_drift_without_stabilisation_is_in_the_verdict(self):
        result = self.call(self.model(), "--stabilisations", "projection,none", "--integrators", "rk4", "--step", "0.1", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.assertIn("`absolute without stabilisation` has drifted to", found["verdict"])
        drifted = next(run for run in found["runs"] if run["label"] == "absolute without stabilisation")
        self.assertEqual(drifted["parts"]["name"], "O")
        self.assertGreater(drifted["drift"]["position"], 1e-6)
        self.assertFalse(found["agree"])

    def test_a_formulation_that_does_not_apply_says_why(self):
        result = self.call(MODELS / "slider_pendulum.toml", "--until", "0.2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("do not apply\n  linkage: joint ", result.stdout)

    def test_report_is_a_table_with_versions_and_settings(self):
        result = self.call(self.model(), "--report", "agreement.md")
        self.assertEqual(result.returncode, 0, result.stderr)
        text = (self.folder / "agreement.md").read_text()
        for part in ("| Linkwork |", "| model hash |", "| rtol | 1e-08 |", "| run | positions |", "agree to"):
            self.assertIn(part, text)

    def test_settings_of_single_runs_are_in_the_report(self):
        options = ["--integrators", "dopri5,rk4", "--stabilisations", "projection,baumgarte", "--alpha", "20", "--step", "0.01", "--space", "planar"]
        result = self.call(self.model(), *options, "--report", "agreement.md", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        text = (self.folder / "agreement.md").read_text()
        self.assertIn("| absolute with projection by dopri5 | rtol = 1e-08, atol = 1e-10 |", text)
        self.assertIn("| absolute with baumgarte by rk4 | alpha = 20 1/s, beta = ", text)
        runs = {run["label"]: run.get("settings") for run in json.loads(result.stdout)["runs"]}
        self.assertEqual(runs["absolute with projection by rk4"], {"step": "0.01 s"})

    def test_sundials_is_named_where_its_integrators_ran(self):
        if not json.loads(self.run_program("methods", "--json").stdout)["sundials"]:
            self.skipTest("built without SUNDIALS")
        options = ["--formulations", "absolute", "--space", "planar", "--integrators"]
        self.assertNotIn("SUNDIALS", json.loads(self.call(self.model(), *options, "dopri5,rk4", "--step", "0.01", "--json").stdout)["provenance"])
        result = self.call(self.model(), *options, "dopri5,cvode", "--report", "agreement.md")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex((self.folder / "agreement.md").read_text(), r"\| SUNDIALS \| \d+\.\d+\.\d+ \|")

    def test_convergence_of_fixed_steps_is_not_bound_by_a_tolerance(self):
        options = ["--formulations", "absolute,recursive", "--space", "planar", "--integrators", "rk4", "--step", "0.02", "--output-step", "0.1"]
        result = self.call(self.model(), *options, "--converge", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)["convergence"]
        self.assertGreater(len(found["levels"]), 3)
        self.assertNotIn("rtol", found["levels"][0])
        self.assertTrue(found["words"].startswith("The differences have settled. At step = "), found["words"])

    def test_convergence_tells_digits(self):
        result = self.call(self.model(), "--converge", "--json", "--formulations", "absolute,recursive", "--output-step", "0.1")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)["convergence"]
        self.assertGreater(len(found["levels"]), 2)
        self.assertGreaterEqual(found["digits"]["positions"], 8)


if __name__ == "__main__":
    unittest.main()
