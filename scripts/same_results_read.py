"""Takes what programs write apart for same_results: tables, JSON objects, and the words and numbers of text."""

from __future__ import annotations

import base64
import csv
import json
import math
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])|(?<![\w.])-?(?:nan|inf)\b")
SPARK = re.compile(r"[\u2581-\u2588][\u2581-\u2588 ]*")  # lines of blocks that draw the course of a series
UNIT = re.compile(r"\[([^\]]*)\]$")
# Units of one kind: where nothing moves along, lengths are measured by angles, and so on.
KINDS = {"rad": "m", "deg": "m", "rad/s": "m/s", "rad/s^2": "m/s^2", "N*m": "N"}

ACTIONS = ("force_values", "moment_values")  # in an outline of the page: what acts on a body and is no series


@dataclass(frozen=True)
class Table:
    head: list[str]  # the lines that begin with #
    columns: list[str]
    rows: list[list[str]]


def read_table(text: str) -> Table:
    lines = text.splitlines()
    head = [line for line in lines if line.startswith("#")]
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    return Table(head, rows[0] if rows else [], rows[1:])


def by_time(rows: list[list[str]]) -> Iterator[tuple[float, list[list[str]]]]:
    """Rows in groups of one time."""
    group: list[list[str]] = []
    for row in rows:
        if group and row[0] != group[0][0]:
            yield float(group[0][0]), group
            group = []
        group.append(row)
    if group:
        yield float(group[0][0]), group


def kind_of(column: str) -> str:
    match = UNIT.search(column)
    unit = match.group(1) if match else ""
    return KINDS.get(unit, unit)


def column_sizes(table: Table) -> dict[str, float]:
    """The greatest size of a value in each column."""
    out = dict.fromkeys(table.columns, 0.0)
    for row in table.rows:
        for column, cell in zip(table.columns, row):
            value = as_number(cell)
            if value is not None and math.isfinite(value):
                out[column] = max(out[column], abs(value))
    return out


def kind_sizes(table: Table) -> dict[str, float]:
    """The greatest size of a value of each kind."""
    out: dict[str, float] = {}
    for column, size in column_sizes(table).items():
        out[kind_of(column)] = max(out.get(kind_of(column), 0.0), size)
    return out


def as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


# ---- JSON ------------------------------------------------------------------------------------------------------------


def as_json(text: str) -> object | None:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def page_outline(image: str) -> object | None:
    """The outline of the page in an HDF5 file (bytes as Latin-1): the one compressed text in it that is a JSON object."""
    data = image.encode("latin-1")
    for match in re.finditer(rb"\x78\x9c", data):
        try:
            text = zlib.decompressobj().decompress(data[match.start() :]).decode()
        except (zlib.error, UnicodeDecodeError):
            continue
        found = as_json(text)
        if isinstance(found, dict):
            return found
    return None


def decoded(outline: object, kept: list[bool] | None = None) -> object:
    """The outline with the columns of what acts on bodies as numbers; of as many as kept has, those that it keeps."""
    if isinstance(outline, dict):
        return {key: columns(value, kept) if key in ACTIONS else decoded(value, kept) for key, value in outline.items()}
    return [decoded(entry, kept) for entry in outline] if isinstance(outline, list) else outline


def columns(texts: list[str], kept: list[bool] | None) -> list[list[float]]:
    """From doubles, lowest byte first, in Base64."""
    out = [[value for (value,) in struct.iter_unpack("<d", base64.b64decode(text))] for text in texts]
    return [[value for value, keep in zip(column, kept) if keep] if kept and len(column) == len(kept) else column for column in out]


def identity(entry: object) -> tuple[str, ...] | None:
    """What an entry of a list is called; None where it has no name."""
    if not isinstance(entry, dict) or "name" not in entry:
        return None
    return tuple(str(entry.get(key)) for key in ("of", "name", "body", "from"))


def join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from leaves(entry, join(path, key))
    elif isinstance(value, list):
        for k, entry in enumerate(value):
            yield from leaves(entry, f"{path}[{k}]")
    else:
        yield path, value


def is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def any_entry(path: str) -> str:
    """The path of a key, with all entries of lists alike."""
    return re.sub(r"\[\d+\]", "[]", path)


def key_sizes(value: object) -> dict[str, float]:
    """The greatest size of a number under each key, all entries of lists together."""
    out: dict[str, float] = {}
    for path, leaf in leaves(value):
        if is_number(leaf) and math.isfinite(leaf):
            key = any_entry(path)
            out[key] = max(out.get(key, 0.0), abs(leaf))
    return out


# ---- text ------------------------------------------------------------------------------------------------------------


def words_of(lines: Iterable[str]) -> str:
    """Text without its numbers, and without the spaces that align them."""
    return " ".join(SPARK.sub("~", NUMBER.sub("#", "\n".join(lines))).split())


def numbers_of(lines: Iterable[str]) -> list[str]:
    return NUMBER.findall("\n".join(lines))


def last_place(text: str) -> float:
    """The value of one unit in the last digit that is printed; zero of a whole number."""
    if text.lstrip("+-").isdigit():
        return 0.0
    mantissa, _, exponent = text.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def printed_difference(old: str, new: str) -> float:
    """Between two printed numbers, relative to the greater or to 1; a change of one in the last digit may be rounding."""
    a, b = float(old), float(new)
    if not (math.isfinite(a) and math.isfinite(b)):
        return 0.0 if old == new else math.inf
    rounding = 1.01 * max(last_place(old), last_place(new))
    return max(0.0, abs(b - a) - rounding) / max(1.0, abs(a), abs(b))


def short(text: object, most: int = 60) -> str:
    words = str(text)
    return words if len(words) <= most else words[: most - 3] + "..."
