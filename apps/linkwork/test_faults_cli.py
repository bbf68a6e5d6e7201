"""Every verb against every fault of its surroundings: inputs that are no files, output that nobody takes, memory that ends. Needs LINKWORK."""

import base64
import os
import resource
import socket
import struct
import subprocess
import time
import unittest

from cli_for_tests import FOUR_BAR, PENDULUM, PROGRAM, CliCase, page_data

DRIVEN = FOUR_BAR + """
[drives]
motor = { joint = "O", angle = "pi/2 + 2*t" }
"""

# Every verb with a model that it takes, and what else it needs.
READING = {
    "check": (PENDULUM, []),
    "assemble": (PENDULUM, []),
    "simulate": (PENDULUM, []),
    "compare": (PENDULUM, ["--formulations", "absolute,recursive", "--space", "planar"]),
    "explain": (PENDULUM, []),
    "equations": (PENDULUM, []),
    "linearize": (PENDULUM, ["--at-equilibrium"]),
    "modes": (PENDULUM, ["--at-equilibrium"]),
    "kinematics": (DRIVEN, []),
    "inverse": (DRIVEN, []),
    "statics": (PENDULUM, []),
}


def column(text):
    """The numbers of a column of a page."""
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 8}d", data)


class Faults(CliCase):
    def special(self, kind):
        """The path of something that is no file."""
        path = self.folder / f"{kind}.toml"
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "socket":
            listening = socket.socket(socket.AF_UNIX)
            self.addCleanup(listening.close)
            listening.bind(str(path))
        elif kind == "device":
            path.symlink_to("/dev/zero")
        else:
            path.mkdir()
        return path.name

    def assert_refused(self, result, *texts):
        self.assert_fails(result, 1, *texts)
        self.assertNotIn("should not happen", result.stderr)

    # --- inputs that are no files

    def test_no_verb_waits_for_a_model_that_is_no_file(self):
        for kind in ("pipe", "socket", "device", "folder"):
            name = self.special(kind)
            for verb, (_, options) in READING.items():
                with self.subTest(kind=kind, verb=verb):
                    self.assert_refused(self.run_program(verb, name, *options, timeout=30), f"{name}: error: this is a {kind}, not a file")
            with self.subTest(kind=kind, verb="view"):
                for ending in (".json", ".h5", ".html"):
                    (self.folder / (kind + ending)).symlink_to(name)
                    self.assert_refused(self.run_program("view", kind + ending, timeout=30), f"this is a {kind}, not a file")

    def test_no_verb_waits_for_files_that_a_model_names(self):
        name = self.special("pipe")
        (self.folder / "pipe.stl").symlink_to(name)
        (self.folder / "pipe.csv").symlink_to(name)
        entries = {
            "include": f'[include.part]\nfile = "{name}"\n',
            "mesh": '[bodies.extra]\nmesh = { file = "pipe.stl" }\ndensity = 1\n',
            "table": '[tables]\nf = { file = "pipe.csv" }\n',
        }
        for what, entry in entries.items():
            for verb, (model, options) in READING.items():
                if what == "mesh":
                    model = model.replace('"planar"', '"spatial"').replace("[0, -9.81]", "[0, -9.81, 0]")
                file = self.write(model + entry)
                with self.subTest(what=what, verb=verb):
                    self.assert_refused(self.run_program(verb, file, *options, timeout=30), "cannot be read: this is a pipe, not a file")

    def test_motions_and_checkpoints_that_are_pipes_are_refused(self):
        self.special("pipe")
        model = self.write(PENDULUM)
        self.assert_refused(self.run_program("inverse", model, "--motion", "pipe.toml", timeout=30), "this is a pipe, not a file")
        (self.folder / "out").mkdir()
        os.mkfifo(self.folder / "out" / "model.checkpoint")
        result = self.run_program("simulate", model, "--resume", timeout=30)
        self.assert_refused(result, "model.checkpoint: this is a pipe, not a file")
        self.assertEqual(self.run_program("simulate", model, "--checkpoint-every", "0.1", timeout=30).returncode, 0)

    # --- output that nobody takes

    def calls(self):
        """Every verb, as it is and as JSON where it knows that."""
        for verb, (model, options) in READING.items():
            file = self.write(model, f"{verb}.toml")
            yield [verb, file, *options]
            if verb != "explain":
                yield [verb, file, *options, "--json"]
        self.write(PENDULUM)
        self.assertEqual(self.run_program("simulate", "model.toml").returncode, 0)
        yield ["view", "out/model.json"]
        yield ["methods"]
        yield ["methods", "--json"]
        yield ["--help"]
        yield ["--version"]
        yield ["simulate", "--help"]

    def run_into(self, arguments, **streams):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, text=True, timeout=120, check=False, **streams)

    def test_output_that_cannot_be_written_is_exit_code_1(self):
        for call in self.calls():
            with self.subTest(call=" ".join(call)), open("/dev/full", "w", encoding="utf-8") as full:
                result = self.run_into(call, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("linkwork: error: what was printed could not be written", result.stderr)
                if not call[-1].startswith("--"):
                    self.assertIn("could not be written: No space left on device", result.stderr)
                self.assertNotIn("should not happen", result.stderr)

    def test_closed_streams_are_exit_code_1_and_get_into_no_file(self):
        model = self.write(PENDULUM)
        for stream in ("1", "2", "1>&- 2"):
            result = subprocess.run(
                ["sh", "-c", f'exec "$0" simulate {model} --json --out out{stream[0]} {stream}>&-', PROGRAM],
                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
            )
            self.assertEqual(result.returncode, 0 if stream == "2" else 1, result.stderr)
            csv = (self.folder / f"out{stream[0]}" / "model.csv").read_text()
            self.assertTrue(csv.startswith("# "), csv[:100])
            self.assertNotIn("ledger", csv)

    # Long enough that a summary lost at its beginning would be noticed by its length.
    def test_results_are_written_although_the_summary_is_lost(self):
        model = self.write(PENDULUM)
        for stream in ("stdout", "stderr"):
            with open("/dev/full", "w", encoding="utf-8") as full:
                streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
                result = self.run_into(["simulate", model, "--out", stream], **streams)
            self.assertEqual(result.returncode, 1 if stream == "stdout" else 0)
            self.assertTrue((self.folder / stream / "model.csv").exists())

    def test_results_are_written_although_the_reader_of_a_pipe_has_gone(self):
        model = self.write(PENDULUM)
        reading, writing = os.pipe()
        os.close(reading)
        for verb, file in (("simulate", "model.csv"), ("compare", "model_compare.csv")):
            result = self.run_into([verb, model], stdout=writing, stderr=subprocess.PIPE)
            self.assertEqual((result.returncode, result.stderr), (1, ""))
            self.assertTrue((self.folder / "out" / file).exists())
        os.close(writing)

    def test_places_of_results_are_tried_before_the_run(self):
        # A run of a million seconds would not end within the test.
        long = PENDULUM.replace("until = 1", "until = 1e6\noutput_step = 1")
        self.write(long)
        place = "model.toml/in"  # a file stands where the folder should be
        for call in (
            ["simulate", "model.toml", "--out", place],
            ["simulate", "model.toml", "--out", place, "--format", "hdf5", "--no-page"],
            ["compare", "model.toml", "--out", place],
            ["compare", "model.toml", "--out", ".", "--report", place],
            ["kinematics", "model.toml", "--drive", "O", "--to", "1e9", "--out", place],
            ["modes", "model.toml", "--at", "1e6", "--out", place],
            ["modes", "model.toml", "--at", "1e6", "--page", place],
            ["linearize", "model.toml", "--at", "1e6", "--out", place],
            ["equations", "model.toml", "--output", place],
            ["equations", "model.toml", "--page", place],
        ):
            with self.subTest(call=" ".join(call)):
                self.assert_refused(self.run_program(*call, timeout=30), "cannot make the folder model.toml")
        # Nor does a file take the place of a device.
        (self.folder / "null").symlink_to("/dev/null")
        self.assert_refused(self.run_program("equations", "model.toml", "--output", "null"), "null: this is a device, not a file")
        self.assertEqual(os.readlink(self.folder / "null"), "/dev/null")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["model.toml", "null"])

    # --- memory

    def run_with(self, megabytes, *arguments):
        if os.environ.get("LINKWORK_SANITIZE"):
            self.skipTest("a program with sanitizers does not start within a limit of memory")

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

        return self.run_program(*arguments, preexec_fn=limit)

    def test_results_that_no_memory_holds_are_refused_before_the_run(self):
        model = self.write(PENDULUM.replace("until = 1", "until = 1e6\noutput_step = 1"))
        for verb in ("simulate", "compare"):
            result = self.run_with(100, verb, model)
            self.assert_refused(result, "would not fit into memory, of which there is 105 MB: 1 body and 1000001 samples of ")
            self.assertIn("record fewer samples by a greater --output-step", result.stderr)

    def test_memory_that_ends_on_the_way_is_a_sentence(self):
        # As much as the numbers need, and so less than all needs.
        model = self.write(PENDULUM.replace("until = 1", "until = 1\noutput_step = 1e-6"))
        result = self.run_with(260, "simulate", model)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, "the memory is exhausted, with 1 body and 1000001 samples of [0-9]+ series")
        self.assertIn("record fewer samples", result.stderr)
        self.assertNotIn("should not happen", result.stderr)


class Pages(CliCase):
    # 65 MB once.
    def test_pages_of_long_runs_stay_below_12_megabytes_with_their_extremes(self):
        model = self.write(PENDULUM.replace("until = 1", "until = 10\noutput_step = 1e-4"))
        begin = time.monotonic()
        self.assertEqual(self.run_program("simulate", model, "--format", "csv", timeout=300).returncode, 0)
        page = self.folder / "out" / "model.html"
        if not page.exists():
            self.skipTest("built without the page")
        self.assertLess(page.stat().st_size, 12_000_000, f"after {time.monotonic() - begin:.0f} s")
        data = page_data(page)
        self.assertEqual(data["samples"], 100001)
        self.assertLess(len(column(data["time"])), 100001)
        rows = [line.split(",") for line in (self.folder / "out" / "model.csv").read_text().splitlines() if not line.startswith("#")]
        for series in data["series"]:
            values = column(series["values"])
            if series["group"] in ("O", "bar") and values:
                place = next(k for k, head in enumerate(rows[0]) if head.split(" ")[0] == series["name"])
                recorded = [float(row[place]) for row in rows[1:]]
                self.assertEqual((min(values), max(values)), (min(recorded), max(recorded)), series["name"])


if __name__ == "__main__":
    unittest.main()
