"""The command line as a user meets it, bad cases first: messages, exit codes, files. Needs LINKWORK, the program's path."""

import json
import math
import os
import re
import resource
import signal
import subprocess
import time
import unittest

from cli_for_tests import FOUR_BAR, MODELS, PENDULUM, PROGRAM, CliCase


class Cli(CliCase):
    # --- what is wrong with the file

    def test_outputs_are_columns_in_their_units(self):
        text = PENDULUM + """
[tables]
push = { x = [0, 1], y = [0, 2], outside = "hold" }
[loads]
motor = { actuator = "O", torque = "push(t)" }
[outputs]
turned = { value = "O.angle", unit = "deg" }
"""
        result = self.run_program("simulate", self.write(text), "--out", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        text = (self.folder / "out" / "model.csv").read_text()
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        names = lines[0].split(",")
        turned = float(lines[-1].split(",")[names.index("outputs.turned [deg]")])
        angle = float(lines[-1].split(",")[names.index("O.angle [rad]")])
        self.assertAlmostEqual(turned, angle * 57.29577951308232, 9)
        self.assertIn("motor.effort [N*m]", names)

    def test_check_names_drives_that_fight(self):
        text = FOUR_BAR + """
[drives]
one = { joint = "O", angle = "pi/2 + 2*t" }
two = { joint = "D", angle = "pi/2 - 7*t" }
"""
        result = self.run_program("check", self.write(text))
        self.assertEqual(result.returncode, 2)
        self.assertEqual(
            result.stderr,
            'model.toml:28:1: error: drives "one" (line 27) and "two" (line 28) fight: they are joined by "O", "A", "B" and '
            '"D", so that one of them follows from the other. Remove one of them.\n',
        )

    def test_summary_tells_loads_and_courses_in_the_letters_of_the_locale(self):
        model = self.write(PENDULUM)
        for locale, letters in (("C.UTF-8", "\u2581"), ("C", "_")):
            environment = {**os.environ, "LC_ALL": locale, "COLUMNS": "70"}
            result = self.run_program("simulate", model, env=environment)
            self.assertEqual(result.returncode, 0, result.stderr)
            lines = result.stdout.split("results")[0].splitlines()
            self.assertLessEqual(max(len(line) for line in lines), 70)
            (angle,) = [line for line in lines if line.startswith("  O.angle ")]
            self.assertIn(letters, angle)
            self.assertRegex(angle, r"to \S+ rad$")
            self.assertTrue(any(line.startswith("  energy error ") and letters in line for line in lines))
            # At the lowest point a bar that falls from level carries its weight and 3/2 of it: 2.5 m g.
            (load,) = [line for line in lines if line.startswith("  O  ")]
            self.assertAlmostEqual(float(load.split()[1]), 2.5 * 2 * 9.81, delta=0.01)
        self.assertNotIn("O.angle", self.run_program("simulate", model, "--json").stdout)

    def test_missing_file_is_named(self):
        self.assert_fails(self.run_program("simulate", "nowhere.toml"), 1, "nowhere.toml", "error")

    def test_misspelt_key_is_placed_and_corrected(self):
        model = self.write(PENDULUM.replace("mass = 2", "mas = 2"))
        self.assert_fails(self.run_program("check", model), 1, "model.toml:11:", 'Did you mean "mass"?')

    def test_unknown_unit_is_placed_and_corrected(self):
        model = self.write(PENDULUM.replace("mass = 2", 'mass = "2 kgg"'))
        self.assert_fails(self.run_program("check", model), 1, "model.toml:11:", 'unknown unit "kgg"')

    def test_wrong_dimension_is_placed(self):
        model = self.write(PENDULUM.replace("mass = 2", 'mass = "2 m"'))
        self.assert_fails(self.run_program("check", model), 1, "model.toml:11:", "expected a mass (kg)")

    def test_all_errors_come_at_once(self):
        model = self.write(PENDULUM.replace("mass = 2", "mas = 2").replace('"ground", "bar"', '"ground", "bra"'))
        result = self.run_program("check", model)
        self.assert_fails(result, 1, 'Did you mean "bar"?', 'Did you mean "mass"?')

    # --- what is wrong with the mechanism

    def test_loop_that_cannot_close_says_where_and_how_far(self):
        # Crank 0.3, coupler 0.2, rocker 0.2 over a base of 0.9: 0.2 m are missing.
        text = FOUR_BAR.replace('["A", "B"], mass', '["A", "B"], length = 0.2, mass').replace('["D", "B"], mass', '["D", "B"], length = 0.2, mass')
        result = self.run_program("assemble", self.write(text))
        self.assert_fails(result, 2, 'joint "B" stays open by 0.2 m', "crank", "coupler", "rocker", "cannot close", "model.toml:20:")

    def test_contradicting_initial_rates_are_refused_with_a_way_out(self):
        model = self.write(FOUR_BAR + "\n[initial]\nO.rate = 4\nD.rate = -4\n")
        result = self.run_program("simulate", model)
        self.assert_fails(result, 2, "O.angle_rate", "D.angle_rate", "contradict", "linkwork assemble", "model.toml:27:")
        self.assertFalse((self.folder / "out").exists())

    # --- space

    def test_planar_file_is_lifted_to_space_and_says_so(self):
        model = self.write(FOUR_BAR)
        result = self.run_program("check", model, "--space", "spatial")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("20 constraint equations, 17 independent", result.stdout)
        self.assertIn("lifted to space", result.stdout)
        self.assertIn("Jxx = Jyy = Jzz/2 is assumed for crank, coupler, rocker", result.stderr)
        as_json = json.loads(self.run_program("check", model, "--space", "spatial", "--json").stdout)
        self.assertTrue(as_json["lifted"])
        self.assertEqual(as_json["space"], "spatial")
        self.assertIn("lifted to space", self.run_program("assemble", model, "--space", "spatial").stdout)
        run = self.run_program("simulate", model, "--space", "spatial", "--until", "0.1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("lifted from a planar file", (self.folder / "out" / "model.json").read_text())

    def test_explain_refuses_space(self):
        model = self.write('linkwork = 1\nspace = "spatial"\ngravity = [0, 0, 0]\n[bodies]\nb = { mass = 1, inertia = [1, 1, 1] }\n')
        self.assert_fails(self.run_program("explain", model), 1, "planar files only")

    def test_linkage_runs_and_shows_its_forms(self):
        model = self.write(FOUR_BAR)
        run = self.run_program("simulate", model, "--formulation", "linkage", "--until", "0.2")
        self.assertEqual(run.returncode, 0, run.stderr)
        for form in ("rud", "statement1", "statement6", "sweep", "elimination"):
            result = self.run_program("explain", model, "--form", form)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("cut 1", result.stdout)
            self.assertIn("Augmented bodies", result.stdout)

    def test_hamiltonian_runs_and_shows_its_sweeps(self):
        model = self.write(FOUR_BAR)
        for opening in ("cut_joints", "split_bodies"):
            run = self.run_program("simulate", model, "--formulation", "hamiltonian", "--opening", opening, "--until", "0.2")
            self.assertEqual(run.returncode, 0, run.stderr)
            result = self.run_program("explain", model, "--formulation", "hamiltonian", "--opening", opening)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("Closure Phi, b and eta", result.stdout)
        self.assert_fails(self.run_program("simulate", model, "--opening", "split_bodies"), 1, "belongs to the formulation hamiltonian")
        space = self.run_program("explain", str(MODELS / "rssr.toml"), "--formulation", "hamiltonian")
        self.assertEqual(space.returncode, 0, space.stderr)

    def test_linkage_names_the_joint_in_its_way(self):
        model = str(MODELS / "slider_pendulum.toml")
        self.assert_fails(self.run_program("explain", model, "--form", "rud"), 1, "is prismatic", "hinges")
        self.assert_fails(self.run_program("simulate", model, "--formulation", "linkage"), 1, "is prismatic", "use the formulation absolute")

    def test_unreachable_initial_position_is_refused(self):
        # The rocker of this linkage cannot lie flat on the base pointing away from the crank.
        model = self.write(FOUR_BAR + '\n[initial]\nD.angle = "0 deg"\n')
        self.assert_fails(self.run_program("assemble", model), 2, "D.angle", "cannot be reached")

    def test_contradicting_initial_positions_are_named_with_both_lines(self):
        model = self.write(FOUR_BAR + '\n[initial]\nO.angle = "90 deg"\ncrank.angle = "80 deg"\n')
        self.assert_fails(
            self.run_program("assemble", model), 2, "O.angle", "model.toml:27:", "crank.angle", "model.toml:28:", "contradict", "weight"
        )
        result = self.run_program("assemble", model, "--nearest", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        wishes = json.loads(result.stdout)["wishes"]
        self.assertAlmostEqual(wishes["O.angle"]["got"], wishes["crank.angle"]["got"], 9)
        self.assertAlmostEqual(wishes["O.angle"]["got"], 1.4835298641951802, 6)  # 85 deg

    def test_wishes_are_printed_with_what_became_of_them(self):
        model = self.write(FOUR_BAR + '\n[initial]\nO.angle = { value = "80 deg", weight = 2 }\n')
        result = self.run_program("assemble", model)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("O.angle: wanted 1.3962634 rad, got 1.3962634 rad", result.stdout)
        self.assertIn("reactions   balance masses and loads to", result.stdout)

    def test_rounded_lengths_of_redundant_joints_warn_and_run(self):
        text = (MODELS / "parallelogram_three_cranks.toml").read_text().replace("K2 = [1.1, -0.4]", "K2 = [1.100001, -0.4]")
        text = text.replace("K2 = [-0.1, -0.1]", "K2 = [-0.099999, -0.1]").replace("until = 10", "until = 0.2")
        model = self.write(text)
        result = self.run_program("assemble", model, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning: the lengths do not quite fit", result.stderr)
        self.assertLess(json.loads(result.stdout)["misfit"], 1e-5)
        self.assertGreater(json.loads(result.stdout)["misfit"], 1e-8)
        result = self.run_program("check", model, "--mobility")
        self.assertIn("not looked at, because the lengths do not fit", result.stdout)
        result = self.run_program("simulate", model, "--out", str(self.folder / "out"))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_rounded_axis_is_mended_by_the_number_that_the_warning_gives(self):
        axis = "[0, -0.49999999999999994, 0.8660254037844387]"
        text = f"""linkwork = 1
space = "spatial"
gravity = [0, -9.81, 0]
[points]
O = [0, 0, 0]
A = [0.26, 0.1299038105676658, 0.07499999999999998]
B = [0.9, 0.43301270189221935, 0.24999999999999997]
D = [0.9, 0, 0]
[bodies]
c = {{ rod = ["O", "A"], radius = 0.01, mass = 1 }}
k = {{ rod = ["A", "B"], radius = 0.01, mass = 1 }}
r = {{ rod = ["D", "B"], radius = 0.01, mass = 1 }}
[joints]
O = {{ revolute = ["ground", "c"], axis = {axis} }}
A = {{ revolute = ["c", "k"], axis = {axis} }}
B = {{ revolute = ["k", "r"], axis = {axis} }}
D = {{ revolute = ["ground", "r"], axis = [0, -0.500000, 0.866025] }}
"""
        result = self.run_program("check", self.write(text))
        self.assertEqual(result.returncode, 0, result.stderr)
        found = re.search(r'joint "D" fits with (axis = \[[^]]*\])', result.stderr + result.stdout, re.IGNORECASE)
        self.assertIsNotNone(found, result.stderr)
        mended = text.replace("axis = [0, -0.500000, 0.866025]", found.group(1))
        self.assertNotEqual(mended, text)
        result = self.run_program("check", self.write(mended))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("do not quite fit", result.stderr + result.stdout)

    def test_singular_mass_names_the_body(self):
        model = self.write(PENDULUM.replace("mass = 2", "mass = 0, inertia = 0"))
        self.assert_fails(self.run_program("simulate", model), 2, 'body "bar" has no inertia')

    def test_drive_through_a_dead_point_says_when_and_where(self):
        # The rocker (0.6) swings under a drive until crank (0.3) and coupler are in line.
        model = self.write(FOUR_BAR + '\n[drives]\nmotor = { joint = "D", angle = "pi/2 - t" }\n')
        result = self.run_program("simulate", model, "--until", "3")
        self.assert_fails(result, 2, "t = ", "dead point")
        self.assertRegex(result.stderr, r'"(motor|O|A|B|D)"|(motor|O|A|B|D)\.')

    def test_nan_from_an_expression_names_it_and_the_time(self):
        model = self.write(PENDULUM + '\n[loads]\npush = { couple = "sqrt(0.5 - t)", on = "bar" }\n')
        result = self.run_program("simulate", model)
        self.assert_fails(result, 2, 'load "push"', "not a number", "t = 0.5")
        # What was computed up to there is kept and marked.
        self.assertIn("# status: failed", (self.folder / "out/model.csv").read_text())

    def test_a_load_that_grows_beyond_all_bounds_is_named_with_its_time(self):
        # The torque grows like 1/(0.5 - t)^2, the rate like 1/(0.5 - t): no step gets past t = 0.5 s.
        model = self.write(PENDULUM + '\n[loads]\npull = { couple = "1/(0.5 - t)^2", on = "bar" }\n')
        result = self.run_program("simulate", model)
        self.assert_fails(result, 2, "t = 0.5 s", 'load "pull" grows beyond all bounds')

    # --- what goes wrong outside

    def test_full_disk_leaves_nothing_half_written(self):
        model = self.write(PENDULUM)
        self.assertEqual(self.run_program("simulate", model).returncode, 0)
        before = (self.folder / "out/model.csv").read_text()
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        result = self.run_program("simulate", model, "--until", "0.5", preexec_fn=limit)
        self.assert_fails(result, 1, "cannot write", "model.csv")
        self.assertEqual((self.folder / "out/model.csv").read_text(), before)
        self.assertEqual([p.name for p in (self.folder / "out").iterdir() if p.name.endswith(".part")], [])

    def test_unwritable_folder_is_reported(self):
        (self.folder / "out").write_text("a file where the folder should be")
        self.assert_fails(self.run_program("simulate", self.write(PENDULUM)), 1, "cannot make the folder")

    def test_output_folder_that_may_not_be_written_to_is_reported(self):
        if os.geteuid() == 0:
            target = "/proc/linkwork"  # root may write anywhere but there
        else:
            (self.folder / "locked").mkdir(mode=0o555)
            target = "locked/out"
        self.assert_fails(self.run_program("simulate", self.write(PENDULUM), "--out", target), 1, "cannot make the folder")

    def test_interrupt_closes_the_results_and_marks_them(self):
        model = self.write(PENDULUM)
        process = subprocess.Popen(
            [PROGRAM, "simulate", model, "--until", "1e5", "--output-step", "1"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        lines = (self.folder / "out/model.csv").read_text().splitlines()
        self.assertTrue(lines[1].startswith("# status: interrupted"), lines[1])
        columns = len([line for line in lines if not line.startswith("#")][0].split(","))
        self.assertEqual(len(lines[-1].split(",")), columns)
        self.assertEqual(json.loads((self.folder / "out/model.json").read_text())["status"], "interrupted")

    # --- checkpoints

    LONG = ("--until", "40", "--output-step", "0.05", "--rtol", "1e-12", "--atol", "1e-13", "--no-page", "--checkpoint-every", "0.1")

    def interrupt_after_a_checkpoint(self, model, *options, with_signal=signal.SIGINT):
        process = subprocess.Popen([PROGRAM, "simulate", model, *options], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (self.folder / "out/model.checkpoint").exists():
            time.sleep(0.002)
        process.send_signal(with_signal)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        return errors

    def results(self, name):
        folder = self.folder / name
        return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}

    def test_killed_run_resumes_to_the_same_bytes(self):
        model = self.write(FOUR_BAR + '\n[events]\nlow = { when = "crank.angle" }\n[initial]\nO.rate = 4\n')
        whole = self.run_program("simulate", model, *self.LONG, "--out", "whole", "--format", "csv,hdf5")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        self.assertEqual(list(self.results("whole")), ["model.csv", "model.h5", "model.json", "model_loads.csv"])
        command = ["simulate", model, *self.LONG, "--out", "cut", "--format", "csv,hdf5"]
        checkpoint = self.folder / "cut" / "model.checkpoint"
        kills = 0
        for size in (20_000, 300_000, 700_000):
            process = subprocess.Popen(
                [PROGRAM, *command, "--resume"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
            while process.poll() is None and not (checkpoint.exists() and checkpoint.stat().st_size > size):
                time.sleep(0.002)
            process.kill()
            process.communicate()
            kills += process.returncode == -signal.SIGKILL
            self.assertFalse((self.folder / "cut" / "model.csv").exists())
        self.assertEqual(kills, 3)
        with checkpoint.open("ab") as file:  # a torn end, as a crash leaves it
            file.write(b"torn")
        resumed = self.run_program(*command, "--resume")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertNotIn("starts at the beginning", resumed.stderr)
        self.assertEqual(self.results("cut"), self.results("whole"))
        self.assertEqual(resumed.stdout.split("results")[0], whole.stdout.split("results")[0])

    def test_interrupted_run_resumes_to_the_same_bytes(self):
        model = self.write(FOUR_BAR + "\n[initial]\nO.rate = 4\n")
        options = ("--until", "20", "--rtol", "1e-12", "--atol", "1e-13", "--no-page", "--checkpoint-every", "1")
        errors = self.interrupt_after_a_checkpoint(model, *options, with_signal=signal.SIGTERM)
        self.assertIn("out/model.checkpoint is kept: the same command with --resume goes on from there", errors)
        self.assertIn("# status: interrupted", (self.folder / "out/model.csv").read_text())
        fresh = self.run_program("simulate", model, *options, "--out", "whole")
        self.assertEqual(fresh.returncode, 0, fresh.stderr)
        self.assertEqual(self.run_program("simulate", model, *options, "--resume").returncode, 0)
        self.assertEqual(self.results("out"), self.results("whole"))

    def test_checkpoint_of_another_run_is_refused_with_what_differs(self):
        model = self.write(PENDULUM)
        others = ("--output-step", "1", "--no-page", "--checkpoint-every", "10")
        options = ("--until", "1e5", *others)
        self.interrupt_after_a_checkpoint(model, *options)
        result = self.run_program("simulate", model, "--until", "2e5", *others, "--resume")
        self.assert_fails(result, 1, "is the checkpoint of another run", "until (100000, now 200000)", "leave --resume out")
        self.write(PENDULUM.replace("mass = 2", "mass = 3"))
        result = self.run_program("simulate", model, *options, "--resume")
        self.assert_fails(result, 1, "What differs: the model (fnv1a64:")
        (self.folder / "out/model.checkpoint").write_text("not one of ours")
        self.assert_fails(self.run_program("simulate", model, *options, "--resume"), 1, "is no checkpoint file")
        self.assert_fails(self.run_program("simulate", model, "--checkpoint-every", "-1"), 1, "--checkpoint-every")

    def test_resume_without_a_checkpoint_starts_at_the_beginning(self):
        result = self.run_program("simulate", self.write(PENDULUM), "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("no checkpoint at out/model.checkpoint; the run starts at the beginning", result.stderr)
        self.assertFalse((self.folder / "out/model.checkpoint").exists())

    def test_full_disk_stops_checkpoints_and_results_but_breaks_nothing(self):
        model = self.write(PENDULUM)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        options = ("--no-page", "--checkpoint-every", "0.05", "--format", "csv,hdf5")
        result = self.run_program("simulate", model, *options, preexec_fn=limit)
        self.assert_fails(result, 1, "the run goes on without further checkpoints", "cannot write out/model.csv", "cannot write out/model.h5", "--resume")
        self.assertEqual(sorted(file.name for file in (self.folder / "out").iterdir()), ["model.checkpoint", "model.json", "model_loads.csv"])
        # With room again the rest is had from the checkpoint.
        again = self.run_program("simulate", model, *options, "--resume")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn("starts at the beginning", again.stderr)
        self.assertIn("model.h5", self.results("out"))
        self.assertNotIn("model.checkpoint", self.results("out"))

    # --- conditions, formats, columns

    def test_condition_gives_exit_code_3_and_bad_ones_are_told_before_the_run(self):
        model = self.write(PENDULUM)
        self.assertEqual(self.run_program("simulate", model, "--fail-if", "drift > 1e-8").returncode, 0)
        result = self.run_program("simulate", model, "--fail-if", "O.force.y.max > 10 [N] and steps > 1")
        self.assert_fails(result, 3, 'failed: "O.force.y.max > 10 [N]" holds: 4', "against 10")
        self.assertTrue((self.folder / "out/model.csv").exists())
        bad = self.run_program("simulate", model, "--until", "1e9", "--fail-if", "drft > 1e-8")
        self.assert_fails(bad, 1, '--fail-if: unknown name "drft". Did you mean "drift"?\n  drft > 1e-8\n  ^')

    def test_columns_and_loads(self):
        model = self.write(FOUR_BAR)
        self.assertEqual(self.run_program("simulate", model, "--columns", "all", "--no-page").returncode, 0)
        head = [line for line in (self.folder / "out/model.csv").read_text().splitlines() if not line.startswith("#")][0]
        for name in ("A.force_on_first.x [N]", "A.force_in_second.y [N]", "A.force_in_first.x [N]"):
            self.assertIn(name, head.split(","))
        self.assertNotIn("O.force_in_first.x [N]", head)
        table = [line.split(",") for line in (self.folder / "out/model_loads.csv").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(table[0][:7], ["joint", "body", "end", "axes", "quantity", "extreme", "time [s]"])
        rows = [row for row in table if row[:6] == ["B", "coupler", "first", "body", "force", "max"]]
        self.assertEqual(len(rows), 1)
        self.assertEqual(len({len(row) for row in table}), 1)
        self.assertEqual(self.run_program("simulate", model, "--format", "hdf5", "--out", "h5", "--no-page").returncode, 0)
        self.assertEqual(list(self.results("h5")), ["model.h5", "model.json"])
        self.assert_fails(self.run_program("simulate", model, "--format", "xml"), 1, "--format", "hdf5")
        self.assert_fails(self.run_program("simulate", model, "--columns", "some"), 1, "--columns", "standard")
        # The model file may ask for all; the command line has the last word.
        recorded = self.write(FOUR_BAR + 'record = "all"\n', "recorded.toml")
        self.assertEqual(self.run_program("simulate", recorded, "--no-page").returncode, 0)
        self.assertIn("O.force_on_first.x", self.columns("out/recorded.csv"))
        self.assertEqual(self.run_program("simulate", recorded, "--columns", "standard", "--no-page").returncode, 0)
        self.assertNotIn("O.force_on_first.x", self.columns("out/recorded.csv"))

    def test_bar_with_remaining_time_on_a_terminal(self):
        model = self.write(PENDULUM)
        terminal, program_side = os.openpty()
        process = subprocess.Popen(
            [PROGRAM, "simulate", model, "--until", "1e6", "--output-step", "10"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=program_side
        )
        os.close(program_side)
        time.sleep(1.8)
        process.send_signal(signal.SIGINT)
        shown = b""
        try:
            while part := os.read(terminal, 65536):
                shown += part
        except OSError:  # the other side is closed
            pass
        process.wait(timeout=60)
        os.close(terminal)
        self.assertRegex(shown.decode(), r"\[#*\.+\] +\d+ %  t = [\d.e+]+ of 1e\+06 s, (\d+ min )?\d+ (s|h \d+ min) left")

    # --- options

    def test_unknown_names_are_corrected(self):
        model = self.write(PENDULUM)
        self.assert_fails(self.run_program("simulate", model, "--integrator", "dopri"), 1, "dopri5")
        self.assert_fails(self.run_program("simulate", model, "--stabilisation", "projecton"), 1, 'Did you mean "projection"?')
        self.assert_fails(self.run_program("simulate", model, "--formulation", "absolut"), 1, 'Did you mean "absolute"?')

    def test_what_is_mistyped_is_one_line_with_what_was_meant(self):
        model = self.write(PENDULUM)
        for arguments, told in [
            ([], "linkwork: error: say what to do, such as linkwork simulate FILE."),
            (["simulat", "x.toml"], 'linkwork: error: there is no verb "simulat". Did you mean "simulate"?'),
            (["--colour", "alway", "simulate"], '--colour takes no "alway", but auto, always, never. Did you mean "always"?'),
            (["simulate"], "linkwork simulate: error: FILE is missing: linkwork simulate FILE."),
            (["simulate", model, "more.toml"], '"more.toml" is one argument too many.'),
            (["simulate", model, "--integrater", "rk4"], 'there is no option "--integrater". Did you mean "--integrator"?'),
            (["simulate", model, "--coulor", "never"], 'there is no option "--coulor". Did you mean "--colour"?'),
            (["simulate", model, "--until"], "--until wants a value behind it."),
            (["simulate", model, "--no-page=page"], "--no-page stands alone, without a value."),
            (["simulate", model, "--until", "abc"], '--until "abc": a time (s) was expected, such as 2.5 or "500 ms".'),
            (["simulate", model, "--until", "5m"], '"m" is a length (m).'),
            (["simulate", model, "--until", "5 parsec"], '--until "5 parsec": a time (s) was expected'),
            (["simulate", model, "--rtol", "1e-6 s"], '--rtol "1e-6 s": a number was expected, without "s".'),
            (["simulate", model, "--format", "csv,xls"], '--format takes no "xls", but csv, hdf5.'),
            (["simulate", model, "--checkpoint-every", "-1"], "--checkpoint-every -1: zero or a number above it was expected."),
            (["kinematics", model, "--steps", "0"], "--steps 0: a number above zero was expected."),
            (["kinematics", model, "--steps", "2.5"], '--steps "2.5": a whole number was expected.'),
            (["equations", model, "--form", "elimnation"], '--form takes no "elimnation"'),
            (["equations", model, "--form", "elimnation"], 'Did you mean "elimination"?'),
            (["linearize", model, "--at", "1", "--at-equilibrium"], "--at-equilibrium and --at do not go together."),
            (["explain", model, "--opening", "cut_joints"], "--opening goes with --formulation only."),
            (["check", model, "--no-such-option"], 'there is no option "--no-such-option".'),
        ]:
            with self.subTest(arguments=" ".join(arguments)):
                result = self.run_program(*arguments)
                self.assert_fails(result, 1, told)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
                self.assertIn("--help", result.stderr)
                self.assertEqual(result.stdout, "")

    def test_times_take_units_as_in_the_model_file(self):
        model = self.write(PENDULUM)
        for text in ("500 ms", "500ms", "0.5 s", "0.5", "+0.5"):
            result = self.run_program("simulate", model, "--until", text, "--output-step", "0.1 s", "--no-page")
            self.assertEqual(result.returncode, 0, result.stderr)
            rows = (self.folder / "out" / "model.csv").read_text().splitlines()
            self.assertTrue(rows[-1].startswith("0.5,"), text + ": " + rows[-1])

    def test_colours_are_for_terminals_and_those_who_ask(self):
        model = self.write(PENDULUM)
        plain = self.run_program("simulate", model)
        self.assertNotIn("\x1b", plain.stdout)
        always = self.run_program("simulate", model, "--colour", "always")
        self.assertIn("\x1b[32mgood ", always.stdout)
        self.assertEqual(re.sub("\x1b\\[[0-9;]*m", "", always.stdout), plain.stdout)
        failed = self.run_program("--colour", "always", "check", "nothing.toml")
        self.assertIn("\x1b[1;31merror:\x1b[0m", failed.stderr)

        def on_a_terminal(*arguments, **environment):
            terminal, program_side = os.openpty()
            settings = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | environment
            subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=program_side, env=settings, check=False)
            os.close(program_side)
            shown = os.read(terminal, 65536).decode()
            os.close(terminal)
            return shown

        self.assertIn("\x1b[", on_a_terminal("check", "nothing.toml"))
        self.assertNotIn("\x1b[", on_a_terminal("check", "nothing.toml", NO_COLOR="1"))
        self.assertNotIn("\x1b[", on_a_terminal("check", "nothing.toml", TERM="dumb"))
        self.assertNotIn("\x1b[", on_a_terminal("check", "nothing.toml", "--colour", "never"))

    def test_impossible_numbers_are_refused_with_advice(self):
        model = self.write(PENDULUM)
        self.assert_fails(self.run_program("simulate", model, "--until", "-1"), 1, "positive")
        self.assert_fails(self.run_program("simulate", model, "--rtol", "0"), 1, "rtol")
        self.assert_fails(self.run_program("simulate", model, "--integrator", "rk4"), 1, "step")
        self.assert_fails(self.run_program("simulate", model, "--output-step", "1e-9"), 1, "samples")

    def test_methods_and_options_that_do_not_go_together_are_refused(self):
        model = self.write(PENDULUM)
        self.assert_fails(
            self.run_program("simulate", model, "--stabilisation", "index3", "--integrator", "dopri5"),
            1,
            "leaves the constraints in them: use the integrator radau5",
        )
        # Left open, what fits is chosen, and said.
        chosen = self.run_program("simulate", model, "--stabilisation", "index3", "--until", "0.1")
        self.assertEqual(chosen.returncode, 0, chosen.stderr)
        self.assertIn("Method   auto", chosen.stdout)
        self.assertIn("radau5", chosen.stdout)
        named = self.run_program("simulate", model, "--formulation", "absolute", "--integrator", "dopri5", "--until", "0.1")
        self.assertNotIn("Method", named.stdout)
        self.assert_fails(self.run_program("simulate", model, "--integrator", "bdf2", "--step", "0.01"), 1, "use stabilisation index3")
        self.assert_fails(self.run_program("simulate", model, "--alpha", "3"), 1, "--alpha belongs to stabilisation baumgarte")
        self.assert_fails(self.run_program("simulate", model, "--step", "0.01"), 1, "--step is for integrators with fixed steps")
        self.assert_fails(
            self.run_program("simulate", model, "--integrator", "rk4", "--step", "0.01", "--rtol", "1e-6"), 1, "--rtol is for integrators that"
        )

    def test_methods_lists_what_goes_together(self):
        result = self.run_program("methods")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("dop853", result.stdout)
        table = json.loads(self.run_program("methods", "--json").stdout)
        names = [entry["name"] for entry in table["integrators"]]
        for entry in table["methods"]:
            self.assertIn(entry["integrator"], names)
            self.assertEqual("reason" in entry, not entry["admissible"])

    # --- what goes right

    def test_run_writes_results_that_agree_with_each_other(self):
        result = self.run_program("simulate", self.write(FOUR_BAR + "\n[initial]\nO.rate = 4\n"))
        self.assertEqual(result.returncode, 0, result.stderr)
        ledger = json.loads((self.folder / "out/model.json").read_text())
        self.assertEqual(ledger["ledger"]["rank"], ledger["ledger"]["rank"] | {"rows": 8, "rank": 8, "degrees_of_freedom": 1})
        rows = [line for line in (self.folder / "out/model.csv").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(rows[0].split(",")[:2], ["time [s]", "crank.x [m]"])
        self.assertEqual(len(rows) - 1, ledger["samples"])
        self.assertEqual(float(rows[-1].split(",")[0]), 1.0)

    def test_stop_event_ends_the_run_at_its_time(self):
        text = PENDULUM + '\n[events]\nlow = { when = "bar.angle + pi/2", crossing = "falling", stop = true }\n'
        result = self.run_program("simulate", self.write(text), "--json", "--until", "5")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        # A uniform rod of length 1 from the horizontal: a quarter period is K(1/sqrt 2) sqrt(2/(3 g)).
        self.assertAlmostEqual(report["events"][0]["time"], 1.8540746773013719 * (2 / (3 * 9.81)) ** 0.5, places=8)

    def test_check_prints_a_summary_and_json(self):
        model = self.write(FOUR_BAR)
        self.assertIn("1 degree of freedom", self.run_program("check", model).stdout)
        self.assertEqual(json.loads(self.run_program("check", model, "--json").stdout)["degrees_of_freedom"], 1)

    def test_branches_of_a_four_bar_are_two(self):
        result = self.run_program("assemble", self.write(FOUR_BAR), "--branches")
        self.assertIn("2 assemblies found", result.stdout)
        self.assertIn("400 random starts", result.stdout)
        (loop,) = json.loads(self.run_program("assemble", "model.toml", "--branches", "--json").stdout)["branches"]
        self.assertEqual(loop["joints"], ["O", "A", "B", "D"])
        self.assertEqual(len(loop["assemblies"]), 2)

    def test_branches_of_andrews_squeezer_are_four(self):
        # The pin E of the crank's loop has one place within reach of the two others, each of which bends either way.
        result = self.run_program("assemble", str(MODELS / "andrews_squeezer.toml"), "--branches", "--json")
        (loop,) = json.loads(result.stdout)["branches"]
        self.assertEqual(len(loop["assemblies"]), 4)

    def test_mobility_names_what_is_not_unique(self):
        model = MODELS / "parallelogram_three_cranks.toml"
        text = self.run_program("check", str(model), "--mobility").stdout
        self.assertIn("mobility: 1 degree of freedom\n", text)
        self.assertIn("only the force along (0.8, 0.6), across crank1, is unique", text)
        report = json.loads(self.run_program("check", str(model), "--mobility", "--json").stdout)["mobility"]
        self.assertEqual((report["with_drives"]["rank"], report["with_drives"]["mobility"], report["pose"]), (11, 1, "regular"))
        self.assertEqual([(s["too_many"], s["too_many_nearby"]) for s in report["dependent_sets"]], [(1, 1)])
        for pin in ("G1", "G2", "G3", "K1", "K2", "K3"):
            (direction,) = report["reactions"][pin]["unique_directions"]
            self.assertAlmostEqual(direction["force"][0], 0.8)
            self.assertAlmostEqual(direction["force"][1], 0.6)

    def test_reactions_that_are_not_unique_are_marked_everywhere(self):
        model = str(MODELS / "parallelogram_three_cranks.toml")
        check = self.run_program("check", model)
        self.assertIn("reaction length 0.859102 m", check.stdout)
        assembled = self.run_program("assemble", model)
        self.assertIn("not unique: force x, force y", assembled.stdout)
        self.assertIn("reaction length 0.859102 m", assembled.stdout)
        given = json.loads(self.run_program("assemble", model, "--reaction-length", "2", "--json").stdout)
        self.assertEqual(given["reaction_length"], 2)
        self.assertEqual(given["joints"]["K1"]["force_unique"], [False, False, True])
        for verb in ("assemble", "simulate"):
            bad = self.run_program(verb, model, "--reaction-length", "-1")
            self.assert_fails(bad, 1, "the reaction length must be positive, it is -1 m", "leave it out")
        run = self.run_program("simulate", model, "--until", "0.1", "--no-page", "--reaction-length", "0.5")
        self.assertIn("reaction length                                      0.5 m", run.stdout)
        head = (self.folder / "out/parallelogram_three_cranks.csv").read_text().split("time [s]")[0]
        self.assertIn("# not unique, the least of many that fit: G1.force.x, G1.force.y,", head)
        rank = json.loads((self.folder / "out/parallelogram_three_cranks.json").read_text())["ledger"]["rank"]
        self.assertEqual(len(rank["series_not_unique"]), 12)
        self.assertEqual((rank["redundant"], rank["reaction_length"]), (1, 0.5))

    def test_poses_of_lower_rank_are_reported_with_time_and_joints(self):
        run = self.run_program("simulate", str(MODELS / "n_four_bar.toml"), "--until", "1", "--no-page")
        self.assertIn("to 12 at t = 0.714356 s (joints A0, A1, A2, B0, B1a, B1b, B2)", run.stdout)

    def test_mobility_of_shipped_linkages(self):
        # Degrees of freedom with the drives let go; all of them have full rank.
        for name, freedoms in (("four_bar", 1), ("peaucellier", 1), ("n_four_bar", 1), ("andrews_squeezer", 1), ("double_pendulum", 2)):
            result = self.run_program("check", str(MODELS / (name + ".toml")), "--mobility", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(result.stdout)["mobility"]
            self.assertEqual(report["joints_only"]["mobility"], freedoms, name)
            self.assertEqual(report["with_drives"]["rank"], report["with_drives"]["equations"], name)
            self.assertEqual(report["pose"], "regular", name)

    def test_mobility_is_told_at_a_dead_point_where_the_drive_fails(self):
        text = PENDULUM.replace("A = [1, 0]", "A = [1, 0]\nB = [3, 0]")
        text = text.replace("[joints]", 'rod = { rod = ["A", "B"], mass = 1 }\nslider = { box = { at = "B", size = [0.2, 0.1] }, mass = 1 }\n\n[joints]')
        text += '[joints.A]\nrevolute = ["bar", "rod"]\n[joints.B]\nrevolute = ["rod", "slider"]\n'
        text += '[joints.rail]\nprismatic = ["ground", "slider"]\nat = "O"\naxis = [1, 0]\n'
        text += '[drives]\npush = { joint = "rail", slide = "-0.1*t" }\n'
        result = self.run_program("check", self.write(text), "--mobility")
        self.assertEqual(result.returncode, 2)
        self.assertIn("This pose is a dead point", result.stdout)
        self.assertIn("push.slide depend on each other (1 too many, in this pose only)", result.stdout)

    # --- kinematics, inverse, statics

    def columns(self, path):
        lines = [line for line in (self.folder / path).read_text().splitlines() if not line.startswith("#")]
        names = [name.split(" [")[0] for name in lines[0].split(",")]
        rows = [[float(cell) for cell in line.split(",")] for line in lines[1:]]
        return {name: [row[k] for row in rows] for k, name in enumerate(names)}

    def test_kinematics_follows_a_drive_and_records_extras(self):
        result = self.run_program(
            "kinematics", str(MODELS / "four_bar_grashof.toml"), "--until", "2", "--output-step", "0.1", "--no-page",
            "--output", "D.angle", "--instant-centre", "crank,rocker", "--point", "coupler.P",
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("B.transmission_angle", result.stdout)
        data = self.columns("out/four_bar_grashof_kinematics.csv")
        self.assertEqual(len(data["time"]), 21)
        self.assertAlmostEqual(data["O.angle"][-1], 3.141592653589793 * 2.5, 11)
        self.assertAlmostEqual(data["motor.power"][3], data["motor.effort"][3] * 3.141592653589793, 9)
        ratio = 3.141592653589793 / data["D.angle_rate"][3]
        self.assertAlmostEqual(data["mechanical_advantage.D.angle"][3] / ratio, 1.0, 9)
        for name in ("shaking.force.x", "shaking.moment", "coupler.instant_centre.x", "crank/rocker.instant_centre.y",
                     "traces.P.x", "traces.coupler.P.y_rate"):
            self.assertIn(name, data)
        # Centres of crank against rocker lie on the line of the bearings.
        self.assertAlmostEqual(data["crank/rocker.instant_centre.y"][3], 0.0, 9)

    def test_kinematics_in_space_says_what_it_leaves_out(self):
        model = str(MODELS / "four_bar_grashof.toml")
        result = self.run_program("kinematics", model, "--space", "spatial", "--until", "0.1", "--no-page")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Transmission angles and instant centres are told in the plane alone", result.stdout)

    def test_kinematics_sweeps_into_a_dead_point(self):
        result = self.run_program(
            "kinematics", str(MODELS / "crank_slider.toml"), "--drive", "rail", "--to", "600 mm", "--rate", "0.1 m/s", "--no-page"
        )
        self.assert_fails(
            result, 2,
            'dead point (pins O, A and B are in line): drive "sweep" cannot go further; with it held, joints "O", "A" and "B" '
            "could still move",
        )
        data = self.columns("out/crank_slider_kinematics.csv")
        # From the drawn pose, crank at 60 degrees, to r + l = 0.47 m.
        end = 0.47 - 0.06 - math.sqrt(0.35**2 - 3 * 0.06**2)
        self.assertLess(data["rail.slide"][-1], end)
        self.assertGreater(data["rail.slide"][-1], end - 1e-3)
        self.assertEqual(json.loads((self.folder / "out/crank_slider_kinematics.json").read_text())["events"][0]["name"], "dead point")

    def test_results_of_another_model_are_not_replaced_in_silence(self):
        (self.folder / "a").mkdir()
        one = self.write(PENDULUM)
        other = self.write(PENDULUM.replace("mass = 2", "mass = 3"), "a/model.toml")
        self.assertEqual(self.run_program("simulate", one, "--no-page").stderr, "")
        self.assertEqual(self.run_program("simulate", one, "--no-page").stderr, "")
        self.write(PENDULUM.replace("mass = 2", "mass = 4"))  # the same file, edited
        self.assertEqual(self.run_program("simulate", one, "--no-page").stderr, "")
        replaced = self.run_program("simulate", other, "--no-page")
        self.assertEqual(replaced.returncode, 0)
        self.assertEqual(replaced.stderr, "note: these results replace those of model.toml in out/model.*\n")
        (self.folder / "out" / "model.json").write_text("not a result")
        self.assertEqual(self.run_program("simulate", one, "--no-page").stderr, "")

    def test_a_sweep_says_whether_the_joint_turns_all_the_way(self):
        four_bar = str(MODELS / "four_bar.toml")
        turns = self.run_program("kinematics", str(MODELS / "four_bar_grashof.toml"), "--drive", "O", "--from", "0", "--to", "360 deg", "--no-page")
        self.assertEqual(turns.stdout.splitlines()[0], "O turns all the way: from 0 deg to 360 deg.")
        self.assertIn("kinematics complete", turns.stdout)
        part = self.run_program("kinematics", four_bar, "--drive", "O", "--from", "60 deg", "--to", "90 deg", "--no-page")
        self.assertEqual(part.stdout.splitlines()[0], "O turns from 60 deg to 90 deg.")
        stops = self.run_program("kinematics", four_bar, "--drive", "C", "--to", "360 deg", "--no-page")
        self.assertEqual(stops.returncode, 2)
        found = re.match(r"C does not turn all the way: it can be turned between ([\d.]+) deg and ([\d.]+) deg\.", stops.stdout)
        self.assertTrue(found, stops.stdout)
        # At its ends crank (0.5 m) and coupler (1.3 m) are in line: a triangle with the base from C to O and the rocker (1.25 m).
        base = math.hypot(1.15, 0.3)
        for said, outer in zip(found.groups(), (1.8, 0.8), strict=True):
            inner = math.acos((1.25**2 + base**2 - outer**2) / (2 * 1.25 * base))
            self.assertAlmostEqual(float(said), math.degrees(math.atan2(0.3, -1.15) - inner), delta=1e-3)

    def test_kinematics_names_what_has_no_drive(self):
        four_bar = self.write(FOUR_BAR)
        self.assert_fails(self.run_program("kinematics", four_bar), 1, "the mechanism has no drive", "O.angle can still move", "--drive NAME")
        self.assert_fails(self.run_program("inverse", four_bar), 1, "the mechanism has no drive", "--motion FILE.csv")
        self.assert_fails(self.run_program("kinematics", four_bar, "--drive", "Q", "--to", "1"), 1, '"Q" is no coordinate')
        self.assert_fails(self.run_program("kinematics", four_bar, "--drive", "O"), 1, "--drive needs --to")
        self.assert_fails(self.run_program("kinematics", four_bar, "--to", "1"), 1, "belong to --drive")
        self.assert_fails(self.run_program("kinematics", four_bar, "--drive", "O", "--to", "1 foo"), 1, "--to 1 foo")
        self.assert_fails(
            self.run_program("kinematics", four_bar, "--drive", "O", "--to", "3", "--transmission", "D"), 1, "--transmission"
        )
        self.assert_fails(
            self.run_program("kinematics", four_bar, "--drive", "O", "--to", "3", "--point", "crank.Z"), 1, 'no point "Z"'
        )

    def test_inverse_from_a_motion_file(self):
        rows = "".join(f"{0.01 * k},{30.0 * (0.01 * k) ** 2}\n" for k in range(101))
        self.write("time [s],O.angle [deg]\n" + rows, "motion.csv")
        result = self.run_program("inverse", self.write(PENDULUM), "--motion", "motion.csv", "--no-page")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("peak effort", result.stdout)
        self.assertIn("model: inverse dynamics complete\n", result.stdout)
        data = self.columns("out/model_inverse.csv")
        middle = len(data["time"]) // 2
        # m l^2 / 3 times 60 deg/s^2, and m g l / 2 cos(angle)
        expected = 2 / 3 * 1.0471975511965976 + 9.81 * math.cos(data["O.angle"][middle])
        self.assertAlmostEqual(data["O.angle.effort"][middle], expected, 6)
        self.write("time,O.angel\n0,1\n1,1\n2,1\n3,1\n", "wrong.csv")
        self.assert_fails(self.run_program("inverse", "model.toml", "--motion", "wrong.csv"), 1, 'Did you mean "O.angle"?')
        self.assert_fails(self.run_program("inverse", "model.toml", "--motion", "none.csv"), 1, "none.csv: cannot be read")

    def test_statics_finds_both_equilibria_of_a_pendulum(self):
        result = self.run_program("statics", self.write(PENDULUM), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)["equilibria"]
        self.assertEqual([one["stability"] for one in found], ["stable", "unstable"])
        self.assertAlmostEqual(found[0]["potential"], -9.81, 9)
        self.assertAlmostEqual(found[0]["joints"]["O"]["force"][1], 19.62, 8)
        text = self.run_program("statics", "model.toml").stdout
        self.assertIn("1. stable, from the drawn pose", text)
        self.assertIn("2. unstable in 1 direction", text)

    def test_statics_says_what_is_out_of_balance(self):
        text = PENDULUM.replace("gravity = [0, -9.81]", "gravity = [0, 0]") + '[loads]\npush = { couple = "3", on = "bar" }\n'
        self.assert_fails(self.run_program("statics", self.write(text)), 2, 'out of balance on body "bar" by')
        self.assert_fails(self.run_program("statics", "model.toml", "--starts", "-1"), 1, "number of random starts")


if __name__ == "__main__":
    unittest.main()
