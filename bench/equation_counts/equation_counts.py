#!/usr/bin/env python3
"""Operations of Linkwork's equations beside SymPy's, every parameter a letter: a table for docs/benchmarks.md.

usage: equation_counts.py LINKWORK PYTHON

LINKWORK is the program, PYTHON an interpreter that has the packages of requirements.txt. Same inputs for both: angles and rates, no
torques in the joints. Forward dynamics; for SymPy the solution of the linear system is added.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

PLANE = {"double rods": [-1, 0], "chain of 3": [-1, 0, 1], "chain of 6": list(range(-1, 5)), "chain of 10": list(range(-1, 9)),
         "fork of 3": [-1, 0, 0]}
ARM = "zyyxyx"
TRIG = 10  # what a sine or cosine costs, in other operations, where forms are compared
AXES = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}


def parameters(links, names):
    lines = ['g = "9.81 m/s^2"']
    for k in range(1, links + 1):
        for name, (size, unit) in names.items():
            lines.append(f'{name}{k} = "{size + 0.01 * k:.6g} {unit}"')
    return lines


def plane_model(name, parents):
    rods = name == "double rods"
    names = {"m": (1, "kg"), "l": (0.5, "m")} | ({} if rods else {"c": (0.2, "m"), "J": (0.1, "kg*m^2")})
    lines = ["linkwork = 1", 'space = "planar"', 'gravity = [0, "-g"]', "[parameters]"] + parameters(len(parents), names)
    lines += ["[points]", "O = [0, 0]", "[bodies]"]
    for k in range(1, len(parents) + 1):
        inertia = f'com = ["l{k}/2", 0], inertia = "m{k}*l{k}^2/12"' if rods else f'com = ["c{k}", 0], inertia = "J{k}"'
        lines.append(f'b{k} = {{ position = [0, 0], mass = "m{k}", {inertia}, points = {{ O = [0, 0], E = ["l{k}", 0] }} }}')
    lines.append("[joints]")
    for k, parent in enumerate(parents, 1):
        lines.append(f'h{k} = {{ revolute = ["{"ground.O" if parent < 0 else f"b{parent + 1}.E"}", "b{k}.O"] }}')
    return "\n".join(lines) + "\n"


def arm_model():
    names = {"m": (1, "kg"), "l": (0.5, "m"), "c": (0.2, "m"), "Jx": (0.1, "kg*m^2"), "Jy": (0.12, "kg*m^2"), "Jz": (0.08, "kg*m^2")}
    lines = ["linkwork = 1", 'space = "spatial"', 'gravity = [0, 0, "-g"]', "[parameters]"] + parameters(len(ARM), names)
    lines += ["[points]", "O = [0, 0, 0]", "[bodies]"]
    for k in range(1, len(ARM) + 1):
        lines.append(f'b{k} = {{ position = [0, 0, 0], mass = "m{k}", com = [0, 0, "c{k}"], '
                     f'inertia = {{ xx = "Jx{k}", yy = "Jy{k}", zz = "Jz{k}" }}, '
                     f'points = {{ O = [0, 0, 0], E = [0, 0, "l{k}"] }} }}')
    lines.append("[joints]")
    for k, axis in enumerate(ARM, 1):
        lines.append(f'h{k} = {{ revolute = ["{"ground.O" if k == 1 else f"b{k - 1}.E"}", "b{k}.O"], axis = {AXES[axis]} }}')
    return "\n".join(lines) + "\n"


def cheapest(linkwork, model):
    """The form with the fewest operations, as it stands in the program's own table."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(model)
        text = subprocess.run([linkwork, "equations", path, "--counts", "--no-torques", "--letters", "model"], check=True, capture_output=True,
                              text=True).stdout
    rows = []
    for line in text.splitlines():
        counts = re.findall(r"(\d+)/(\d+)/(\d+)/(\d+)", line)
        if len(counts) >= 2 and " rows" not in line:  # loop equations would come on top
            moving, constant = ([int(n) for n in c] for c in counts[:2])
            rows.append((sum(moving[:3]) + TRIG * moving[3], line.split("  ")[0], moving, constant))
    return min(rows)


def words(mul, add, trig):
    return f"{mul} / {add} / {trig}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    linkwork, python = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    sympy = {}
    for line in subprocess.run([python, os.path.join(here, "sympy_counts.py")], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        row = json.loads(line)
        sympy[row["case"]] = row
    print("| mechanism | form | Linkwork, as it moves | with constants | SymPy, as it moves | with constants |")
    print("|---|---|---|---|---|---|")
    models = {name: plane_model(name, parents) for name, parents in PLANE.items()} | {"arm with 6 hinges": arm_model()}
    for name, model in models.items():
        _, form, moving, constant = cheapest(linkwork, model)
        theirs, solve = sympy[name], sympy[name]["solve"]
        solve_mul = solve["mul"] + solve["div"]
        cells = [words(moving[0] + moving[2], moving[1], moving[3]),
                 words(moving[0] + moving[2] + constant[0] + constant[2], moving[1] + constant[1], moving[3] + constant[3])]
        for part in ("moving", "all"):
            count = theirs[part]
            cells.append(words(count["mul"] + count["div"] + solve_mul, count["add"] + solve["add"], count["trig"]))
        print(f"| {name} | `{form}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
