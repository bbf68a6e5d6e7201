"""linkwork equations and simulate --generated as a user meets them. Needs LINKWORK, the program's path."""

import json
import os
import unittest

from cli_for_tests import MODELS, CliCase, page_data


class Equations(CliCase):
    def equations(self, model, *arguments):
        return self.run_program("equations", MODELS / f"{model}.toml", *arguments)

    def test_text_has_the_equations_of_the_double_pendulum(self):
        answer = self.equations("double_pendulum", "--for", "mass-matrix")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("1: J_1 al_1'' + Jc_22 al_2'' - Js_22 al_2'^2 - G_1 = M_1 - M_2", answer.stdout)
        self.assertIn("2: Jc_22 al_1'' + J_2 al_2'' + Js_22 al_1'^2 - G_2 = M_2", answer.stdout)

    def test_every_form_for_every_task_is_written_or_refused_by_name(self):
        forms = ("rud", "statement5", "sweep", "elimination", "recursive", "hamiltonian", "quasivelocity", "absolute")
        for model in ("four_bar", "snakeboard"):
            for form in forms:
                for task in ("forward", "inverse", "mass-matrix", "linear", "reactions"):
                    answer = self.equations(model, "--form", form, "--for", task, "--format", "c")
                    if answer.returncode == 0:
                        self.assertIn("operations: ", answer.stdout)
                    else:
                        self.assertIn(f"the form {form} does not fit: ", answer.stderr)
                    if form == "quasivelocity":
                        self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_small_motions_about_a_steady_motion_have_no_state(self):
        about = ("--form", "quasivelocity", "--for", "linear", "--steady")
        answer = self.equations("chaplygin_sleigh", *about, "--given", "sledge.vx_rate=1", "--json")
        self.assertNotEqual(answer.returncode, 0)
        answer = self.equations("bicycle", *about, "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        program = json.loads(answer.stdout)
        self.assertEqual(program["inputs"], [])
        self.assertIn("speed", [p["name"] for p in program["parameters"]])
        self.assertIn("About the steady motion: frame.x at 5 m/s", "".join(program["notes"]))
        self.assertEqual([o["name"] for o in program["outputs"]], ["A", "D", "K", "U", "V"])
        for wrong in (("--steady",), ("--form", "recursive", "--for", "linear", "--steady")):
            answer = self.equations("bicycle", *wrong)
            self.assertEqual(answer.returncode, 1)
            self.assertIn("--steady is for --form quasivelocity --for linear.", answer.stderr)
        answer = self.equations("bicycle", "--given", "rear_axle.rate=1 rad/s")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("go with --steady", answer.stderr)

    def test_explanations_in_quasi_velocities_have_all_matrices(self):
        explain = ("explain", MODELS / "chaplygin_sleigh.toml", "--formulation", "quasivelocity")
        answer = self.run_program(*explain, "--matrices", "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        sections = {one["title"]: one["table"] for one in json.loads(answer.stdout)["sections"]}
        # m v' = m a w^2, (J + m a^2) w' = -m a v w with m = 2, J = 0.5, a = 0.3, v = 0.8, w = 2
        column = sections["Right-hand side B"]["columns"].index("B")
        found = [row[column] for row in sections["Right-hand side B"]["entries"]]
        self.assertAlmostEqual(found[0], 2.4, places=12)
        self.assertAlmostEqual(found[1], -0.96, places=12)
        for letter in ("V_P", "V_PP", "Omega_Q", "T_Q", "C"):
            self.assertIn(f"{letter} of sledge", sections)
        answer = self.run_program(*explain[:2], "--matrices")
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn("--matrices", answer.stderr)
        for form in ("text", "latex"):
            answer = self.run_program(*explain, "--format", form)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertIn("Gamma", answer.stdout)

    def test_two_runs_write_the_same_bytes(self):
        for language in ("text", "latex", "mathml", "c", "cpp", "python", "matlab", "julia"):
            first = self.equations("four_bar", "--format", language)
            self.assertEqual(first.returncode, 0, first.stderr)
            self.assertEqual(first.stdout, self.equations("four_bar", "--format", language).stdout)

    def test_form_that_does_not_fit_names_the_joint_and_what_fits(self):
        answer = self.equations("slider_pendulum", "--form", "rud")
        self.assertEqual(answer.returncode, 1)
        self.assertIn('joint "P" is prismatic', answer.stderr)
        self.assertIn("What fits: recursive, hamiltonian, quasivelocity, absolute.", answer.stderr)
        answer = self.equations("four_bar", "--form", "elimination")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("closes a loop", answer.stderr)

    def test_page_holds_the_form_asked_for_and_the_counts(self):
        answer = self.equations("double_pendulum", "--form", "elimination", "--page", "equations.html")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(answer.stdout, "")
        data = page_data(self.folder / "equations.html")
        self.assertIn("--form elimination", data["equations"]["command"])
        self.assertTrue(data["equations"]["sections"])
        forms = [row[0] for row in data["equations"]["tables"][0]["rows"][1:]]
        self.assertIn("elimination", forms)
        self.assertTrue(data["still"])
        answer = self.equations("double_pendulum", "--page", ".")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("there is a folder of that name", answer.stderr)

    def test_unknown_letter_is_refused_with_those_there_are(self):
        answer = self.equations("double_pendulum", "--symbols", "z")
        self.assertEqual(answer.returncode, 1)
        self.assertIn('no parameter of this form is called "z"; there are mo_1', answer.stderr)

    def test_chosen_letters_stay_and_others_become_numbers(self):
        answer = self.equations("double_pendulum", "--symbols", "m,g", "--for", "inverse")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("mo_1", answer.stdout)
        self.assertNotIn("Jo_1", answer.stdout)

    def test_tables_are_refused_by_name_in_code(self):
        answer = self.equations("tabulated_engine_load", "--format", "c")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("table", answer.stderr)

    def test_function_is_named_after_the_file(self):
        answer = self.equations("double_pendulum", "--format", "matlab", "--output", "fork.m")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        # fork is taken by POSIX: the name stands out, the same wherever it is used.
        self.assertIn("= fork_(", (self.folder / "fork.m").read_text())

    def test_usual_form_is_chosen_and_said(self):
        for model, form in (("four_bar", "rud"), ("slider_pendulum", "recursive"), ("differential", "recursive")):
            answer = self.equations(model)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertIn(f"Form {form}", answer.stdout)
        self.assertIn("for rud does not fit", answer.stdout)

    def test_curves_are_refused_by_name(self):
        answer = self.equations("cam_follower")
        self.assertEqual(answer.returncode, 1)
        self.assertIn('joint "contact" is a point on a curve', answer.stderr)

    def test_whole_turns_are_an_argument_where_they_matter(self):
        answer = self.equations("rssr", "--format", "python")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stdout, r"def rssr_forward\((p, )?(t, )?q, u, n, tau\):")
        self.assertIn("whole turns of the angle of load 'hold'", answer.stdout)
        self.assertNotRegex(self.equations("gyroscope", "--format", "python").stdout, r"def .*\bn\b.*:")

    def test_json_holds_the_program(self):
        answer = self.equations("double_pendulum", "--json", "--counts")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        program = json.loads(answer.stdout)
        self.assertEqual((program["format"], program["form"], program["task"]), ("linkwork-equations", "rud", "forward"))
        self.assertEqual([i["argument"] for i in program["inputs"]], ["al", "al", "w", "w", "M", "M"])
        values = {p["name"]: p["value"] for p in program["parameters"]}
        self.assertIn("mo_1", values)
        self.assertEqual([line["number"] for line in program["lines"]], list(range(1, len(program["lines"]) + 1)))
        total = sum(line["operations"]["mul"] for line in program["lines"] if not line["constant"])
        self.assertLessEqual(total, program["operations"]["moving"]["mul"])
        self.assertEqual(program["outputs"][0]["rows"], len(program["outputs"][0]["entries"]))
        self.assertEqual(len(program["forms"]), 13)
        self.assertTrue(all(form["fits"] and form["operations"] for form in program["forms"]))
        loops = json.loads(self.equations("four_bar", "--json", "--form", "recursive").stdout)
        self.assertEqual(len(loops["solve"]["matrix"]), len(loops["solve"]["unknowns"]) ** 2)
        self.assertIn("closes a loop", {f["form"]: f.get("why_not", "") for f in loops["forms"]}["elimination"])

    def test_loops_are_opened_by_splitting_bodies_where_asked(self):
        answer = self.equations("four_bar", "--form", "hamiltonian", "--opening", "split_bodies", "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        split = json.loads(answer.stdout)
        cut = json.loads(self.equations("four_bar", "--form", "hamiltonian", "--json").stdout)

        def coordinates(written):
            return sum(entry["role"] == "position" for entry in written["inputs"])

        self.assertEqual(coordinates(split), coordinates(cut) + 1)
        self.assertIn("/2", " ".join(split["notes"]))
        answer = self.equations("four_bar", "--opening", "split_bodies")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("--opening is for --form hamiltonian, and this is rud", answer.stderr)

    def test_impulses_in_and_rates_out(self):
        answer = self.equations("four_bar", "--form", "hamiltonian", "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        program = json.loads(answer.stdout)
        self.assertEqual([i["role"] for i in program["inputs"]], ["position"] * 3 + ["impulse"] * 3 + ["effort"] * 3)
        self.assertEqual([o["name"] for o in program["outputs"]], ["qd", "pd", "eta"])
        self.assertEqual(len(program["solve"]["unknowns"]), 2)
        answer = self.equations("four_bar", "--form", "hamiltonian", "--for", "reactions")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("recursive and absolute write them", answer.stderr)

    def test_counts_give_advice(self):
        answer = self.equations("double_pendulum", "--counts")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for what in ("forward dynamics", "inverse dynamics", "Shortest to read"):
            self.assertIn(what, answer.stdout)

    def simulate(self, *arguments, model="double_pendulum", **environment):
        return self.run_program(
            "simulate", MODELS / f"{model}.toml", "--until", "1", "--no-page", *arguments,
            env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), **environment},
        )

    def last_line(self, folder, model="double_pendulum"):
        return [float(x) for x in (self.folder / folder / f"{model}.csv").read_text().splitlines()[-1].split(",")]

    def test_generated_run_ends_where_the_numeric_one_does(self):
        self.assertEqual(self.simulate("--out", "a").returncode, 0)
        answer = self.simulate("--out", "b", "--generated")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertNotIn("without generated code", answer.stderr)
        self.assertEqual(len(list((self.folder / "cache" / "linkwork").glob("*.so"))), 1)
        for one, other in zip(self.last_line("a"), self.last_line("b")):
            self.assertAlmostEqual(one, other, delta=1e-6 * (1 + abs(one)))

    def test_generated_impulses_end_where_the_numeric_ones_do(self):
        for opening in ("cut_joints", "split_bodies"):
            options = ("--formulation", "hamiltonian", "--opening", opening, "--rtol", "1e-10", "--atol", "1e-10")
            self.assertEqual(self.simulate("--out", "a", *options, model="four_bar").returncode, 0)
            answer = self.simulate("--out", "b", "--generated", *options, model="four_bar")
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertNotIn("without generated code", answer.stderr)
            for one, other in zip(self.last_line("a", "four_bar"), self.last_line("b", "four_bar")):
                self.assertAlmostEqual(one, other, delta=1e-6 * (1 + abs(one)))
        answer = self.simulate("--generated", "--formulation", "hamiltonian", "--integrator", "rattle", "--step", "0.01")
        self.assertIn("runs without generated code: the integrator rattle", answer.stderr)

    def test_without_a_compiler_the_run_says_so_and_goes_on(self):
        answer = self.simulate("--generated", CC="no-such-compiler")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn('runs without generated code: there is no compiler "no-such-compiler"', answer.stderr)


if __name__ == "__main__":
    unittest.main()
