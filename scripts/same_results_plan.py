"""What same_results runs: the commands whose outcomes are compared."""

from __future__ import annotations

import dataclasses
import itertools
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ONCE = "once"
RESUMED = "resumed"  # cut off in the middle, and gone on with
COUNTED = "counted"  # instructions, by callgrind

SAMPLES = 40  # of a run, so that those of a commit need no more than some 100 MB


@dataclass(frozen=True)
class Case:
    """One command; its arguments follow the program's name, and models are models/NAME.toml."""

    part: str
    arguments: tuple[str, ...]
    how: str = ONCE

    @property
    def command(self) -> str:
        return " ".join(self.arguments)

    @property
    def name(self) -> str:
        return self.command + ("" if self.how == ONCE else f" ({self.how})")


@dataclass(frozen=True)
class Model:
    name: str
    horizon: float
    spatial: bool

    @property
    def path(self) -> str:
        return f"models/{self.name}.toml"


@dataclass(frozen=True)
class Method:
    formulation: str
    stabilisation: str
    integrator: str


def read_models(folder: Path) -> list[Model]:
    out = []
    for path in sorted(folder.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        out.append(Model(path.stem, float(content["check_horizon"]), content.get("space") == "spatial"))
    return out


def read_methods(table: dict[str, list[dict[str, object]]]) -> list[Method]:
    """Those that go together, from what "linkwork methods --json" prints."""
    rows = (row for row in table["methods"] if row["admissible"])
    return [Method(str(row["formulation"]), str(row["stabilisation"]), str(row["integrator"])) for row in rows]


def some(models: list[Model], *names: str) -> list[Model]:
    return [model for model in models if model.name in names]


# ---- runs ------------------------------------------------------------------------------------------------------------

# With these every formulation and stabilisation is run on every model.
INTEGRATORS = ("dopri5", "radau5", "generalized_alpha", "ida", "gauss4", "rattle")
# Methods of low order would take a million steps at the tolerances of the others.
TIGHT = ("--rtol", "1e-10", "--atol", "1e-12")
TOLERANCES = {"generalized_alpha": ("--rtol", "1e-5", "--atol", "1e-7"), "ida": ("--rtol", "1e-7", "--atol", "1e-9")}
FIXED = ("rk4", "explicit_step", "euler", "bdf2", "gauss4", "rattle")
FIXED_STEPS = 400  # up to the horizon
PART_OF_HORIZON = {("governor", "ida"): 0.2}  # of runs that would take a minute

# In the plane and in space, trees and loops, loads with corners, rows that depend on others.
TELLING = ("cable_pendulum", "crank_slider_rocker", "double_pendulum", "four_bar", "parallelogram_three_cranks", "rssr")
LOOPS = ("four_bar", "n_four_bar_repeat", "parallelogram_three_cranks", "stephenson_six_bar", "rssr", "bricard", "crank_slider", "massless_coupler")


def simulate(model: Model, method: Method, *more: str, how: str = ONCE) -> Case:
    until = model.horizon * PART_OF_HORIZON.get((model.name, method.integrator), 1.0)
    if method.integrator in FIXED:
        steps: tuple[str, ...] = ("--step", f"{until / FIXED_STEPS:.12g}")
    else:
        steps = TOLERANCES.get(method.integrator, TIGHT)
    every = until / 16 if how == RESUMED else 0.0
    return Case(
        "runs",
        (
            *("simulate", model.path),
            *("--formulation", method.formulation, "--stabilisation", method.stabilisation, "--integrator", method.integrator),
            *("--until", f"{until:.12g}", "--output-step", f"{until / SAMPLES:.12g}"),
            *("--columns", "all", "--no-page", "--out", "out", "--checkpoint-every", f"{every:.12g}"),
            *steps,
            *more,
        ),
        how,
    )


def nudged(case: Case) -> Case | None:
    """The same run with a tolerance that is another by 1e-12 of itself: what it changes is what round-off may change."""
    if "--rtol" not in case.arguments:
        return None
    at = case.arguments.index("--rtol") + 1
    nudge = repr(float(case.arguments[at]) * (1.0 + 1e-12))
    return dataclasses.replace(case, arguments=(*case.arguments[:at], nudge, *case.arguments[at + 1 :]))


def resumed_runs(models: list[Model], methods: list[Method]) -> Iterator[Case]:
    """Two of the methods for each model, so that in the end all have been resumed somewhere."""
    turn = itertools.cycle(methods)
    for model in models:
        for method in itertools.islice(turn, 2):
            yield simulate(model, method, how=RESUMED)
    for model in some(models, *TELLING):
        for formulation in sorted({method.formulation for method in methods}):
            yield simulate(model, Method(formulation, "projection", "dopri5"), how=RESUMED)


def generated_runs(models: list[Model], methods: list[Method]) -> Iterator[Case]:
    """With one of the formulations for each model, with all for some."""
    fitting = [method for method in methods if method.stabilisation in ("none", "projection") and method.integrator == "dopri5"]
    turn = itertools.cycle(fitting)
    for model in models:
        yield simulate(model, next(turn), "--generated")
    for model, method in itertools.product(some(models, *TELLING), fitting):
        yield simulate(model, method, "--generated")


def hamiltonian_runs(models: list[Model], methods: list[Method]) -> Iterator[Case]:
    own = [method for method in methods if method.formulation == "hamiltonian" and method.integrator in ("dopri5", "rattle")]
    for model, method in itertools.product(models, own):
        yield simulate(model, method, "--opening", "split_bodies")
    for model, method in itertools.product(some(models, *LOOPS), own):
        for variant in ("one_gauge", "printed", "iteration", "krylov"):
            yield simulate(model, method, "--variant", variant)
        for variant in ("one_gauge", "quarter"):
            yield simulate(model, method, "--variant", variant, "--opening", "split_bodies")


def other_runs(models: list[Model]) -> Iterator[Case]:
    """Planar models taken to space, and the options that the runs above leave at their defaults."""
    usual = Method("absolute", "projection", "dopri5")
    for model in models:
        if not model.spatial:
            for formulation in ("absolute", "recursive", "hamiltonian"):
                yield simulate(model, Method(formulation, "projection", "dopri5"), "--space", "spatial")
        yield simulate(model, usual, "--format", "csv,hdf5")
    for model in some(models, *TELLING):
        yield simulate(model, Method("absolute", "baumgarte", "dopri5"), "--alpha", "10", "--beta", "20")
        penalty = ("--penalty", "1e5", "--omega", "20", "--mu", "0.7")
        yield simulate(model, Method("recursive", "augmented_lagrangian", "dopri5"), *penalty)
        yield simulate(model, Method("absolute", "index3", "generalized_alpha"), "--rho", "0.5")
        yield simulate(model, Method("absolute", "projection", "rk4"), "--time-rule", "accumulate_time")
        yield simulate(model, usual, "--max-step", f"{model.horizon / 300:.12g}", "--reaction-length", "0.3")
        yield simulate(model, usual, "--json", "--fail-if", "steps > 10 and drift < 1")
        yield Case("runs", ("simulate", model.path, "--no-page", "--out", "out"))


def runs(models: list[Model], methods: list[Method], quick: bool) -> Iterator[Case]:
    integrators = ("dopri5",) if quick else INTEGRATORS
    for model in models:
        for method in methods:
            if method.integrator in integrators or (not quick and model.name in TELLING):
                yield simulate(model, method)
    tried = [method for method in methods if method.integrator in integrators]
    yield from resumed_runs(models, tried)
    yield from generated_runs(models, tried)
    yield from hamiltonian_runs(models, tried)
    yield from other_runs(models)


# ---- the other verbs -------------------------------------------------------------------------------------------------

VERBS = ("check", "assemble", "simulate", "compare", "explain", "equations", "linearize", "modes", "kinematics", "inverse", "statics", "view")
LINKAGE_FORMS = ("rud", "statement1", "statement2", "statement3", "statement4", "statement5", "statement6", "sweep", "elimination")
FORMS = (*LINKAGE_FORMS, "recursive", "hamiltonian", "absolute")
TASKS = ("forward", "inverse", "mass-matrix", "linear", "reactions")
FORMATS = ("text", "latex", "mathml", "c", "cpp", "python", "matlab", "julia")


def of_each_model(model: Model) -> Iterator[tuple[str, ...]]:
    later = ("--at", f"{model.horizon / 7:.12g}")
    yield from (("check",), ("check", "--json"), ("check", "--mobility"), ("check", "--mobility", "--json"))
    yield from (("assemble",), ("assemble", "--json"), ("assemble", "--nearest", "--reaction-length", "0.3"))
    yield from (("explain",), ("explain", "--symbolic"), ("explain", "--format", "latex"), ("explain", *later))
    yield from (("explain", "--formulation", "hamiltonian"), ("explain", "--formulation", "hamiltonian", "--opening", "split_bodies"))
    yield from (("linearize", "--json"), ("linearize", "--at-equilibrium"), ("linearize", "--second-order", "--json", *later))
    yield from (("modes", "--json"), ("modes", "--at-equilibrium"), ("modes", *later))
    yield from (("statics",), ("statics", "--json", *later))
    for verb in ("kinematics", "inverse"):
        yield (verb, "--no-page", "--out", "out", "--output-step", f"{model.horizon / SAMPLES:.12g}", "--until", f"{model.horizon:.12g}")
    yield from (("equations",), ("equations", "--json"), ("equations", "--counts"))
    for form in ("recursive", "hamiltonian", "absolute"):
        yield ("equations", "--form", form, "--format", "c")
    if not model.spatial:
        for verb in ("check", "assemble"):
            yield (verb, "--space", "spatial", "--json")


def of_some_models(models: list[Model]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(verb, model, options)"""
    for model in some(models, *TELLING, *LOOPS, "stewart_platform", "jansen_leg"):
        yield "assemble", model.path, ("--branches",)
        yield "assemble", model.path, ("--branches", "--json")
    for model in some(models, "double_pendulum", "four_bar", "stephenson_six_bar", "four_bar_grashof"):
        for form in LINKAGE_FORMS:
            yield "explain", model.path, ("--form", form)
    for model in some(models, "double_pendulum", "four_bar", "crank_slider", "swinging_bracket"):
        for form, task in itertools.product(FORMS, TASKS):
            yield "equations", model.path, ("--form", form, "--for", task)
    for model in some(models, "double_pendulum", "four_bar"):
        for form, written in itertools.product(FORMS, FORMATS):
            yield "equations", model.path, ("--form", form, "--format", written, "--output", "out.txt")
        for style, letters in itertools.product(("printed", "vectors", "sweep"), ("links", "model")):
            yield "equations", model.path, ("--form", "rud", "--style", style, "--letters", letters, "--no-torques")
        yield "equations", model.path, ("--symbols", "none", "--format", "python")
        yield "equations", model.path, ("--form", "hamiltonian", "--opening", "split_bodies", "--counts", "--json")
    for model in some(models, "crank_slider", "four_bar"):
        sweep = ("--drive", "O", "--from", "0.3", "--to", "1.1", "--steps", "40", "--no-page", "--out", "out")
        yield "kinematics", model.path, sweep
        yield "kinematics", model.path, (*sweep, "--json", "--format", "csv,hdf5", "--transmission", "B")
    for model in some(models, *TELLING):
        yield "compare", model.path, ("--until", f"{0.1 * model.horizon:.12g}", "--no-page", "--out", "out", "--report", "report.md")
        both = ("--stabilisations", "all", "--integrators", "dopri5,radau5,rk4", "--step", f"{model.horizon / 1e3:.12g}")
        yield "compare", model.path, (*both, "--until", f"{0.05 * model.horizon:.12g}", "--no-page", "--out", "out", "--json")
    for model in some(models, "four_bar"):
        yield "compare", model.path, ("--until", "0.5", "--converge", "--within", "1e-12", "--no-page", "--out", "out")


def verbs(models: list[Model]) -> Iterator[Case]:
    for arguments in (("--help",), ("--version",), ("methods",), ("methods", "--json"), ("check", "models/README.md")):
        yield Case("verbs", arguments)
    for verb in VERBS:
        yield Case("verbs", (verb, "--help"))
        if verb != "view":  # which says first whether the program was built with the page
            yield Case("verbs", (verb, "models/none_such.toml"))
        yield Case("verbs", (verb, "models/four_bar.toml", "--no-such-option"))
    for model in models:
        for verb, *options in of_each_model(model):
            yield Case("verbs", (verb, model.path, *options))
    for verb, path, options in of_some_models(models):
        yield Case("verbs", (verb, path, *options))


# ---- instructions ----------------------------------------------------------------------------------------------------

# A loop in the plane, a long chain, several loops with loads, a loop in space, redundant rows in space.
COUNTED_MODELS = ("four_bar", "pendulum_chain", "stephenson_six_bar", "rssr", "bricard")
COUNTED_STEPS = (40, 160)
COUNTED_METHODS = (
    *(Method(formulation, "projection", "rk4") for formulation in ("absolute", "recursive", "linkage", "hamiltonian")),
    *(Method(formulation, "ggl", "radau5") for formulation in ("absolute", "recursive")),
)


def counted(models: list[Model]) -> Iterator[tuple[Model, Method, Case, Case]]:
    """A shorter and a longer run: what lies between are evaluations, and what goes with them in a step."""
    for model, method in itertools.product(some(models, *COUNTED_MODELS), COUNTED_METHODS):
        step = model.horizon / 1000
        pair = []
        for steps in COUNTED_STEPS:
            until = f"{steps * step:.12g}"
            options = ("--formulation", method.formulation, "--stabilisation", method.stabilisation, "--integrator", method.integrator)
            tolerance = ("--step", f"{step:.12g}") if method.integrator in FIXED else ("--rtol", "1e-6", "--atol", "1e-8")
            times = ("--until", until, "--output-step", until, "--checkpoint-every", "0")
            arguments = ("simulate", model.path, *options, *tolerance, *times, "--no-page", "--out", "out")
            pair.append(Case("instructions", arguments, COUNTED))
        yield model, method, pair[0], pair[1]


def plan(models: list[Model], methods: list[Method], parts: list[str], quick: bool) -> list[Case]:
    """All commands of the parts, each once."""
    taken = models[::3] if quick else models
    out: list[Case] = []
    if "runs" in parts:
        out.extend(runs(taken, methods, quick))
    if "verbs" in parts:
        out.extend(verbs(taken))
    if "instructions" in parts:
        for _, _, shorter, longer in counted(models):
            out.extend((shorter, longer))
    return list(dict.fromkeys(out))
