#!/usr/bin/env python3
"""Fits time = c * N^p, and bytes where they are counted, to benchmarks with a counter of their size ("windows" or
"unknowns"); reads the JSON that linkwork_bench writes.

usage: linkwork_bench --benchmark_format=json > bench.json; bench/exponent.py bench.json [--at-most 1.1]
"""

import argparse
import collections
import json
import math
import sys

kSizes = ("windows", "unknowns")
kSeconds = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def fit(points: list[tuple[float, float]]) -> float:
    """Least squares of log(time) over log(N): the exponent."""
    logs = [(math.log(n), math.log(t)) for n, t in points]
    mean_n = sum(n for n, _ in logs) / len(logs)
    mean_t = sum(t for _, t in logs) / len(logs)
    return sum((n - mean_n) * (t - mean_t) for n, t in logs) / sum((n - mean_n) ** 2 for n, _ in logs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--at-most", type=float, default=math.inf, help="fail when an exponent is above this")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as stream:
        runs = json.load(stream)["benchmarks"]
    families: dict[str, list[dict]] = collections.defaultdict(list)
    for run in runs:
        for size in kSizes:
            if size in run:
                families[run["name"].split("/iterations:")[0].rsplit("/", 1)[0], size].append(run)
    worst = -math.inf
    for (name, size), members in families.items():
        points = [(run[size], run["cpu_time"] * kSeconds[run["time_unit"]]) for run in members]
        print(f"{name}")
        for run, (count, seconds) in zip(members, points):
            keys = ("rows", "rank", "closure_m", "residual", "bytes", "evaluations", "error")
            extra = "  ".join(f"{key} {run[key]:.3g}" for key in keys if key in run)
            print(f"  {count:8.0f} {size}  {seconds * 1e6:12.1f} us  {seconds / count * 1e9:8.0f} ns each  {extra}")
        exponent = fit(points)
        worst = max(worst, exponent)
        print(f"  time grows as N^{exponent:.3f}")
        if all("bytes" in run for run in members):
            exponent = fit([(run[size], run["bytes"]) for run in members])
            worst = max(worst, exponent)
            print(f"  memory grows as N^{exponent:.3f}")
    return 0 if worst <= arguments.at_most else 1


if __name__ == "__main__":
    sys.exit(main())
