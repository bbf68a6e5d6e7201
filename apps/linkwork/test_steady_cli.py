"""linkwork steady, locus, and --steady of other verbs as a user meets them. Needs LINKWORK, the program's path."""

import json
import math
import unittest

from cli_for_tests import MODELS, CliCase

BICYCLE = MODELS / "bicycle.toml"

# An upright disc on the ground: it falls over below v^2 = A m g r^3 / (C (C + m r^2)).
DISC = """
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]

[parameters]
r = "0.3 m"
speed = "2 m/s"

[points]
C = [0, 0, "r"]

[bodies]
disc = { disc = { at = "C", radius = "r", axis = [0, 1, 0] }, mass = 2 }

[joints]
R = { rolling = ["ground", "disc"], at = [0, 0, 0], normal = [0, 0, 1] }

[initial]
disc.wx = 0
disc.wy = "speed/r"
disc.wz = 0

[steady]
given = { "disc.wy" = "speed/r" }
"""

# A hinge with friction and a motor: at a steady speed the torque is that of the friction.
SHAFT = """
linkwork = 1
space = "planar"
gravity = [0, 0]

[points]
O = [0, 0]

[bodies]
rotor = { disc = { at = "O", radius = 0.2 }, mass = 3 }

[joints]
O = { revolute = ["ground", "rotor"] }

[inputs]
torque = { default = "0 N*m", unit = "N*m" }

[loads]
motor = { couple = "torque - 0.4*O.rate", on = "rotor" }
"""


class SteadyCli(CliCase):
    def call(self, *arguments):
        return self.run_program(*arguments)

    def json(self, *arguments):
        done = self.call(*arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def model(self, text):
        path = self.folder / "m.toml"
        path.write_text(text)
        return path

    def assert_matrix(self, found, wanted, tolerance):
        size = max(abs(x) for row in wanted for x in row)
        for row, wanted_row in zip(found, wanted, strict=True):
            for value, expected in zip(row, wanted_row, strict=True):
                self.assertAlmostEqual(value, expected, delta=tolerance * size)

    def test_motor_torque_is_found(self):
        found = self.json("steady", self.model(SHAFT), "--given", "O.rate=5 rad/s", "--find", "torque")
        self.assertAlmostEqual(found["found"]["torque"], 2.0, places=10)
        self.assertEqual(found["nothing_depends_on"], ["O.angle"])
        self.assertEqual(found["goes_on"][0]["name"], "O.angle")
        done = self.call("steady", self.model(SHAFT), "--given", "O.rate=5 rad/s")
        self.assertEqual(done.returncode, 2)
        self.assertIn("O.angle accelerates with -33.3", done.stderr)
        table = self.call("steady", self.model(SHAFT), "--given", "O.rate=5 rad/s", "--find", "torque", "--set", "x=1")
        self.assertEqual(table.returncode, 1)

    def test_wrong_requests_are_refused(self):
        for arguments, words in [
            (["--given", "O.rat=5"], '"O" has no "rat"'),
            (["--given", "O.rate"], "expected NAME=VALUE"),
            (["--find", "O.rate"], "coordinates and rates are found anyway"),
            (["--find", "torqe"], 'there is no parameter or input "torqe"'),
            (["--over", "torque=1"], "write it as NAME=FROM..TO"),
            (["--over", "torque=2..1"], "from a number up to a greater one"),
        ]:
            done = self.call("steady", self.model(SHAFT), *arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(words, done.stderr)
        done = self.call("modes", self.model(SHAFT), "--given", "O.rate=1")
        self.assertIn("go with --steady", done.stderr)

    # Values recomputed with 40 digits from the closed-form coefficients.
    def test_bicycle_has_its_benchmark_eigenvalues(self):
        wanted = {
            2: [(2.682345175127453, 1.680662965906758), (-3.071586456415143, 0), (-8.673879848317372, 0)],
            4: [(0.4132533152112413, 3.079108186032054), (-1.429444273613257, 0), (-12.15861426576444, 0)],
            5: [(-0.7753418821958419, 4.464867713788225), (-0.3228664290040871, 0), (-14.07838969279825, 0)],
            8: [(-2.693486835810948, 8.460379713969336), (0.1432787976571295, 0), (-20.27940894394566, 0)],
            0: [(3.131643247906556, 0), (-3.131643247906556, 0), (5.530943717653935, 0), (-5.530943717653935, 0)],
        }
        for speed, values in wanted.items():
            modes = self.json("modes", BICYCLE, "--steady", "--set", f"speed={speed}")["modes"]
            self.assertEqual(len(modes), len(values))
            for re, im in values:
                off = min(abs(complex(m["eigenvalue"]["re"] - re, m["eigenvalue"]["im"] - im)) for m in modes)
                self.assertLess(off, 1e-10, (speed, re, im))

    def test_bicycle_splits_into_the_matrices_of_the_benchmark(self):
        found = self.json("linearize", BICYCLE, "--steady", "--second-order", "--split", "speed", "--coordinates",
                          "frame.turn_x,steer.angle")  # fmt: skip
        g = 9.81
        self.assertEqual([list(found[name]) for name in "MCK"], [["0"], ["1"], ["0", "2"]])
        self.assert_matrix(found["M"]["0"], [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]], 1e-10)
        self.assert_matrix(found["C"]["1"], [[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]], 1e-10)
        self.assert_matrix(found["K"]["0"], [[-80.95 * g, -2.59951685249872 * g], [-2.59951685249872 * g, -0.80329488458618 * g]], 1e-10)
        self.assert_matrix(found["K"]["2"], [[0, 76.59734589573222], [0, 2.65431523794604]], 1e-10)

    def test_bicycle_presses_on_its_front_wheel(self):
        values = self.json("steady", BICYCLE)["values"]
        self.assertAlmostEqual(values["F.load"]["value"], 309.3035294118, delta=1e-9)

    def test_bicycle_is_stable_by_itself_between_weave_and_capsize(self):
        found = self.json("locus", BICYCLE, "--over", "speed=0..10")
        self.assertEqual([r["stability"] for r in found["ranges"]], ["unstable", "stable", "unstable"])
        weave, capsize = [limit for limit in found["limits"] if 4 < limit["at"] < 7]
        self.assertEqual((weave["kind"], capsize["kind"]), ("hopf", "real"))
        # Published to 15 digits.
        self.assertAlmostEqual(weave["at"], 4.29238253634111, delta=1e-10)
        self.assertAlmostEqual(capsize["at"], 6.02426201538837, delta=1e-10)
        for ending in ("csv", "svg", "json"):
            self.assertTrue((self.folder / "out" / f"bicycle_locus.{ending}").exists())

    def test_disc_has_its_critical_speed(self):
        found = self.json("locus", self.model(DISC), "--over", "speed=0.5..3")
        (limit,) = found["limits"]
        A, C, m, r, g = 2 * 0.3**2 / 4, 2 * 0.3**2 / 2, 2, 0.3, 9.81
        self.assertAlmostEqual(limit["at"], math.sqrt(A * m * g * r**3 / (C * (C + m * r * r))), delta=1e-9)
        self.assertEqual([r["stability"] for r in found["ranges"]], ["unstable", "neutral"])

    def test_sleeping_top_has_a_double_root_at_its_limit(self):
        found = self.json("locus", MODELS / "sleeping_top.toml", "--over", "spin=11..14", "--campbell")
        (limit,) = found["limits"]
        self.assertEqual(limit["kind"], "double_root")
        self.assertAlmostEqual(limit["at"], 2 * math.sqrt(30 * 9.8 * 120) / 30, delta=1e-9)
        self.assertEqual(limit["eigenvalue_accuracy"], 1e-8)
        self.assertEqual([r["stability"] for r in found["ranges"]], ["unstable", "neutral"])

    def test_map_of_two_parameters(self):
        found = self.json("locus", MODELS / "sleeping_top.toml", "--over", "spin=12..13", "--over", "spin=1..2", "--points", "2")
        self.assertEqual(len(found["map"]), 4)

    def test_run_starts_in_the_steady_motion(self):
        done = self.call("simulate", BICYCLE, "--steady", "--until", "1", "--no-page")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "out" / "bicycle.csv").read_text().splitlines()
        lines = [line for line in lines if not line.startswith("#")]
        names = [name.split(" [")[0] for name in lines[0].split(",")]
        steer = names.index("steer.angle")
        self.assertLess(max(abs(float(line.split(",")[steer])) for line in lines[1:]), 1e-9)


if __name__ == "__main__":
    unittest.main()
