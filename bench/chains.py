#!/usr/bin/env python3
"""Chains in plane and space, by numbers and by written code, as a table of ratios for docs/benchmarks.md.

The benchmarks are run in rounds, one after the other, and the shortest time of each counts: what else the machine does then falls on all
alike.

usage: chains.py LINKWORK_BENCH [ROUNDS]
"""

from __future__ import annotations

import json
import subprocess
import sys

LINKS = [2, 4, 6, 8, 10, 12, 20, 50, 100]


def shortest(program: str, rounds: int) -> dict[str, float]:
    """Nanoseconds of each benchmark."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        text = subprocess.run(
            [program, "--benchmark_filter=^chain/", "--benchmark_min_time=0.03", "--benchmark_format=json"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for run in json.loads(text)["benchmarks"]:
            if not run.get("error_occurred"):
                best[run["name"]] = min(run["cpu_time"], best.get(run["name"], run["cpu_time"]))
    return best


def table(best: dict[str, float]) -> str:
    lines = ["| task | links | plane, ns | space / plane | numbers / written, plane | numbers / written, space |", "|---|---|---|---|---|---|"]

    def ratio(above: str, below: str) -> str:
        return f"{best[above] / best[below]:.1f}" if above in best and below in best else ""

    for task in ("forward", "inverse"):
        for links in LINKS:
            plane, space = f"chain/{task}/plane/{links}", f"chain/{task}/space/{links}"
            written = [ratio(f"chain/{task}/{where}/{links}", f"chain/{task}/{where}/written/{links}") for where in ("plane", "space")]
            lines.append(f"| {task} | {links} | {best[plane]:.0f} | {ratio(space, plane)} | {written[0]} | {written[1]} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(shortest(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10)))
