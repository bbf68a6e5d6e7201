"""Tests of same_results: what its comparison takes for a difference, and what not. Nothing is built or run."""

from __future__ import annotations

import base64
import json
import math
import struct
import tempfile
import unittest
import zlib
from pathlib import Path

import same_results_compare as comparing
import same_results_plan as planning
from same_results_compare import Comparison, Outcome, compare, no_further_than
from same_results_meant import ADDED, CHANGED, MEANT, VOLATILE, Meant

RUN = "simulate models/four_bar.toml --rtol 1e-10"
HEAD = "# Linkwork result: Four-bar\n# rtol: 1e-10\n"
TABLE = HEAD + "time [s],O.angle [rad],O.force.x [N],A.force.x [N]\n0,1,200,0\n0.5,0.25,-300,1e-14\n1,-0.125,250,0\n"
LOADS = (
    "joint,body,end,axes,quantity,extreme,time [s],force.x [N],force.y [N],force [N],not unique\n"
    "O,crank,second,ground,force.x,max,0.5,300,10,300.1,\nO,crank,second,ground,force.x,min,1,-200,20,201,\n"
)
LEDGER = {
    "status": "complete",
    "settings": {"rtol": "1e-10", "until": "5 s"},
    "samples": 3,
    "ledger": {"violation": {"position": 2e-14}, "energy": {"exchanged": 22.5}, "rank": {"rank": 8}, "steps": {"evaluations": 4199}},
}


def image(outline: object) -> str:
    """Of an HDF5 file, what is read of it."""
    return "\x89HDF\x78\x9c\x00" + zlib.compress(json.dumps(outline).encode()).decode("latin-1") + "\x00"


def action(name: str, *forces: float) -> dict[str, object]:
    """Of a free-body diagram; forces: one at each sample."""
    column = base64.b64encode(struct.pack(f"<{len(forces)}d", *forces)).decode()
    return {"of": "load", "name": name, "body": "crank", "from": None, "force_values": [column]}


def table(old: str, new: str, command: str = RUN, meant: list[Meant] = MEANT) -> Comparison:
    return compare(command, Outcome(0, {"out/a.csv": old}), Outcome(0, {"out/a.csv": new}), meant)


def printed(old: str, new: str, command: str = "check models/four_bar.toml", meant: list[Meant] = MEANT) -> Comparison:
    return compare(command, Outcome(0, {"stdout": old}), Outcome(0, {"stdout": new}), meant)


def ledger(command: str = RUN, **changes: object) -> Comparison:
    """The ledger against one in which values at paths such as ledger__rank__rank are others."""
    changed = json.loads(json.dumps(LEDGER))
    for path, value in changes.items():
        *way, last = path.split("__")
        place = changed
        for key in way:
            place = place[key]
        place[last] = value
    files = {"out/a.json": json.dumps(LEDGER)}, {"out/a.json": json.dumps(changed)}
    return compare(command, Outcome(0, files[0]), Outcome(0, files[1]))


class Tables(unittest.TestCase):
    def test_equal_tables_are_the_same(self) -> None:
        self.assertEqual(table(TABLE, TABLE).verdict, "same")

    def test_one_bit_is_found_and_measured_by_its_column(self) -> None:
        result = table(TABLE, TABLE.replace("0.25", repr(math.nextafter(0.25, 1.0))))
        self.assertEqual(result.verdict, "close")
        self.assertEqual(result.worst.place, "O.angle [rad] of out/a.csv")
        self.assertEqual(result.worst.size, math.ulp(0.25))  # the column's greatest value is 1

    def test_a_number_beyond_the_tolerance_is_different(self) -> None:
        self.assertEqual(table(TABLE, TABLE.replace("0.25", "0.250000009")).verdict, "close")
        self.assertEqual(table(TABLE, TABLE.replace("0.25", "0.250000011")).verdict, "different")

    def test_a_column_of_round_off_is_measured_by_its_unit(self) -> None:
        self.assertEqual(table(TABLE, TABLE.replace("1e-14", "-3e-14")).verdict, "close")
        self.assertEqual(table(TABLE, TABLE.replace("1e-14", "1e-9")).verdict, "different")

    def test_a_sign_of_zero_and_a_missing_number_are_found(self) -> None:
        self.assertEqual(table(TABLE, TABLE.replace("200,0\n", "200,-0\n")).verdict, "close")
        self.assertEqual(table(TABLE, TABLE.replace("200,0\n", "200,nan\n")).verdict, "different")
        self.assertEqual(table(TABLE, TABLE.replace("200,0\n", "200,\n")).verdict, "different")

    def test_columns_that_come_go_or_change_places_are_different(self) -> None:
        lines = [line if line.startswith("#") else line + (",new [m]" if "time" in line else ",1") for line in TABLE.splitlines()]
        added = "\n".join(lines) + "\n"
        self.assertIn("column new [m] is new", table(TABLE, added).worst.words)
        self.assertIn("column new [m] is gone", table(added, TABLE).worst.words)
        self.assertEqual(table(TABLE, added, meant=[Meant(ADDED, "^simulate", r"^new \[m\]$", "shown")]).verdict, "same")
        swapped = HEAD + "time [s],O.force.x [N],O.angle [rad],A.force.x [N]\n0,200,1,0\n0.5,-300,0.25,1e-14\n1,250,-0.125,0\n"
        self.assertEqual(table(TABLE, swapped).worst.words, "columns are in another order")

    def test_a_sample_more_or_less_is_different(self) -> None:
        fewer = TABLE.replace("0.5,0.25,-300,1e-14\n", "")
        self.assertIn("no sample at 0.5", table(TABLE, fewer).worst.words)
        self.assertIn("a new sample at 0.5", table(fewer, TABLE).worst.words)

    def test_of_two_samples_at_one_time_the_right_one_is_compared(self) -> None:
        jump = TABLE.replace("0.5,0.25,-300,1e-14\n", "0.5,0.25,70,0\n0.5,0.25,-300,1e-14\n")
        result = table(TABLE, jump)
        self.assertEqual(result.verdict, "same")
        self.assertEqual(result.meant["the samples left and right of a jump"], 1)
        left = TABLE.replace("0.5,0.25,-300,1e-14\n", "0.5,0.25,-300,1e-14\n0.5,0.25,70,0\n")
        self.assertEqual(table(TABLE, left).verdict, "different")
        self.assertEqual(table(jump, TABLE).verdict, "different")
        self.assertEqual(table(jump, jump.replace(",70,", ",71,")).verdict, "different")

    def test_two_samples_at_a_new_time_are_a_jump(self) -> None:
        self.assertEqual(table(TABLE, TABLE.replace("\n1,", "\n0.7,0,1,0\n0.7,0,2,0\n1,")).verdict, "same")
        self.assertEqual(table(TABLE, TABLE.replace("\n1,", "\n0.7,0,1,0\n1,")).verdict, "different")

    def test_settings_may_come_but_not_change(self) -> None:
        self.assertEqual(table(TABLE, TABLE.replace("# rtol", "# set: m = 2\n# rtol")).verdict, "same")
        self.assertEqual(table(TABLE.replace("# rtol", "# set: m = 2\n# rtol"), TABLE).verdict, "different")
        self.assertEqual(table(TABLE, TABLE.replace("# rtol: 1e-10", "# rtol: 1e-9")).verdict, "different")

    def test_peaks_may_be_met_elsewhere_only_where_the_run_took_other_steps(self) -> None:
        def loads(new: str, samples: str = TABLE) -> str:
            old = Outcome(0, {"out/a.csv": TABLE, "out/a_loads.csv": LOADS})
            return compare(RUN, old, Outcome(0, {"out/a.csv": samples, "out/a_loads.csv": new})).verdict

        elsewhere = LOADS.replace("0.5,300,10,300.1", "0.25,300.1,-10,300.2")
        other_steps = TABLE.replace("0.25", "0.2500000001")
        self.assertEqual(loads(LOADS), "same")
        self.assertEqual(loads(LOADS.replace(",300,", ",300.0000000001,")), "close")
        self.assertEqual(loads(LOADS.replace(",300,", ",300.0001,")), "different")
        self.assertEqual(loads(elsewhere), "different")
        self.assertEqual(loads(elsewhere, other_steps), "close")
        self.assertEqual(loads(elsewhere.replace("300.1", "301"), other_steps), "different")
        self.assertEqual(loads(LOADS.replace("min,1", "max,1"), other_steps), "different")


class Ledgers(unittest.TestCase):
    def test_words_and_ranks_must_stay(self) -> None:
        self.assertEqual(ledger().verdict, "same")
        self.assertEqual(ledger(status="failed").verdict, "different")
        self.assertEqual(ledger(ledger__rank__rank=7).verdict, "different")
        self.assertEqual(ledger(ledger__rank__rank="8").verdict, "different")

    def test_numbers_may_change_in_their_last_digits(self) -> None:
        self.assertEqual(ledger(ledger__energy__exchanged=22.5000000001).verdict, "close")
        self.assertEqual(ledger(ledger__energy__exchanged=22.500001).verdict, "different")

    def test_a_sign_of_zero_and_another_layout_are_found(self) -> None:
        self.assertEqual(printed('{"a": 0.0, "b": 1}', '{"a": -0.0, "b": 1}').verdict, "close")
        self.assertEqual(printed('{"a": 0.0, "b": 1}', '{"a": 0.0,  "b": 1}').verdict, "different")
        self.assertEqual(table(TABLE, TABLE.replace("\n0.5", "\r\n0.5")).verdict, "different")

    def test_errors_and_counts_may_change_a_little(self) -> None:
        self.assertEqual(ledger(ledger__violation__position=3e-14).verdict, "close")
        self.assertEqual(ledger(ledger__violation__position=3e-7).verdict, "different")
        self.assertEqual(ledger(ledger__steps__evaluations=4206).verdict, "close")
        self.assertEqual(ledger(ledger__steps__evaluations=5000).verdict, "different")

    def test_settings_may_come_but_other_keys_may_not(self) -> None:
        result = ledger(settings__modes="1")
        self.assertEqual((result.verdict, result.meant["new settings"]), ("same", 1))
        self.assertEqual(ledger(ledger__modes=1).verdict, "different")
        self.assertEqual(ledger(settings__rtol="1e-9").verdict, "different")

    def test_the_number_of_samples_may_grow_where_there_are_jumps_only(self) -> None:
        self.assertEqual(ledger(samples=4).verdict, "different")
        jump = TABLE.replace("0.5,0.25,", "0.5,0,0,0\n0.5,0.25,")
        more = json.dumps(LEDGER | {"samples": 4})
        old = Outcome(0, {"out/a.csv": TABLE, "out/a.json": json.dumps(LEDGER)})
        self.assertEqual(compare(RUN, old, Outcome(0, {"out/a.csv": jump, "out/a.json": more})).verdict, "same")


class Answers(unittest.TestCase):
    def test_code_files_and_messages_must_stay(self) -> None:
        old = Outcome(1, {"stderr": 'error: joint "O" is not defined'})
        self.assertEqual(compare(RUN, old, old).verdict, "same")
        self.assertEqual(compare(RUN, old, Outcome(2, old.files)).worst.place, "exit code")
        self.assertEqual(compare(RUN, old, Outcome(None, {})).verdict, "different")
        self.assertEqual(compare(RUN, old, Outcome(1, {"stderr": 'error: joint "A" is not defined'})).verdict, "different")
        self.assertEqual(compare(RUN, old, Outcome(1, old.files | {"out/b.csv": ""})).worst.words, "is new")
        self.assertEqual(compare(RUN, Outcome(1, old.files | {"out/b.csv": ""}), old).worst.words, "is no longer written")

    def test_printed_numbers_may_change_by_their_last_digit(self) -> None:
        self.assertEqual(printed("angle 53.1301 deg", "angle 53.1302 deg").verdict, "close")
        self.assertEqual(printed("angle 53.1301 deg", "angle 53.1401 deg").verdict, "different")
        self.assertEqual(printed("balanced to 1.4e-15 N", "balanced to 2.0e-14 N").verdict, "close")
        self.assertEqual(printed("8 equations", "9 equations").verdict, "different")
        self.assertEqual(printed("x1 = 2", "x2 = 2").verdict, "different")
        self.assertEqual(printed("a\nb", "a\nb\nc").verdict, "different")
        self.assertEqual(printed("a  b", "a b").verdict, "different")

    def test_what_a_run_prints_may_have_other_digits_but_no_other_words(self) -> None:
        text = "  Closure  good  apart by 1.9e-14\n  O.angle  \u2588\u2587\u2581  -4 to 1 rad\n  evaluations for output  40\n"
        self.assertEqual(printed(text, text.replace("1.9e-14", "8e-15").replace("\u2587\u2581", "\u2581\u2587"), RUN).verdict, "close")
        self.assertEqual(printed(text, text.replace("good", "fair"), RUN).verdict, "different")

    def test_of_two_rows_alike_either_may_be_nearest_to_dependence(self) -> None:
        text = "  smallest relative pivot of a constraint  0.31 (O.y)\n  evaluations for output  40\n"
        self.assertEqual(printed(text, text.replace("O.y", "C.x"), RUN).verdict, "close")

    def test_meant_lines_count_only_for_their_command(self) -> None:
        meant = [Meant(CHANGED, "^check ", "^stdout: title", "renamed")]
        self.assertEqual(printed("title a\nrest", "title b\nrest", meant=meant).verdict, "same")
        self.assertEqual(printed("title a\nrest", "title b\nother", meant=meant).verdict, "different")
        self.assertEqual(printed("title a\nrest", "title b\nrest", "assemble x", meant).verdict, "different")

    def test_the_clock_is_not_compared(self) -> None:
        row = "  absolute  0.5 s  6.8e-15  48  0  151 + 8 rows  {} s\n"
        self.assertEqual(printed(row.format("0.0049"), row.format("0.12"), "compare models/a.toml").verdict, "same")
        self.assertEqual(printed(row.format("0.0049"), row.format("0.12")).verdict, "different")

    def test_bytes_of_hdf5_must_stay_where_nothing_else_changed(self) -> None:
        files = {"out/a.csv": TABLE, "out/a.h5": image({"n": 1}) + "\x01"}
        other = files | {"out/a.h5": image({"n": 1}) + "\x02"}
        self.assertEqual(compare(RUN, Outcome(0, files), Outcome(0, other)).verdict, "different")
        other["out/a.csv"] = TABLE.replace("0.25", "0.2500000001")
        self.assertEqual(compare(RUN, Outcome(0, files), Outcome(0, other)).verdict, "close")
        other["out/a.h5"] = image({"n": 2})
        self.assertEqual(compare(RUN, Outcome(0, files), Outcome(0, other)).verdict, "different")

    def test_loads_on_a_body_may_change_places_but_not_their_forces(self) -> None:
        def acting(new: list[dict[str, object]], samples: str = TABLE, meant: list[Meant] = MEANT) -> str:
            outlines = [{"mechanics": {"actions": actions}} for actions in ([action("a", 1, 2, 3), action("b", 4, 5, 6)], new)]
            sides = [{"out/a.csv": csv, "out/a.h5": image(outline)} for csv, outline in zip((TABLE, samples), outlines)]
            return compare(RUN, *(Outcome(0, files) for files in sides), meant).verdict

        a, b = action("a", 1, 2, 3), action("b", 4, 5, 6)
        self.assertEqual(acting([a, b]), "same")
        self.assertEqual(acting([b, a]), "same")
        self.assertEqual(acting([b, a], meant=[]), "different")
        self.assertEqual(acting([b, action("a", 1, 2.0000000001, 3)]), "close")
        self.assertEqual(acting([b, action("a", 1, 2.000001, 3)]), "different")
        self.assertEqual(acting([action("b", 1, 2, 3), action("a", 4, 5, 6)]), "different")
        self.assertEqual(acting([a, b | {"body": "rod"}]), "different")
        self.assertEqual(acting([b]), "different")
        # The value left of a jump is new, that right of it is compared.
        jump = TABLE.replace("0.5,0.25,", "0.5,0,0,0\n0.5,0.25,")
        self.assertEqual(acting([action("b", 4, 7, 5, 6), action("a", 1, 9, 2, 3)], jump), "same")
        self.assertEqual(acting([action("b", 4, 5, 7, 6), action("a", 1, 9, 2, 3)], jump), "different")
        self.assertEqual(acting([action("b", 4, 7, 5, 6), action("a", 1, 9, 2, 3)]), "different")

    def test_every_meant_change_has_a_reason_and_patterns_that_compile(self) -> None:
        for change in MEANT:
            self.assertTrue(change.reason)
            comparing.re.compile(change.command)
            comparing.re.compile(change.place)
        for command, file, pattern, _ in VOLATILE:
            for part in (command, file, pattern):
                comparing.re.compile(part)


class Nudged(unittest.TestCase):
    def test_a_run_that_magnifies_round_off_may_be_as_far_from_itself(self) -> None:
        own = table(TABLE, TABLE.replace("0.25", "0.2500001"))
        self.assertTrue(no_further_than(table(TABLE, TABLE.replace("0.25", "0.2500005")), own))
        self.assertFalse(no_further_than(table(TABLE, TABLE.replace("0.25", "0.250002")), own))

    def test_words_are_excused_only_where_they_change_by_themselves(self) -> None:
        own = ledger(status="failed")
        self.assertTrue(no_further_than(ledger(status="stopped"), own))
        self.assertFalse(no_further_than(ledger(ledger__rank__rank="8"), own))
        self.assertFalse(no_further_than(ledger(status="stopped"), ledger(ledger__rank__rank="8")))


class Plan(unittest.TestCase):
    METHODS = [
        planning.Method(formulation, stabilisation, integrator)
        for formulation in ("absolute", "hamiltonian")
        for stabilisation in ("none", "projection")
        for integrator in ("dopri5", "radau5")
    ]

    def test_models_come_with_their_horizon(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            Path(name, "a.toml").write_text('check_horizon = 2\nspace = "spatial"\n', encoding="utf-8")
            self.assertEqual(planning.read_models(Path(name)), [planning.Model("a", 2.0, True)])

    def test_methods_that_do_not_go_together_are_left_out(self) -> None:
        row = {"formulation": "absolute", "stabilisation": "ggl", "integrator": "radau5", "admissible": True}
        found = planning.read_methods({"methods": [row, row | {"integrator": "dopri5", "admissible": False}]})
        self.assertEqual(found, [planning.Method("absolute", "ggl", "radau5")])

    def test_every_model_runs_under_every_method(self) -> None:
        models = [planning.Model(name, 2.0, False) for name in ("four_bar", "other")]
        cases = planning.plan(models, self.METHODS, ["runs", "verbs"], quick=False)
        self.assertEqual(len(cases), len(set(cases)))
        for model in models:
            for method in self.METHODS:
                self.assertIn(planning.simulate(model, method), cases)
        self.assertTrue(any(case.how == planning.RESUMED for case in cases))
        self.assertTrue(any("--generated" in case.arguments for case in cases))

    def test_quick_is_a_part_of_the_whole(self) -> None:
        models = [planning.Model(name, 2.0, False) for name in ("four_bar", "a", "b", "rssr", "c", "d")]
        quick = planning.plan(models, self.METHODS, ["runs", "verbs"], quick=True)
        whole = planning.plan(models, self.METHODS, ["runs", "verbs"], quick=False)
        self.assertLess(len(quick), len(whole))
        self.assertFalse([case for case in quick if case.how == planning.ONCE and case not in whole])


if __name__ == "__main__":
    unittest.main()
