"""Draws the figures of textbook.md: runs linkwork, reads its CSV files, writes SVG. Standard library only.

    python3 docs/guide/plots.py build/bin/linkwork
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


def run(linkwork: Path, stabilisation: str, until: float) -> dict[str, list[float]]:
    """One run under ode45 with MATLAB's default tolerances; its columns by name, without the units."""
    with tempfile.TemporaryDirectory() as out:
        command = [linkwork, "simulate", MODEL, "--integrator", "ode45", "--rtol", "1e-3", "--atol", "1e-6",
                   "--stabilisation", stabilisation, "--until", str(until), "--output-step", "0.05", "--no-page", "--out", out]  # fmt: skip
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Draws the figures of textbook.md.")
    parser.add_argument("linkwork", type=Path, help="the program, such as build/bin/linkwork")
    linkwork = parser.parse_args().linkwork.resolve()
    titles = {
        "none": "No stabilisation: the joints drift apart",
        "baumgarte": "Baumgarte, α = β = 5 s⁻¹: the errors die out with the motion",
        "projection": "Projection: the joints stay closed to round-off",
    }
    folder = GUIDE / "figures"
    folder.mkdir(exist_ok=True)
    for stabilisation, title in titles.items():
        columns = run(linkwork, stabilisation, until=20)
        units = {"position": "m", "velocity": "m/s", "acceleration": "m/s²"}
        curves = [Curve(level, unit, columns[f"violation.{level}"]) for level, unit in units.items()]
        (folder / f"norms_{stabilisation}.svg").write_text(draw(title, columns["time"], curves))


if __name__ == "__main__":
    main()
