"""Files of equations (space = "equations") as a user meets them. Needs LINKWORK, the program's path."""

import json
import math
import unittest

from cli_for_tests import MODELS, CliCase

EQUATIONS = MODELS / "equations"


class EquationsFiles(CliCase):
    def test_simulate_leaves_results_and_a_page(self):
        done = self.run_program("simulate", EQUATIONS / "sleigh.toml", "--out", self.folder, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = {path.name for path in self.folder.iterdir()}
        self.assertLessEqual({"sleigh.csv", "sleigh.json"}, names)
        header = next(line for line in (self.folder / "sleigh.csv").read_text().splitlines() if not line.startswith("#"))
        for name in ("x", "theta_rate", "v", "w_rate", "side_reaction"):
            self.assertIn(name, header)

    def test_wrong_variants_are_named_in_results(self):
        done = self.run_program("simulate", EQUATIONS / "sleigh.toml", "--out", self.folder, "--variant", "printed_rows", "--no-page")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("printed_rows, which is wrong", (self.folder / "sleigh.json").read_text())
        done = self.run_program("simulate", EQUATIONS / "sleigh.toml", "--variant", "printed")
        self.assertEqual(done.returncode, 1)
        self.assertIn('there is no variant "printed" of equations', done.stderr)

    def test_other_verbs_refuse_it_by_name(self):
        for verb in ("assemble", "compare", "kinematics", "inverse", "statics"):
            done = self.run_program(verb, EQUATIONS / "sleigh.toml")
            self.assertEqual(done.returncode, 1, verb)
            self.assertIn(f"linkwork {verb}: error:", done.stderr)
            self.assertIn("holds equations", done.stderr)

    def test_options_about_bodies_are_refused(self):
        for verb, *options in (
            ("check", "--mobility"),
            ("simulate", "--generated"),
            ("simulate", "--formulation", "absolute"),
            ("linearize", "--second-order"),
            ("modes", "--at-equilibrium"),
            ("explain", "--symbolic"),
        ):
            done = self.run_program(verb, EQUATIONS / "sleigh.toml", *options)
            self.assertEqual(done.returncode, 1, (verb, options))
            self.assertIn("equations", done.stderr)

    def test_equations_are_written_and_run(self):
        done = self.run_program("equations", EQUATIONS / "sleigh.toml")
        self.assertIn("x' = E_11 v", done.stdout)
        code = self.run_program("equations", EQUATIONS / "sleigh.toml", "--format", "python", "--for", "mass-matrix").stdout
        self.assertIn("def sleigh_mass_matrix(", code)
        program = json.loads(self.run_program("equations", EQUATIONS / "sleigh.toml", "--json").stdout)
        self.assertEqual([form["form"] for form in program["forms"]], ["quasivelocity"])
        about = self.run_program("equations", EQUATIONS / "bicycle_three_bodies.toml", "--for", "linear", "--steady")
        self.assertEqual(about.returncode, 0, about.stderr)
        self.assertIn("About the steady motion: x at 5 m/s", about.stdout)
        page = self.folder / "sleigh.html"
        self.assertEqual(self.run_program("equations", EQUATIONS / "sleigh.toml", "--page", page).returncode, 0)
        self.assertIn("linkwork equations", page.read_text())
        for option in ("--counts", "--no-torques", "--form=absolute"):
            done = self.run_program("equations", EQUATIONS / "sleigh.toml", option)
            self.assertEqual(done.returncode, 1)
            self.assertIn("this file holds equations", done.stderr)

    def test_check_says_what_can_be_integrated(self):
        done = self.run_program("check", EQUATIONS / "rolling_disc.toml")
        self.assertIn("3 degrees of freedom of velocities, 5 of positions", done.stdout)
        self.assertIn('constraint "along" cannot be integrated by itself', done.stdout)
        model = json.loads(self.run_program("check", EQUATIONS / "bicycle_four_bodies.toml", "--json").stdout)
        self.assertEqual(model["degrees_of_freedom"], 3)
        self.assertEqual(model["degrees_of_freedom_of_positions"], 7)

    def test_explain_shows_the_matrices(self):
        done = self.run_program("explain", EQUATIONS / "sleigh.toml", "--matrices", "--variant", "printed_rows")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("V_P ", "Omega_QP ", "Gamma(side)", "T_Pi ", "Gamma_0 "):
            self.assertIn(name, done.stdout)
        self.assertIn("instead of 2.4", done.stdout)

    def test_steady_modes_and_locus(self):
        steady = json.loads(self.run_program("steady", EQUATIONS / "rolling_disc.toml", "--json").stdout)
        self.assertTrue(steady["steady"])
        self.assertEqual(steady["nothing_depends_on"], ["x", "y", "psi", "th"])
        modes = json.loads(self.run_program("modes", EQUATIONS / "sleigh.toml", "--steady", "--given", "v=1.5 m/s", "--json").stdout)
        self.assertAlmostEqual(modes["modes"][0]["eigenvalue"]["re"], -0.9 / 0.68, delta=1e-10)
        locus = json.loads(self.run_program("locus", EQUATIONS / "rolling_disc.toml", "--over", "s=0.5..6", "--out", self.folder, "--json").stdout)
        m, r, g = 1.0, 0.5, 9.81
        a, c = m * r * r / 4, m * r * r / 2
        critical = math.sqrt(a * m * g * r**3 / (c * (c + m * r * r))) / r
        self.assertAlmostEqual(locus["limits"][0]["at"], critical, delta=1e-9)

    def test_what_changes_in_time_has_no_steady_motion(self):
        done = self.run_program("steady", EQUATIONS / "polar_particle.toml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("change with the time by themselves", done.stderr)


if __name__ == "__main__":
    unittest.main()
