"""linkwork view as a user meets it, bad cases first. Needs LINKWORK, the program's path; pictures also a browser."""

import os
import shutil
import stat
import struct
import unittest

from cli_for_tests import FOUR_BAR, PENDULUM, CliCase, page_data

BROWSER = os.environ.get("LINKWORK_CHROMIUM") or shutil.which("chromium")
# In place of ffmpeg: its last argument is what it writes, the eighth the pattern of the pictures.
ENCODER = """#!/bin/sh
for last; do :; done
printf "film of" > "$last"
ls "$(dirname "$8")" | grep -c frame_ >> "$last"
"""


def png_size(path):
    head = path.read_bytes()[:24]
    assert head.startswith(b"\x89PNG"), head
    return struct.unpack(">II", head[16:24])


class ViewCli(CliCase):
    def simulate(self, text=PENDULUM, *options):
        result = self.run_program("simulate", self.write(text), "--format", "hdf5", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / "out" / "model.h5"

    def view(self, *arguments, **environment):
        # A browser on a busy machine takes its time.
        return self.run_program("view", *arguments, env={**os.environ, **environment}, timeout=400)

    # --- bad cases

    def test_what_is_no_result_is_told_apart(self):
        for name, text, words in [
            ("model.toml", PENDULUM, "is a model file"),
            ("model.html", "<!doctype html>", "none that Linkwork wrote"),
            ("model.json", '{"format": "linkwork-', "cut short or damaged"),
            ("other.json", "{}", "no result of Linkwork"),
            ("model.h5", "nothing of the kind", "is no HDF5 file"),
            ("empty.h5", "", "the file is empty"),
        ]:
            self.write(text, name)
            self.assert_fails(self.view(name), 1, name, words)
        self.assert_fails(self.view("nowhere.h5"), 1, "nowhere.h5: cannot be read")
        self.assert_fails(self.view("nowhere.html"), 1, "nowhere.html: cannot be read")
        self.write("time [s]\n0\n", "alone.csv")
        self.assert_fails(self.view("alone.csv"), 1, "alone.json: cannot be read")
        self.assertEqual(self.run_program("compare", "model.toml", "--no-page", "--space", "planar").returncode, 0)
        self.assert_fails(self.view("out/model_compare.json"), 1, "a comparison", "model_compare.html")

    def test_a_table_that_is_not_that_of_the_result_is_refused(self):
        self.assertEqual(self.run_program("simulate", self.write(PENDULUM)).returncode, 0)
        table = self.folder / "out" / "model.csv"
        whole = table.read_text()
        lines = whole.splitlines(keepends=True)
        head = next(k for k, line in enumerate(lines) if line.startswith("time"))
        for changed, words in [
            ("", "the file is empty"),
            (whole[: len(whole) // 2], "is not whole"),
            ("".join(lines[:-1]), "not those that were written"),
            (whole.replace("bar.x", "rod.x"), 'no column "bar.x [m]"'),
            ("".join(lines[:head]), "its first column"),
            (whole.replace("\n0,", "\n1e-9,"), "not those that were written"),
        ]:
            table.write_text(changed)
            self.assert_fails(self.view("out/model.json"), 1, "model.csv", words)
        table.unlink()
        self.assert_fails(self.view("out/model.json"), 1, "model.csv: cannot be read")

    def test_a_run_without_a_page_says_so(self):
        self.assertEqual(self.run_program("simulate", self.write(PENDULUM), "--no-page").returncode, 0)
        self.assert_fails(self.view("out/model.json"), 1, "no page is in this result", "--no-page")

    def test_a_page_of_another_version_or_cut_short_is_refused(self):
        self.assertEqual(self.run_program("simulate", self.write(PENDULUM)).returncode, 0)
        text = (self.folder / "out" / "model.html").read_text()
        place = text.index('id="linkwork-data">')
        for changed, words in [
            (text.replace('"version":1', '"version":9', 1), "another version"),
            (text[: place + 500], "cut short or damaged"),
            (text[:place], "none that Linkwork wrote"),
        ]:
            self.write(changed, "changed.html")
            self.assert_fails(self.view("changed.html"), 1, "changed.html", words)

    def test_a_file_that_was_cut_short_is_refused_whatever_the_length(self):
        whole = self.simulate().read_bytes()
        cut = self.folder / "cut.h5"
        for part in (0.01, 0.3, 0.6, 0.99):
            cut.write_bytes(whole[: int(part * len(whole))])
            self.assert_fails(self.view("cut.h5"), 1, "cut.h5", "cut short or damaged")
        self.assertFalse((self.folder / "cut.html").exists())

    def test_options_that_do_not_go_together_are_refused(self):
        file = self.simulate()
        for arguments, words in [
            (["--png", "t=0.5", "--video"], "ask for one of them"),
            (["--size", "800x600"], "--size is that of a picture"),
            (["--fps", "10"], "belong to --video"),
            (["--png", "t=half"], "give the time in seconds"),
            (["--png", "t=2"], "the run goes from 0 to 1 s"),
            (["--png", "t=nan"], "give the time in seconds"),
            (["--png", "t=0.5", "--size", "800"], "give it as 1200x800"),
            (["--png", "t=0.5", "--size", "0x600"], "give it as 1200x800"),
            (["--video", "--out", "film.avi"], "a film ends in .mp4 or .gif"),
            (["--video", "--speed", "1e-6"], "too many"),
        ]:
            self.assert_fails(self.view(file, *arguments), 1, words)

    def test_no_browser_and_no_encoder_are_said_with_a_way_out(self):
        file = self.simulate()
        self.assert_fails(self.view(file, "--png", "t=0.5", LINKWORK_CHROMIUM="/nowhere"), 1, "LINKWORK_CHROMIUM", "tab Data")
        self.assert_fails(self.view(file, "--video", LINKWORK_FFMPEG="/nowhere"), 1, "LINKWORK_FFMPEG", "--frames FOLDER")
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()), ["model.h5", "model.html", "model.json"])

    def test_a_browser_that_dies_is_said(self):
        file = self.simulate()
        dead = self.folder / "dead"
        dead.write_text("#!/bin/sh\necho no display today >&2\nexit 3\n")
        dead.chmod(0o755)
        self.assert_fails(self.view(file, "--png", "t=0.5", LINKWORK_CHROMIUM=str(dead)), 1, "did not start", "no display today")

    def test_no_place_to_write_is_said(self):
        file = self.simulate()
        self.assert_fails(self.view(file, "--out", "model.toml/page.html"), 1, "cannot make the folder model.toml")

    # --- the page

    def test_the_page_is_that_of_the_run(self):
        for text in (PENDULUM, FOUR_BAR):
            file = self.simulate(text)
            page = self.folder / "out" / "model.html"
            again = self.folder / "again.html"
            self.assertEqual(self.view(file, "--out", "again.html").returncode, 0)
            self.assertEqual(page_data(again), page_data(page))
            self.assertEqual(again.read_bytes(), page.read_bytes())

    def test_what_simulate_leaves_by_itself_is_enough(self):
        for text in (PENDULUM, FOUR_BAR.replace("crank =", '"crank, \\"long\\"" =').replace('"crank"', '"crank, \\"long\\""')):
            result = self.run_program("simulate", self.write(text + '\n[outputs]\nroot = "(0.5 - t)^0.5"\n'))
            self.assertEqual(result.returncode, 0, result.stderr)
            page = (self.folder / "out" / "model.html").read_bytes()
            for name in ("model.json", "model.csv", "model.html"):
                self.assertEqual(self.view(f"out/{name}", "--out", "again.html").returncode, 0)
                self.assertEqual((self.folder / "again.html").read_bytes(), page, name)
        self.assert_fails(self.view("out/model.html", "--png", "t=2"), 1, "the run goes from 0 to 1 s")
        (self.folder / "out" / "model.html").unlink()
        self.assertEqual(self.view("out/model.json").returncode, 0)
        self.assertEqual((self.folder / "out" / "model.html").read_bytes(), page)

    def test_without_a_model_beside_it_and_beside_the_result(self):
        file = self.simulate(PENDULUM, "--no-page")
        (self.folder / "model.toml").unlink()
        result = self.view(file)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(self.folder / "out" / "model.html"), result.stdout)
        data = page_data(self.folder / "out" / "model.html")
        self.assertEqual(data["model"]["text"], PENDULUM)
        self.assertEqual(len(data["ledger"]), 4)

    def test_a_run_that_failed_and_its_warnings_are_kept(self):
        text = PENDULUM + '\n[outputs]\nroot = "(0.5 - t)^0.5"\n'
        file = self.simulate(text)
        self.assertEqual(self.view(file, "--out", "again.html").returncode, 0)
        self.assertEqual((self.folder / "again.html").read_bytes(), (self.folder / "out" / "model.html").read_bytes())
        table = dict(page_data(self.folder / "again.html")["ledgerTable"])
        self.assertIn("output without a value", table)

    def test_names_with_markup_cannot_leave_the_data(self):
        text = PENDULUM.replace("bar", '"</script><img src=x>"', 1).replace('"ground", "bar"', '"ground", "</script><img src=x>"')
        file = self.simulate(text)
        self.assertEqual(self.view(file, "--out", "again.html").returncode, 0)
        page = (self.folder / "again.html").read_text()
        self.assertNotIn("</script><img", page)
        self.assertIn("Content-Security-Policy", page)
        self.assertEqual(page_data(self.folder / "again.html")["bodies"][0]["name"], "</script><img src=x>")

    # --- pictures

    @unittest.skipUnless(BROWSER, "no browser")
    def test_picture_has_the_size_asked_for(self):
        file = self.simulate()
        result = self.view(file, "--png", "t=0.5", "--size", "640x480", "--out", "half.png")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(png_size(self.folder / "half.png"), (640, 480))
        self.assertEqual(self.view(file, "--png", "0.9", "--size", "640x480", "--out", "later.png").returncode, 0)
        self.assertNotEqual((self.folder / "half.png").read_bytes(), (self.folder / "later.png").read_bytes())

    @unittest.skipUnless(BROWSER, "no browser")
    def test_film_is_made_of_the_frames(self):
        file = self.simulate()
        encoder = self.folder / "encoder"
        encoder.write_text(ENCODER)
        encoder.chmod(encoder.stat().st_mode | stat.S_IXUSR)
        result = self.view(file, "--video", "--fps", "5", "--size", "200x160", "--out", "film.gif", "--frames", "frames", LINKWORK_FFMPEG=str(encoder))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "film.gif").read_text(), "film of6\n")
        frames = sorted((self.folder / "frames").iterdir())
        self.assertEqual([f.name for f in frames], [f"frame_{k:06}.png" for k in range(1, 7)])
        self.assertEqual({png_size(f) for f in frames}, {(200, 160)})
        self.assertEqual(len({f.read_bytes() for f in frames}), 6)

    @unittest.skipUnless(BROWSER and shutil.which("ffmpeg"), "no browser or no ffmpeg")
    def test_film_is_a_film(self):
        file = self.simulate()
        for name, head in (("film.gif", b"GIF89a"), ("film.mp4", b"ftyp")):
            result = self.view(file, "--video", "--fps", "5", "--size", "201x161", "--out", name)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(head, (self.folder / name).read_bytes()[:16])

    def test_an_encoder_that_fails_leaves_nothing_and_is_quoted(self):
        if not BROWSER:
            self.skipTest("no browser")
        file = self.simulate()
        encoder = self.folder / "encoder"
        encoder.write_text("#!/bin/sh\necho unknown codec >&2\nexit 1\n")
        encoder.chmod(0o755)
        result = self.view(file, "--video", "--fps", "2", "--size", "64x64", "--out", "film.mp4", LINKWORK_FFMPEG=str(encoder))
        self.assert_fails(result, 1, "ffmpeg could not make film.mp4", "unknown codec")
        self.assertEqual(list(self.folder.glob("film*")), [])


if __name__ == "__main__":
    unittest.main()
