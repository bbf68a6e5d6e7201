"""Compares what two programs answered to one command: first the bits, then number by number.

A number may differ in its last digits: by at most 1e-8 of the size of its column (of a JSON object: of all entries under the same
key; of text: of the number itself, or of 1). Words, names, codes and all else must be equal, but for what is meant to change.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from same_results_meant import ADDED, CHANGED, CHANGED_BY_JUMPS, JUMP, MEANT, REORDERED, VOLATILE, Meant
from same_results_read import (
    ACTIONS,
    Table,
    any_entry,
    as_json,
    as_number,
    by_time,
    column_sizes,
    decoded,
    identity,
    is_number,
    join,
    key_sizes,
    kind_of,
    kind_sizes,
    numbers_of,
    page_outline,
    printed_difference,
    read_table,
    short,
    words_of,
)

TOLERANCE = 1e-8
# A column that is smaller than this part of the greatest of its kind is zero but for round-off, and measured by that part.
ZERO = 1e-4
# How much further than OLD from itself, with a nudge, NEW may be from OLD.
AS_FAR = 10.0

# When numbers change in their last digits, a step may be refused that was not, and other steps are taken from there. So these
# may change by more than their last digits:
COUNTS = re.compile(r"(^|\.)(accepted|refused|evaluations|\w*_solves|\w*_iterations|repartitions|output_evaluations|restarts|steps|iterations)$")
ERRORS = re.compile(r"violation|residual|balance|misfit|pivot|drift|steps\.(smallest|largest)$|difference\.|(^|\.)(worst|spread|change)$")
ERROR_COLUMNS = re.compile(r"^(violation\.|energy\.balance)")  # measured by what they are errors of
NEAREST_ROW = re.compile(r"(?<=smallest relative pivot of a constraint).*")  # of two rows alike, either
DRAWN_OR_TOLD = re.compile(r"\.svg$|^ledger\w*\[")  # what is compared as numbers already
SETTINGS = re.compile(r"^head of |settings")  # small numbers count there, such as tolerances
EULER_ANGLES = re.compile(r"\.z[xy][xz]\.[123] ")  # jump where they are not determined; the quaternion is compared
BETWEEN_STEPS = re.compile(r"^method\.multiplier\.")  # known at the ends of steps, and linear between
FROM_OTHER_STEPS = 1e-3  # by which those may differ, and a peak that was met at the end of another step


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code (None where it ran out of time), what it printed, and its files."""

    code: int | None
    files: dict[str, str]


@dataclass(frozen=True)
class Difference:
    """A place where the two differ; size: of numbers relative to their column, infinite for all else."""

    size: float
    place: str
    words: str


@dataclass
class Comparison:
    differences: list[Difference] = field(default_factory=list)
    meant: Counter[str] = field(default_factory=Counter)

    @property
    def worst(self) -> Difference | None:
        return max(self.differences, key=lambda difference: difference.size, default=None)

    @property
    def verdict(self) -> str:
        if self.worst is None:
            return "same"
        return "close" if self.worst.size <= TOLERANCE else "different"

    def add(self, size: float, place: str, words: str) -> None:
        self.differences.append(Difference(size, place, words))


def no_further_than(found: Comparison, own: Comparison) -> bool:
    """Whether OLD, nudged, differs from itself as much as NEW does from it: then the run magnifies round-off that far."""
    most = max((difference.size for difference in own.differences if math.isfinite(difference.size)), default=0.0)
    elsewhere = {difference.place for difference in own.differences if not math.isfinite(difference.size)}
    return all(
        difference.size <= max(TOLERANCE, AS_FAR * most) if math.isfinite(difference.size) else difference.place in elsewhere
        for difference in found.differences
    )


def relative(old: float, new: float, scale: float) -> float:
    """How far apart two numbers are, divided by scale; infinite where only one of them is a number at all."""
    if old == new or (math.isnan(old) and math.isnan(new)):
        return 0.0
    if not (math.isfinite(old) and math.isfinite(new)):
        return math.inf
    return abs(new - old) / (scale if scale > 0.0 else 1.0)


def key_difference(path: str, old: float, new: float, scale: float) -> float:
    """Between two numbers of JSON objects."""
    if COUNTS.search(path):
        return 0.0 if abs(new - old) <= 20 + 0.1 * abs(old) else math.inf
    if ERRORS.search(path) and (0.1 * abs(old) <= abs(new) <= 10.0 * abs(old) or abs(new - old) <= TOLERANCE):
        return 0.0
    return relative(old, new, scale)


def measures(name: str, table: Table) -> dict[str, float]:
    """By what differences of each column are divided: its greatest value; where that is as good as zero, that of its kind."""
    if name.endswith("_compare.csv"):  # relative errors
        return dict.fromkeys(table.columns, 1.0)
    kinds = kind_sizes(table)
    return {
        column: max(size, (1.0 if ERROR_COLUMNS.match(column) else ZERO) * kinds[kind_of(column)])
        for column, size in column_sizes(table).items()
    }


def action_sizes(sizes: dict[str, float]) -> dict[str, float]:
    """As measures: moments of round-off are measured by the forces, and forces by the moments."""
    acting = [key for key in sizes if key.split(".")[-1].split("[")[0] in ACTIONS]
    least = ZERO * max((sizes[key] for key in acting), default=0.0)
    return sizes | {key: max(sizes[key], least) for key in acting}


def cell_difference(column: str, old: str, new: str, scale: float) -> float:
    numbers = as_number(old), as_number(new)
    if None in numbers:
        return math.inf
    size = relative(*numbers, scale)
    excused = EULER_ANGLES.search(column) or (BETWEEN_STEPS.search(column) and size <= FROM_OTHER_STEPS)
    return 0.0 if excused and math.isfinite(size) else size


def without_volatile(command: str, name: str, text: str) -> str:
    for of_command, file, pattern, instead in VOLATILE:
        if re.search(of_command, command) and re.search(file, name):
            text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return text


class Comparer:
    """One command's outcomes; collects differences and which of the meant changes were met."""

    def __init__(self, command: str, meant: Sequence[Meant]) -> None:
        self.command = command
        self.meant = [change for change in meant if re.search(change.command, command)]
        self.out = Comparison()
        self.jumps = 0
        self.kept: dict[str, list[bool]] = {}  # by table without its ending: which of NEW's samples have one of OLD's

    def is_meant(self, kinds: tuple[str, ...], place: str) -> bool:
        for change in self.meant:
            if change.kind in kinds and re.search(change.place, place):
                self.out.meant[change.reason] += 1
                return True
        return False

    def changed_kinds(self) -> tuple[str, ...]:
        return (CHANGED, CHANGED_BY_JUMPS) if self.jumps > 0 else (CHANGED,)

    # ---- whole outcomes ------------------------------------------------------------------------------------------

    def outcomes(self, old: Outcome, new: Outcome) -> Comparison:
        if old.code != new.code:
            said = [short(outcome.files.get("stderr", "").strip(), 100) for outcome in (old, new)]
            self.out.add(math.inf, "exit code", f'{old.code} -> {new.code} ("{said[0]}" -> "{said[1]}")')
        for name in sorted(old.files.keys() - new.files.keys()):
            self.out.add(math.inf, name, "is no longer written")
        for name in sorted(new.files.keys() - old.files.keys()):
            if not self.is_meant((ADDED,), name):
                self.out.add(math.inf, name, "is new")
        # Tables first: whether there are second samples decides what may change elsewhere.
        for name in sorted(old.files.keys() & new.files.keys(), key=lambda name: (not name.endswith(".csv"), name)):
            self.file(name, *(without_volatile(self.command, name, side.files[name]) for side in (old, new)))
        return self.out

    def file(self, name: str, old: str, new: str) -> None:
        if old == new:
            return
        before = len(self.out.differences) + self.out.meant.total()
        self.parts(name, old, new)
        if len(self.out.differences) + self.out.meant.total() == before and not (name.endswith(".h5") and before > 0):
            self.out.add(math.inf, name, "the same, but written otherwise")

    def parts(self, name: str, old: str, new: str) -> None:
        """By what is in the file."""
        if name.endswith("_loads.csv"):
            self.loads(name, read_table(old), read_table(new))
        elif name.endswith(".csv"):
            self.tables(name, read_table(old), read_table(new))
        elif name.endswith(".h5"):
            self.binary(name, old, new)
        elif None not in (parsed := (as_json(old), as_json(new))):
            self.values(name, "", *parsed, key_sizes(parsed[0]))
        else:
            self.texts(name, old, new)

    def binary(self, name: str, old: str, new: str) -> None:
        """HDF5: series are those of the CSV; what can be read without the library is the outline of the page."""
        outlines = page_outline(old), page_outline(new)
        if None in outlines:
            self.out.add(math.inf, name, "has no outline of the page")
            return
        before, after = decoded(outlines[0]), decoded(outlines[1], self.kept.get(name.removesuffix(".h5")))
        self.values(name, "", before, after, action_sizes(key_sizes(before)))

    # ---- text ----------------------------------------------------------------------------------------------------

    def texts(self, name: str, old: str, new: str) -> None:
        lines = old.splitlines(), new.splitlines()
        olds = self.kept_lines(name, lines[0], lines[1], may_be_added=False)
        news = self.kept_lines(name, lines[1], lines[0], may_be_added=True)
        if olds == news:
            return
        words = [[words_of([NEAREST_ROW.sub("", line)]) for line in side] for side in (olds, news)]
        if words[0] != words[1]:
            at = next((k for k, (a, b) in enumerate(zip(*words)) if a != b), min(len(olds), len(news)))
            a, b = (short(side[at].strip()) if at < len(side) else "no line" for side in (olds, news))
            self.out.add(math.inf, name, f'"{a}" -> "{b}"')
            return
        pairs = [(a, b) for a, b in zip(numbers_of(olds), numbers_of(news)) if a != b]
        # What a run prints are numbers of its ledger, which is compared as JSON.
        if DRAWN_OR_TOLD.search(name) or any("evaluations for output" in line for line in olds):
            self.out.add(0.0, name, "other digits")
        elif not pairs:
            self.out.add(math.inf, name, "other spaces")
        else:
            for a, b in pairs:
                size = relative(float(a), float(b), abs(float(a))) if SETTINGS.search(name) else printed_difference(a, b)
                self.out.add(size, name, f"{a} -> {b}")

    def kept_lines(self, name: str, lines: Iterable[str], others: list[str], may_be_added: bool) -> list[str]:
        """The lines to compare: without those that are meant to change or to come."""
        known = set(others)
        begins = {line.split(":")[0] for line in others}
        kept = []
        for line in lines:
            if line in known or not (
                self.is_meant(self.changed_kinds(), f"{name}: {line}")
                or (may_be_added and line.split(":")[0] not in begins and self.is_meant((ADDED,), f"{name}: {line}"))
            ):
                kept.append(line)
        return kept

    # ---- tables --------------------------------------------------------------------------------------------------

    def tables(self, name: str, old: Table, new: Table) -> None:
        if not self.heads_and_columns(name, old, new):
            return
        places = [new.columns.index(column) for column in old.columns]
        scales = measures(name, old)
        worst: dict[str, Difference] = {}
        pairs = self.pair_rows(name, old, new)
        paired = {id(after) for _, after in pairs}
        self.kept[name.removesuffix(".csv")] = [id(row) in paired for row in new.rows]
        for before, after in pairs:
            for k, column in enumerate(old.columns):
                cells = before[k], after[places[k]]
                if cells[0] == cells[1]:
                    continue
                size = cell_difference(column, *cells, scales[column])
                if column not in worst or size > worst[column].size:
                    worst[column] = Difference(size, f"{column} of {name}", f"{cells[0]} -> {cells[1]} at {before[0]}")
        self.out.differences.extend(difference for column, difference in worst.items() if not self.is_meant((CHANGED,), column))

    def heads_and_columns(self, name: str, old: Table, new: Table) -> bool:
        """Whether all of OLD's columns are there."""
        if old.head != new.head:
            self.texts(f"head of {name}", "\n".join(old.head), "\n".join(new.head))
        missing = [column for column in old.columns if column not in new.columns]
        added = [column for column in new.columns if column not in old.columns and not self.is_meant((ADDED,), column)]
        if missing:
            self.out.add(math.inf, name, f"column {missing[0]} is gone ({len(missing)} in all)")
        if added:
            self.out.add(math.inf, name, f"column {added[0]} is new ({len(added)} in all)")
        if not missing and [column for column in new.columns if column in old.columns] != old.columns:
            self.out.add(math.inf, name, "columns are in another order")
        return not missing

    def pair_rows(self, name: str, old: Table, new: Table) -> list[tuple[list[str], list[str]]]:
        """Rows that belong together. Of two samples at one time, where OLD has one, the second: the value right of a jump."""
        if not old.columns or old.columns[0] != "time [s]":
            if len(old.rows) != len(new.rows):
                self.out.add(math.inf, name, f"{len(old.rows)} -> {len(new.rows)} rows")
            return list(zip(old.rows, new.rows))
        pairs = []
        groups = list(by_time(new.rows))
        for time, rows in by_time(old.rows):
            slack = 1e-9 * abs(time)  # the time of an event may change in its last digits
            while groups and groups[0][0] < time - slack:
                self.extra_rows(name, groups.pop(0)[1])
            if not groups or groups[0][0] > time + slack:
                self.out.add(math.inf, name, f"no sample at {rows[0][0]} any more")
                continue
            others = groups.pop(0)[1]
            if len(others) == 2 and len(rows) == 1 and self.is_meant((JUMP,), name):
                self.jumps += 1
                others = others[1:]
            if len(others) != len(rows):
                self.out.add(math.inf, name, f"{len(rows)} -> {len(others)} samples at {rows[0][0]}")
            pairs.extend(zip(rows, others))
        for _, rows in groups:
            self.extra_rows(name, rows)
        return pairs

    def extra_rows(self, name: str, rows: list[list[str]]) -> None:
        """Samples at a time where OLD has none: two of them are a jump between samples."""
        if len(rows) == 2 and self.is_meant((JUMP,), name):
            self.jumps += 1
        else:
            self.out.add(math.inf, name, f"a new sample at {rows[0][0]}")

    def loads(self, name: str, old: Table, new: Table) -> None:
        """The load table: the extreme value of each case, and where it is met at the same time, all others of its line too."""
        other_steps = bool(self.out.differences)  # the samples have been compared
        if not self.heads_and_columns(name, old, new):
            return
        keyed = {tuple(row[:6]): row for row in old.rows}, {tuple(row[:6]): row for row in new.rows}
        if list(keyed[0]) != list(keyed[1]):
            self.out.add(math.inf, name, f"{len(keyed[0])} -> {len(keyed[1])} load cases, or others")
        sizes = kind_sizes(old)
        for key in (key for key, row in keyed[0].items() if keyed[1].get(key, row) != row):
            before, after = keyed[0][key], keyed[1][key]
            at_once = before[6] == after[6]
            for k, column in enumerate(old.columns):
                if k < 7 or before[k] == after[k] or not (at_once or column.split(" [")[0] == key[4]):
                    continue
                size = cell_difference(column, before[k], after[k], sizes.get(kind_of(column), 0.0))
                if not at_once:
                    size = 0.0 if other_steps and size <= FROM_OTHER_STEPS else math.inf
                self.out.add(size, f"{column} of {name}", f"{before[k]} -> {after[k]} ({' '.join(key)})")
            if not at_once:
                self.out.add(0.0, f"time [s] of {name}", f"{before[6]} -> {after[6]} ({' '.join(key)})")

    # ---- JSON ----------------------------------------------------------------------------------------------------

    def values(self, name: str, path: str, old: object, new: object, sizes: dict[str, float]) -> None:
        if repr(old) == repr(new) or self.is_meant(self.changed_kinds(), path):
            return
        place = f"{path} of {name}"
        if isinstance(old, dict) and isinstance(new, dict):
            self.keys(name, path, old, new, sizes)
        elif isinstance(old, list) and isinstance(new, list):
            if len(old) != len(new):
                self.out.add(math.inf, place, f"{len(old)} -> {len(new)} entries")
            for k, (before, after) in enumerate(zip(*self.in_order(path, old, new))):
                self.values(name, f"{path}[{k}]", before, after, sizes)
        elif is_number(old) and is_number(new):
            self.out.add(key_difference(path, float(old), float(new), sizes.get(any_entry(path), 0.0)), place, f"{old} -> {new}")
        elif isinstance(old, str) and isinstance(new, str):
            if path.endswith("nearest_row"):
                self.out.add(0.0, place, f"{old} -> {new}")
            else:
                self.texts(place, old, new)
        else:
            self.out.add(math.inf, place, f"{short(old)} -> {short(new)}")

    def in_order(self, path: str, old: list[object], new: list[object]) -> tuple[list[object], list[object]]:
        """Both by name, where the same entries are meant to stand in another order."""
        names = [identity(entry) for entry in old], [identity(entry) for entry in new]
        if names[0] == names[1] or None in names[0] + names[1] or sorted(names[0]) != sorted(names[1]):
            return old, new
        return (sorted(old, key=identity), sorted(new, key=identity)) if self.is_meant((REORDERED,), path) else (old, new)

    def keys(self, name: str, path: str, old: dict[str, object], new: dict[str, object], sizes: dict[str, float]) -> None:
        for key in (key for key in old if key not in new):
            self.out.add(math.inf, f"{path} of {name}", f"key {key} is gone")
        for key in (key for key in new if key not in old):
            if not self.is_meant((ADDED,), join(path, key)):
                self.out.add(math.inf, f"{path} of {name}", f"key {key} is new")
        both = [key for key in old if key in new]
        if both != [key for key in new if key in old]:
            self.out.add(math.inf, f"{path} of {name}", "keys are in another order")
        for key in both:
            self.values(name, join(path, key), old[key], new[key], sizes)


def compare(command: str, old: Outcome, new: Outcome, meant: Sequence[Meant] = tuple(MEANT)) -> Comparison:
    return Comparer(command, meant).outcomes(old, new)
