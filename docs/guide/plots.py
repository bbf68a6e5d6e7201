"""Draws the figures of textbook.md and benchmarks.md: runs linkwork, reads CSV files, writes SVG. Standard library only.

    python3 docs/guide/plots.py build/bin/linkwork
    python3 docs/guide/plots.py --work-precision work_precision.csv
"""

from __future__ import annotations

import argparse
import csv
import math
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

GUIDE = Path(__file__).resolve().parent
MODEL = GUIDE.parent.parent / "models" / "slider_pendulum.toml"

# A figure in pixels, and the decades of its vertical axis. All figures share them, so that they can be compared.
WIDTH, HEIGHT = 740, 400
LEFT, RIGHT, TOP, BOTTOM = 78, 150, 46, 54
LOWEST, HIGHEST = -18, -1

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; font-size: 15px; }
  .paper { fill: #ffffff; }
  .grid { stroke: #d8dee4; stroke-width: 1; }
  .frame { stroke: #57606a; stroke-width: 1; fill: none; }
  .curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
  .c0 { stroke: #0072b2; } text.c0 { stroke: none; fill: #0072b2; }
  .c1 { stroke: #b35900; stroke-dasharray: 7 3; } text.c1 { stroke: none; fill: #b35900; }
  .c2 { stroke: #007a5a; stroke-dasharray: 2 2.5; } text.c2 { stroke: none; fill: #007a5a; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .paper { fill: #0d1117; }
    .grid { stroke: #30363d; }
    .frame { stroke: #8b949e; }
    .c0 { stroke: #6cb6ff; } text.c0 { fill: #6cb6ff; }
    .c1 { stroke: #f0a34a; } text.c1 { fill: #f0a34a; }
    .c2 { stroke: #4fd1a5; } text.c2 { fill: #4fd1a5; }
  }
"""


@dataclass
class Curve:
    name: str
    unit: str
    values: list[float]


def run(linkwork: Path, stabilisation: str, until: float, *more: str) -> dict[str, list[float]]:
    """One run under ode45 with MATLAB's default tolerances; its columns by name, without the units."""
    with tempfile.TemporaryDirectory() as out:
        command = [linkwork, "simulate", MODEL, "--integrator", "ode45", "--rtol", "1e-3", "--atol", "1e-6",
                   "--stabilisation", stabilisation, "--until", str(until), "--output-step", "0.05", "--no-page", "--out", out, *more]  # fmt: skip
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
        with (Path(out) / f"{MODEL.stem}.csv").open() as file:
            rows = csv.reader(line for line in file if not line.startswith("#"))
            names = [name.split(" ")[0] for name in next(rows)]
            columns = zip(*([float(value) for value in row] for row in rows))
            return dict(zip(names, map(list, columns)))


def superscript(number: int) -> str:
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def draw(title: str, time: list[float], curves: list[Curve]) -> str:
    """Curves over time on a logarithmic axis. What lies below the axis, zero too, is drawn on its lower edge."""
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    end = time[-1]

    def x(t: float) -> float:
        return LEFT + (right - LEFT) * t / end

    def y(value: float) -> float:
        decade = math.log10(value) if value > 0 else LOWEST
        share = (min(max(decade, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)
        return bottom - (bottom - TOP) * share

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="title" x="{LEFT}" y="26">{title}</text>',
    ]
    for decade in range(LOWEST, HIGHEST + 1):
        height = y(10.0**decade)
        if decade % 3 == 0:
            out.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{height:.1f}" y2="{height:.1f}"/>')
            out.append(f'<text x="{LEFT - 8}" y="{height + 4.5:.1f}" text-anchor="end">10{superscript(decade)}</text>')
    for t in range(0, round(end) + 1, 5):
        out.append(f'<line class="grid" x1="{x(t):.1f}" x2="{x(t):.1f}" y1="{TOP}" y2="{bottom}"/>')
        out.append(f'<text x="{x(t):.1f}" y="{bottom + 20}" text-anchor="middle">{t}</text>')
    out.append(f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}"/>')
    out.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 12}" text-anchor="middle">time (s)</text>')
    middle = (TOP + bottom) / 2
    out.append(f'<text transform="translate(20 {middle}) rotate(-90)" text-anchor="middle">constraint error (m, m/s, m/s²)</text>')
    for number, curve in enumerate(curves):
        points = " ".join(f"{x(t):.1f},{y(value):.1f}" for t, value in zip(time, curve.values))
        out.append(f'<polyline class="curve c{number}" points="{points}"/>')
        legend = TOP + 14 + 46 * number
        out.append(f'<line class="curve c{number}" x1="{right + 10}" x2="{right + 38}" y1="{legend - 4}" y2="{legend - 4}"/>')
        out.append(f'<text class="c{number}" x="{right + 10}" y="{legend + 14}">{curve.name} ({curve.unit})</text>')
    return "\n".join([*out, "</svg>", ""])


def textbook_figures(linkwork: Path, folder: Path) -> None:
    titles = {
        "none": "No stabilisation: the joints drift apart",
        "baumgarte": "Baumgarte, α = β = 5 s⁻¹: the errors die out with the motion",
        "projection": "Projection: the joints stay closed to round-off",
    }
    for stabilisation, title in titles.items():
        columns = run(linkwork, stabilisation, 20)
        units = {"position": "m", "velocity": "m/s", "acceleration": "m/s²"}
        curves = [Curve(level, unit, columns[f"violation.{level}"]) for level, unit in units.items()]
        (folder / f"norms_{stabilisation}.svg").write_text(draw(title, columns["time"], curves))
    gains = {"α = 5": ("5", "5"), "α = 1": ("1", "5"), "α = 0.5": ("0.5", "5")}
    runs = {name: run(linkwork, "baumgarte", 20, "--alpha", a, "--beta", b) for name, (a, b) in gains.items()}
    curves = [Curve(name, "m", columns["violation.position"]) for name, columns in runs.items()]
    title = "Baumgarte, β = 5 s⁻¹: with α below β the joints swing"
    (folder / "baumgarte_swings.svg").write_text(draw(title, runs["α = 5"]["time"], curves))


# Work-precision diagrams: error over time, both logarithmic; one colour for each stabilisation, one mark for each integrator.
COLOURS = ["#0072b2", "#b35900", "#007a5a", "#a0307a", "#5b4bb0", "#8a6d00", "#57606a"]
MARKS = ["circle", "square", "diamond", "triangle", "cross", "plus", "dash", "ring", "box", "bar", "star", "dot"]


def mark(kind: str, x: float, y: float, colour: str) -> str:
    r = 3.5
    shapes = {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{colour}"/>',
        "dot": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="{colour}"/>',
        "ring": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
        "square": f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r}" height="{2 * r}" fill="{colour}"/>',
        "box": f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r}" height="{2 * r}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
    }
    strokes = {
        "diamond": f"M{x:.1f} {y - r - 1:.1f} l{r + 1} {r + 1} l{-r - 1} {r + 1} l{-r - 1} {-r - 1} z",
        "triangle": f"M{x:.1f} {y - r:.1f} l{r} {2 * r} h{-2 * r} z",
        "cross": f"M{x - r:.1f} {y - r:.1f} l{2 * r} {2 * r} m{-2 * r} 0 l{2 * r} {-2 * r}",
        "plus": f"M{x - r:.1f} {y:.1f} h{2 * r} m{-r} {-r} v{2 * r}",
        "dash": f"M{x - r:.1f} {y:.1f} h{2 * r}",
        "bar": f"M{x:.1f} {y - r:.1f} v{2 * r}",
        "star": f"M{x - r:.1f} {y:.1f} h{2 * r} m{-r} {-r} v{2 * r} m{-r} 0 l{2 * r} {-2 * r}",
    }
    filled = colour if kind in ("diamond", "triangle") else "none"
    return shapes.get(kind) or f'<path d="{strokes[kind]}" fill="{filled}" stroke="{colour}" stroke-width="1.5"/>'


def work_precision(rows: list[dict[str, str]], title: str) -> str:
    stabilisations = list(dict.fromkeys(row["stabilisation"] for row in rows))
    integrators = list(dict.fromkeys(row["integrator"] for row in rows))
    points = [(float(row["time ratio"]), max(float(row["error"]), 1e-14), row) for row in rows]
    points = [point for point in points if point[1] < 1]
    left, right, top, bottom = 78, 560, 46, 460
    low_x, high_x = (math.floor(math.log10(min(p[0] for p in points))), math.ceil(math.log10(max(p[0] for p in points))))
    low_y, high_y = -14, 0

    def x(ratio: float) -> float:
        return left + (right - left) * (math.log10(ratio) - low_x) / (high_x - low_x)

    def y(error: float) -> float:
        return bottom - (bottom - top) * (math.log10(error) - low_y) / (high_y - low_y)

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 520" role="img">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        '<rect class="paper" width="760" height="520"/>',
        f'<text class="title" x="{left}" y="26">{title}</text>',
    ]
    for decade in range(low_x, high_x + 1):
        out.append(f'<line class="grid" x1="{x(10.0**decade):.1f}" x2="{x(10.0**decade):.1f}" y1="{top}" y2="{bottom}"/>')
        out.append(f'<text x="{x(10.0**decade):.1f}" y="{bottom + 20}" text-anchor="middle">10{superscript(decade)}</text>')
    for decade in range(low_y, high_y + 1, 2):
        out.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y(10.0**decade):.1f}" y2="{y(10.0**decade):.1f}"/>')
        out.append(f'<text x="{left - 8}" y="{y(10.0**decade) + 4.5:.1f}" text-anchor="end">10{superscript(decade)}</text>')
    out.append(f'<rect class="frame" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>')
    out.append(f'<text x="{(left + right) / 2}" y="{bottom + 42}" text-anchor="middle">CPU time, 1 = projection, dopri5, rtol 10⁻⁸</text>')
    out.append(f'<text transform="translate(20 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">greatest error at the end (m, rad)</text>')
    for stabilisation in stabilisations:
        for integrator in integrators:
            own = sorted(p[:2] for p in points if p[2]["stabilisation"] == stabilisation and p[2]["integrator"] == integrator)
            colour = COLOURS[stabilisations.index(stabilisation) % len(COLOURS)]
            line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in own)
            out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="0.8" opacity="0.6"/>')
            out += [mark(MARKS[integrators.index(integrator) % len(MARKS)], x(a), y(b), colour) for a, b in own]
    for k, name in enumerate(stabilisations):
        colour = COLOURS[k % len(COLOURS)]
        out.append(f'<rect x="{right + 14}" y="{top + 20 * k}" width="20" height="10" fill="{colour}"/>')
        out.append(f'<text x="{right + 40}" y="{top + 10 + 20 * k}">{name}</text>')
    start = top + 20 * len(stabilisations) + 16
    for k, name in enumerate(integrators):
        out.append(mark(MARKS[k % len(MARKS)], right + 24, start + 20 * k, "#57606a"))
        out.append(f'<text x="{right + 40}" y="{start + 5 + 20 * k}">{name}</text>')
    return "\n".join([*out, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description="Draws the figures of textbook.md and benchmarks.md.")
    parser.add_argument("linkwork", type=Path, nargs="?", help="the program, such as build/bin/linkwork")
    parser.add_argument("--work-precision", type=Path, help="what the program work_precision wrote")
    arguments = parser.parse_args()
    folder = GUIDE / "figures"
    folder.mkdir(exist_ok=True)
    if arguments.linkwork:
        textbook_figures(arguments.linkwork.resolve(), folder)
    if arguments.work_precision:
        with arguments.work_precision.open() as file:
            rows = list(csv.DictReader(file))
        for model in dict.fromkeys(row["model"] for row in rows):
            own = [row for row in rows if row["model"] == model]
            (folder / f"work_precision_{model}.svg").write_text(work_precision(own, f"Accuracy and time: {model}"))


if __name__ == "__main__":
    main()
