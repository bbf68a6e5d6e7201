"""Parameters from outside, `--set NAME=VALUE`, on every verb that reads a model. Needs LINKWORK, the program's path."""

import json
import re
import resource
import subprocess
import unittest

from cli_for_tests import MODELS, PROGRAM, CliCase, page_data

# A driven crank, so that every verb has something to do; L and m are in equations, motion and reactions.
MODEL = """
linkwork = 1
space = "planar"
gravity = [0, -9.81]

[parameters]
L = "50 cm"
m = 2
rate = "3 rad/s"

[points]
O = [0, 0]
A = ["0.6*L", "-0.8*L"]

[bodies]
bar = { rod = ["O", "A"], mass = "m" }

[joints]
O = { revolute = ["ground", "bar"] }
"""
DRIVEN = MODEL + """
[drives]
motor = { joint = "O", angle = "rate*t" }

[simulate]
until = 0.1
"""
FREE = MODEL + """
[simulate]
until = 0.1
"""
FOLLOWS_DRIVES = ("kinematics", "inverse")


def help_of(*words):
    return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, check=True).stdout


def verbs():
    """All verbs, each with its help."""
    names = re.findall(r"^  (\w+) ", help_of().split("Subcommands:")[1], re.M)
    return {name: help_of(name) for name in names}


def rows(path):
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]


class SetCli(CliCase):
    def model_for(self, verb):
        return self.write(DRIVEN if verb in FOLLOWS_DRIVES else FREE)

    def test_every_verb_that_reads_a_model_takes_it(self):
        # locus must be told what to vary besides.
        reading = [verb for verb, text in verbs().items() if "Model file" in text and verb != "locus"]
        self.assertGreaterEqual(len(reading), 11)
        for verb in reading:
            model = self.model_for(verb)
            with self.subTest(verb=verb):
                result = self.run_program(verb, "--set", "LL=1 m", model)
                self.assert_fails(result, 1, '--set LL=1 m: error: model.toml has no parameter "LL".')
                plain = self.run_program(verb, model)
                self.assertEqual(plain.returncode, 0, plain.stderr)
                self.assertNotIn("is set to", plain.stderr)
                # Given before the file, and twice: neither takes the file for a value.
                result = self.run_program(verb, "--set", "L=2 m", "--set", "m=7", model)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn('model.toml:7:1: note: parameter "L" is set to 2 m.', result.stderr)
                self.assertIn('note: parameter "m" is set to 7.', result.stderr)
                if verb not in ("check", "compare"):  # which show nothing that depends on it
                    self.assertNotEqual(result.stdout, plain.stdout)

    def test_locus_takes_it(self):
        model = self.write(FREE)
        result = self.run_program("locus", model, "--over", "m=1..2", "--set", "LL=1 m")
        self.assert_fails(result, 1, '--set LL=1 m: error: model.toml has no parameter "LL".')
        # A hanging rod swings with sqrt(3 g / (2 l)), whatever its mass; l = L, the distance of (0.6 L, -0.8 L).
        for given, length in (((), 0.5), (("--set", "L=2 m"), 2.0)):
            result = self.run_program("locus", model, *given, "--over", "m=1..2", "--points", "3", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            answer = json.loads(result.stdout)
            self.assertEqual(answer.get("set"), {"L": "2 m"} if given else None)
            self.assertAlmostEqual(answer["ranges"][0]["fastest"]["im"], (1.5 * 9.81 / length) ** 0.5, places=9)

    def test_verbs_without_a_model_do_not(self):
        for verb, text in verbs().items():
            self.assertEqual("Model file" in text, "--set" in text, verb)

    def test_what_is_wrong_is_said_before_anything_is_read(self):
        model = self.write(FREE)
        self.assert_fails(self.run_program("check", model, "--set", "L"), 1, '--set L: error: expected NAME=VALUE, but there is no "=".')
        self.assert_fails(self.run_program("check", model, "--set", "L=1 kg"), 1, "expected a length (m) as in model.toml:7, got a mass (kg)")
        self.assert_fails(self.run_program("check", model, "--set", "L=1", "--set", "L=2"), 1, 'parameter "L" is set twice')
        self.assert_fails(self.run_program("check", model, "--set"), 1, "--set")

    def test_is_noted_where_its_value_is_refused(self):
        model = str(MODELS / "slider_pendulum.toml")
        for verb in ("check", "simulate"):
            result = self.run_program(verb, model, "--set", "m1=-1 kg")
            self.assert_fails(result, 1, "got -1")
            self.assertIn(':14:1: note: parameter "m1" is set to -1 kg.', result.stderr)
        result = self.run_program("check", model, "--json", "--set", "m1=-1 kg")
        self.assertEqual(result.returncode, 1)
        notes = [finding for finding in json.loads(result.stdout)["findings"] if finding["severity"] == "note"]
        self.assertEqual([(note["line"], note["message"]) for note in notes], [(14, 'parameter "m1" is set to -1 kg.')])

    def test_results_keep_it(self):
        model = self.write(FREE)
        options = ("--set", "L=2 m", "--set", "m=3 [kg]*2", "--format", "csv,hdf5")
        result = self.run_program("simulate", model, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        out = self.folder / "out"
        self.assertIn("# parameter L: 2 m\n# parameter m: 3 [kg]*2\n", (out / "model.csv").read_text())
        settings = json.loads((out / "model.json").read_text())["settings"]
        self.assertEqual(settings["parameter L"], "2 m")
        self.assertIn(b"parameter m", (out / "model.h5").read_bytes())
        page = page_data(out / "model.html")
        self.assertIn(["parameter L", "2 m"], page["provenance"])
        self.assertEqual(page["equations"]["command"], "linkwork equations model.toml --set 'L=2 m' --set 'm=3 [kg]*2'")
        # A pendulum twice as long: the same as a file that says so.
        self.write(FREE.replace("50 cm", "2 m").replace("m = 2", 'm = "6 kg"'), "other.toml")
        self.assertEqual(self.run_program("simulate", "other.toml", "--no-page").returncode, 0)
        self.assertEqual(rows(out / "model.csv"), rows(out / "other.csv"))

    def test_other_verbs_keep_it(self):
        model = self.write(FREE)
        given = ("--set", "L=2 m")
        for verb in ("check", "assemble", "statics", "modes", "linearize", "equations"):
            result = self.run_program(verb, model, "--json", *given)
            self.assertEqual(json.loads(result.stdout)["set"], {"L": "2 m"}, verb)
            self.assertNotIn("set", json.loads(self.run_program(verb, model, "--json").stdout), verb)
        for verb in ("equations", "explain"):
            result = self.run_program(verb, model, *given)
            self.assertIn("With L = 2 m instead of what the file says.", " ".join(result.stdout.split()), verb)
        self.assertEqual(self.run_program("compare", model, *given, "--report", "r.md", "--until", "0.01", "--no-page").returncode, 0)
        self.assertIn("parameter L", (self.folder / "r.md").read_text())
        self.write(DRIVEN)
        self.assertEqual(self.run_program("kinematics", model, "--no-page", *given).returncode, 0)
        self.assertIn("# parameter L: 2 m\n", (self.folder / "out" / "model_kinematics.csv").read_text())

    def test_a_run_with_other_values_is_not_resumed(self):
        model = self.write(FREE)
        # Stops with a checkpoint: there is no room for the results.
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))
        options = ("--no-page", "--checkpoint-every", "0.02")
        self.run_program("simulate", model, *options, "--set", "L=1 m", preexec_fn=limit)
        self.assertTrue((self.folder / "out" / "model.checkpoint").exists())
        result = self.run_program("simulate", model, *options, "--set", "L=2 m", "--resume")
        self.assert_fails(result, 1, "is the checkpoint of another run", "parameter L (1 m, now 2 m)")
        result = self.run_program("simulate", model, *options, "--resume")
        self.assert_fails(result, 1, "parameter L (1 m, now not given)")
        result = self.run_program("simulate", model, *options, "--set", "L=1 m", "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("starts at the beginning", result.stderr)

    def test_ranges_of_a_shipped_model_follow_it(self):
        result = self.run_program("check", MODELS / "pendulum_chain.toml", "--set", "N=4", "--json")
        self.assertEqual(json.loads(result.stdout)["bodies"], 4)


if __name__ == "__main__":
    unittest.main()
