"""linkwork steady, locus, and --steady of other verbs as a user meets them. Needs LINKWORK, the program's path."""

import base64
import json
import math
import struct
import unittest

from cli_for_tests import MODELS, CliCase, page_data

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


def doubles(column):
    data = base64.b64decode(column)
    return list(struct.unpack(f"<{len(data) // 8}d", data))


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

    def test_nearest_motion_is_printed_with_what_remains(self):
        done = self.call("steady", self.model(SHAFT), "--given", "O.rate=5 rad/s")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the nearest motion, which is not what was asked for", done.stdout)
        self.assertIn("remains    O.angle: -33.3333 rad/s^2", done.stdout)
        self.assertIn("goes on    O.angle: 5 rad/s", done.stdout)
        done = self.call("steady", self.model(SHAFT), "--given", "O.rate=5 rad/s", "--json")
        found = json.loads(done.stdout)
        self.assertFalse(found["steady"])
        (remains,) = found["remains"]
        # Friction of 0.4 N m s at 5 rad/s on m r^2 / 2.
        self.assertAlmostEqual(remains["amount"], -2 / (3 * 0.2**2 / 2), places=9)
        self.assertAlmostEqual(found["values"]["O.angle_rate"]["value"], 5, places=12)

    # Every place on the rail is as good, but this one is further than the search goes.
    def test_motion_that_misses_a_given_value_is_refused(self):
        cart = """
linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
P = [0, 0]
[bodies]
cart = { box = { at = "P", size = [0.1, 0.1] }, mass = 2 }
[joints]
S = { prismatic = ["ground", "cart"], at = "P", axis = [1, 0] }
"""
        self.assertEqual(self.call("steady", self.model(cart), "--given", "S.slide=2").returncode, 0)
        done = self.call("steady", self.model(cart), "--given", "S.slide=5000")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no steady motion was found that has all the values that are given; in the nearest S.slide is", done.stderr)
        self.assertIn("instead of 5000. Give fewer, or values nearer to those of the start.", done.stderr)

    def test_page_of_a_steady_motion(self):
        done = self.call("steady", BICYCLE, "--page", "p.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        data = page_data(self.folder / "p.html")
        (stop,) = data["steady"]["stops"]
        self.assertEqual(data["start"], "steady")
        self.assertEqual((data["dof"], data["dofOfPositions"]), (3, 7))
        self.assertIn("may have other values", data["steady"]["sentences"][1])
        # Straight ahead at 5 m/s: velocities do not turn, and the wheel spins about its axle.
        for name, numbers in stop["bodies"].items():
            self.assertEqual(len(numbers), 16)
            self.assertAlmostEqual(numbers[7], 5, places=9, msg=name)
            self.assertEqual(numbers[13:], [0, 0, 0])
        self.assertAlmostEqual(stop["bodies"]["rear_wheel"][11], -5 / 0.3, places=9)
        self.assertEqual(len(stop["modes"]), 3)
        self.assertEqual(self.call("steady", BICYCLE, "--page", "p.html/q.html").returncode, 1)

    # Watt's governor turns: what its parts do turns with it.
    def test_page_of_a_turning_motion_says_how_velocities_turn(self):
        done = self.call("steady", MODELS / "governor.toml", "--page", "p.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        data = page_data(self.folder / "p.html")
        (stop,) = data["steady"]["stops"]
        rate = float(stop["rows"][0][1].split()[0])
        # Of spindle and sleeve all lies along the axis, and turns with it as well as not.
        for name in ("arm1", "arm2"):
            self.assertAlmostEqual(stop["bodies"][name][15], rate, delta=1e-4)

    def test_page_of_a_table(self):
        done = self.call("steady", self.model(SHAFT.replace("[inputs]", "[parameters]\nspeed = \"5 rad/s\"\n\n[inputs]")),
                         "--given", "O.rate=speed", "--find", "torque", "--over", "speed=1..3", "--points", "3", "--page", "p.html")  # fmt: skip
        if done.returncode:  # values of --given are numbers
            text = SHAFT.replace("[inputs]", '[parameters]\nspeed = "5 rad/s"\n\n[steady]\ngiven = { "O.rate" = "speed" }\n\n[inputs]')
            done = self.call("steady", self.model(text), "--find", "torque", "--over", "speed=1..3", "--points", "3",
                             "--page", "p.html")  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        part = page_data(self.folder / "p.html")["steady"]
        self.assertEqual([curve["name"] for curve in part["curves"]], ["torque", "O.angle"])
        for value, wanted in zip(doubles(part["curves"][0]["values"]), (0.4, 0.8, 1.2), strict=True):
            self.assertAlmostEqual(value, wanted, places=10)
        self.assertEqual(len(part["stops"]), 3)

    def test_page_of_a_locus(self):
        done = self.call("locus", BICYCLE, "--over", "speed=0..10", "--page", "p.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        part = page_data(self.folder / "p.html")["steady"]
        self.assertEqual([r["is"] for r in part["ranges"]], ["unstable", "stable", "unstable"])
        weave, capsize = [limit for limit in part["limits"] if 4 < limit["at"] < 7]
        self.assertIn("a pair passes the axis at", weave["words"])
        self.assertEqual(len(part["branches"]), 4)
        at = doubles(part["at"])
        # Each mode of each stop lies on its branch.
        for stop in part["stops"]:
            nearest = min(range(len(at)), key=lambda k: abs(at[k] - stop["at"]))
            if at[nearest] != stop["at"]:
                continue
            for mode in stop["modes"]:
                branch = part["branches"][mode["branch"]]
                self.assertAlmostEqual(mode["re"], doubles(branch["re"])[nearest], places=8)
                self.assertAlmostEqual(mode["im"], abs(doubles(branch["im"])[nearest]), places=8)
        self.assertTrue(any(abs(stop["at"] - weave["at"]) < 1e-12 for stop in part["stops"]))
        done = self.call("locus", MODELS / "sleeping_top.toml", "--over", "spin=12..13", "--over", "spin=1..2", "--points", "2",
                         "--page", "p.html")  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(page_data(self.folder / "p.html")["steady"]["map"]["is"]), 4)

    def test_double_root_is_said_with_the_accuracy_that_is_left(self):
        done = self.call("locus", MODELS / "sleeping_top.toml", "--over", "spin=11..14")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"two pairs meet on the axis at .*: a double root, known there to about 1e-8")

    # What a verb cannot do with rows of velocities alone it refuses by joint and reason.
    def test_other_verbs_on_rows_of_velocities_alone(self):
        sleigh = MODELS / "chaplygin_sleigh.toml"
        text = (MODELS / "robot_with_caster.toml").read_text()
        driven = text[: text.index("[loads]")] + """[drives]
l = { joint = "L", angle = "2*t" }
r = { joint = "R", angle = "1.5*t" }
"""
        self.model(driven)
        alone = "holds velocities alone"
        for arguments, code, words in [
            (("simulate", sleigh, "--formulation", "linkage"), 1, 'joint "edge" is knife_edge, and linkage is made of hinges'),
            (("simulate", sleigh, "--integrator", "gauss4", "--step", "0.01"), 1, f'does not go here: joint "edge" {alone}'),
            (("simulate", sleigh, "--integrator", "rattle", "--step", "0.01"), 1, f'does not go here: joint "edge" {alone}'),
            (("kinematics", sleigh), 1, f'can still move; give each a motion under [drives], or hold it with a joint; joint "edge" {alone}'),
            (("kinematics", "m.toml"), 1, f'joint "LG" {alone}, and where they lead to only simulate can follow'),
            (("inverse", "m.toml"), 1, f'joint "LG" {alone}, and where they lead to only simulate can follow'),
            (("statics", sleigh), 2, f'joint "edge" {alone}, and where such a mechanism rests depends on the way'),
            (("simulate", "m.toml", "--until", "0.2", "--no-page"), 0, ""),
        ]:
            done = self.call(*arguments)
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            self.assertIn(words, done.stderr, arguments)

    def test_rows_that_can_be_integrated_are_noted(self):
        text = DISC.replace("R = {", 'law = { velocity = "disc.x_rate - 2*disc.y_rate" }\nR = {')
        path = self.model(text[: text.index("[initial]")] + "[simulate]\nuntil = 0.1\n")
        words = ":17:1: note: \"law\": what it forbids can be integrated: positions are held by it"
        for verb in ("check", "simulate"):
            done = self.call(verb, path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertIn('write an expression of positions, { expression = "..." }', done.stderr)
        self.assertIn("can be integrated", self.call("check", path, "--json").stdout)
        self.assertNotIn("integrated", self.call("check", BICYCLE).stderr)

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

    # A torque on the bars and one that leans the frame: M z' + C z + K s = G u with G the identity.
    def test_inputs_and_outputs_about_a_steady_motion(self):
        text = BICYCLE.read_text().replace("[joints]", """[inputs]
hand = { default = "0 N*m", unit = "N*m" }
gust = { default = "0 N*m", unit = "N*m" }

[outputs]
lean = "pose.angle_x"
bars = "2*steer.angle + 3 [s]*steer.rate + hand/(4 [N*m])"
way = "frame.x"

[loads]
hand = { actuator = "steer", torque = "hand" }
gust = { couple = ["gust", 0, 0], on = "frame" }

[joints]""")
        arguments = ("linearize", self.model(text), "--steady", "--coordinates", "pose.angle_x,steer.angle")
        found = self.json(*arguments, "--second-order")
        self.assertEqual([u["name"] for u in found["inputs"]], ["hand", "gust"])
        self.assert_matrix(found["G"], [[0, 1], [1, 0]], 1e-10)
        self.assertEqual(found["outputs_left_out"], ["way"])
        found = self.json(*arguments)
        names = [s["name"] for s in found["states"]]
        seen = {name: k for k, name in enumerate(names)}
        lean, bars = found["C"]
        for row, wanted in ((lean, {"pose.angle_x": 1}), (bars, {"steer.angle": 2, "steer.angle_rate": 3})):
            for name in seen:
                self.assertAlmostEqual(row[seen[name]], wanted.get(name, 0), places=10)
        self.assert_matrix(found["D"], [[0, 0], [0.25, 0]], 1e-12)
        # z' = M^-1 G u
        M = [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]]
        det = M[0][0] * M[1][1] - M[0][1] ** 2
        steer, pose = found["B"][seen["steer.angle_rate"]], found["B"][seen["pose.angle_x_rate"]]
        self.assertAlmostEqual(steer[0], M[0][0] / det, delta=1e-9)
        self.assertAlmostEqual(steer[1], -M[0][1] / det, delta=1e-9)
        self.assertAlmostEqual(pose[1], M[1][1] / det, delta=1e-10)
        # What inputs do to outputs at first, C B, whatever the states are.
        for formulation in ("absolute", "quasivelocity", "hamiltonian"):
            other = self.json("linearize", self.folder / "m.toml", "--steady", "--formulation", formulation)
            for row, wanted in zip(other["C"], found["C"], strict=True):
                for u in range(2):
                    self.assertAlmostEqual(sum(c * b[u] for c, b in zip(row, other["B"], strict=True)),
                                           sum(c * b[u] for c, b in zip(wanted, found["B"], strict=True)), delta=1e-9)  # fmt: skip

    def test_formulation_chooses_the_states(self):
        found = {name: self.json("linearize", BICYCLE, "--steady", "--formulation", name)
                 for name in ("recursive", "absolute", "quasivelocity", "hamiltonian")}  # fmt: skip
        names = {name: [s["name"] for s in one["states"]] for name, one in found.items()}
        self.assertIn("steer.angle", names["recursive"])
        self.assertTrue(all(n.split(".")[0] in ("frame", "fork", "rear_wheel", "front_wheel") for n in names["absolute"]))
        self.assertIn("frame.x_rate", names["quasivelocity"])
        self.assertIn("steer.angle_impulse", names["hamiltonian"])
        for arguments, words in [
            (["--steady", "--formulation", "linkage"], "are those of recursive"),
            (["--formulation", "absolute"], "--formulation go with --steady"),
            (["--steady", "--formulation", "hamiltonian", "--second-order"], "are impulses"),
        ]:
            done = self.call("linearize", BICYCLE, *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)

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
