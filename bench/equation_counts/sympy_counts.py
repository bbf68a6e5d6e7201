#!/usr/bin/env python3
"""How many operations SymPy needs for the equations of motion of a few mechanisms, every parameter a letter.

Kane's method, then common subexpressions (`cse`, plain and with its basic optimisations; the better of the two counts). Prints
one line of JSON per mechanism: the operations of the mass matrix (upper triangle) and of the forcing vector, with and without
what depends on parameters alone, and those of solving the linear system by L D L^T. Needs sympy (see requirements.txt).
"""
import json
import sys

import sympy
from sympy.physics import mechanics as me


class Tree:
    """Links hung on each other; link k at the far end of link parents[k], or on the ground (-1)."""

    def __init__(self, parents, along, gravity, axis_of, absolute, inertia_of, centre_of):
        n = len(parents)
        self.parents = parents
        self.q = me.dynamicsymbols(f"q1:{n + 1}")
        self.u = me.dynamicsymbols(f"u1:{n + 1}")
        ground = me.ReferenceFrame("N")
        origin = me.Point("O")
        origin.set_vel(ground, 0)
        g = sympy.Symbol("g")
        mass = sympy.symbols(f"m1:{n + 1}")
        length = sympy.symbols(f"l1:{n + 1}")
        frames, ends, bodies, loads = [], [], [], []
        for k, parent in enumerate(parents):
            below = ground if parent < 0 else frames[parent]
            hinge = origin if parent < 0 else ends[parent]
            reference = ground if absolute else below
            frame = reference.orientnew(f"L{k + 1}", "Axis", [self.q[k], getattr(reference, axis_of(k))])
            frame.set_ang_vel(reference, self.u[k] * getattr(reference, axis_of(k)))
            direction = getattr(frame, along)
            centre = hinge.locatenew(f"C{k + 1}", centre_of(k, length[k]) * direction)
            end = hinge.locatenew(f"E{k + 1}", length[k] * direction)
            for point in (centre, end):
                point.v2pt_theory(hinge, ground, frame)
            dyadic = me.inertia(frame, *inertia_of(k, mass[k], length[k]))
            bodies.append(me.RigidBody(f"B{k + 1}", centre, frame, mass[k], (dyadic, centre)))
            loads.append((centre, -mass[k] * g * getattr(ground, gravity)))
            frames.append(frame)
            ends.append(end)
        kinematic = [q.diff(me.dynamicsymbols._t) - u for q, u in zip(self.q, self.u)]
        kane = me.KanesMethod(ground, q_ind=self.q, u_ind=self.u, kd_eqs=kinematic)
        kane.kanes_equations(bodies, loads)
        matrix = kane.mass_matrix
        self.expressions = [matrix[i, j] for i in range(n) for j in range(i, n)] + list(kane.forcing)


def plane(parents, rods=False):
    if rods:
        return Tree(parents, "x", "y", lambda k: "z", True, lambda k, m, l: (0, 0, m * l**2 / 12), lambda k, l: l / 2)
    return Tree(parents, "x", "y", lambda k: "z", True, lambda k, m, l: (0, 0, sympy.Symbol(f"J{k + 1}")),
                lambda k, l: sympy.Symbol(f"c{k + 1}"))


def arm(axes):
    return Tree(list(range(-1, len(axes) - 1)), "z", "z", lambda k: axes[k], False,
                lambda k, m, l: sympy.symbols(f"Jx{k + 1} Jy{k + 1} Jz{k + 1}"), lambda k, l: sympy.Symbol(f"c{k + 1}"))


class Count:
    """Multiplications, additions, divisions, sines and cosines. A square is one product, a sign is free.

    Parts whose symbols are all in `constant` are left out: they are computed once for a mechanism.
    """

    def __init__(self, constant=frozenset()):
        self.mul = self.add = self.div = self.trig = 0
        self.constant = constant

    def is_constant(self, e):
        return not e.atoms(sympy.Function) and e.free_symbols <= self.constant

    def of(self, e):
        parts = [e]
        while parts:
            part = parts.pop()
            if self.constant and self.is_constant(part):
                continue
            parts += part.args
            if part.is_Add:
                self.add += len(part.args) - 1
            elif part.is_Mul:
                if self.constant:
                    # Constant factors, and constant terms of a sum, are one number that is there already.
                    known = [a for a in part.args if self.is_constant(a)]
                    factors = [a for a in part.args if a not in known] + ([known[0]] if any(a != -1 for a in known) else [])
                else:
                    factors = [a for a in part.args if a != -1]
                below = [a for a in factors if a.is_Pow and a.exp.is_number and a.exp.is_negative]
                above = len(factors) - len(below)
                self.div += len(below)
                self.mul += max(0, above - 1)
            elif part.is_Pow:
                self.mul += max(0, abs(int(part.exp)) - 1)
            elif isinstance(part, (sympy.sin, sympy.cos)):
                self.trig += 1
        return self

    def key(self):
        return self.mul + self.div + self.add


def counted(expressions, parameters=frozenset(), **options):
    replaced, reduced = sympy.cse(expressions, symbols=sympy.numbered_symbols("x"), **options)
    count = Count(set(parameters))
    for symbol, value in replaced:
        if parameters and count.is_constant(value):
            count.constant.add(symbol)
        else:
            count.of(value)
    for e in reduced:
        count.of(e)
    return count


def best_of(expressions, parameters=frozenset()):
    ways = (counted(expressions, parameters), counted(expressions, parameters, optimizations="basic"))
    best = min(ways, key=Count.key)
    return {"mul": best.mul, "add": best.add, "div": best.div, "trig": best.trig}


def solve_count(parents):
    """L D L^T from the leaves to the roots and its two substitutions, zeros between branches left out."""
    count = {"mul": 0, "add": 0, "div": 0}
    for k in range(len(parents)):
        carriers = 0
        while parents[k] >= 0:
            k = parents[k]
            carriers += 1
        updates = carriers * (carriers + 1) // 2 + 2 * carriers
        count["mul"] += updates
        count["add"] += updates
        count["div"] += carriers + 1
    return count


CASES = {
    "double rods": lambda: plane([-1, 0], rods=True),
    "chain of 3": lambda: plane([-1, 0, 1]),
    "chain of 6": lambda: plane([-1, 0, 1, 2, 3, 4]),
    "chain of 10": lambda: plane(list(range(-1, 9))),
    "fork of 3": lambda: plane([-1, 0, 0]),
    "arm with 6 hinges": lambda: arm("zyyxyx"),
}


def main():
    names = sys.argv[1:] or list(CASES)
    for name in names:
        tree = CASES[name]()
        parameters = set().union(*(e.free_symbols for e in tree.expressions)) - {me.dynamicsymbols._t}
        print(json.dumps({"case": name, "sympy": sympy.__version__, "links": len(tree.q), "all": best_of(tree.expressions),
                          "moving": best_of(tree.expressions, parameters), "solve": solve_count(tree.parents)}), flush=True)


if __name__ == "__main__":
    main()
