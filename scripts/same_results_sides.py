"""The two programs that same_results compares: built from a commit or a work tree, asked, and their answers kept."""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from same_results_compare import Outcome
from same_results_plan import COUNTED, ONCE, RESUMED, Case

ROOT = Path(__file__).resolve().parent.parent
KEPT_VERSION = "1"  # of the way commands are run: another one makes all that was kept worthless
MOST_CPU_S = 120  # of one command; a clock on the wall would depend on what else the machine does
MOST_CPU_COUNTED_S = 600
CUT = 0.6  # of the checkpoints' bytes are left to a run that is gone on with
TOLD = re.compile(r"^==\d+== ?(.*)\n?", re.MULTILINE)  # by valgrind


@dataclass(frozen=True)
class Side:
    name: str
    program: Path
    models: Path
    folder: Path  # scratch, and what is kept
    keeps: bool  # a commit's answers are kept; a work tree may be another tomorrow


# ---- building --------------------------------------------------------------------------------------------------------


def git(*arguments: str) -> str:
    command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def default_folder() -> Path:
    """One for all work trees of this repository, so that a commit is built and run once."""
    try:
        common = Path(git("rev-parse", "--path-format=absolute", "--git-common-dir"))
    except (subprocess.CalledProcessError, FileNotFoundError):
        return ROOT / "build" / "same_results"
    return (common.parent if common.name == ".git" else ROOT) / "build" / "same_results"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """A second call waits until the first has built and run."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build(tree: Path, log: Path) -> Path:
    """The program of a work tree; a build folder that is configured already stays as it is."""
    folder = tree / "build" / "release"
    environment = {"CCACHE_BASEDIR": str(tree)} | os.environ  # so that trees share what is compiled
    commands = []
    if not (folder / "build.ninja").exists():
        commands.append(["cmake", "--preset", "release", "-DLINKWORK_TESTS=OFF", "-DLINKWORK_PAGE=OFF"])
    commands.append(["cmake", "--build", str(folder), "--target", "linkwork"])
    with log.open("w", encoding="utf-8") as file:
        for command in commands:
            if subprocess.run(command, cwd=tree, env=environment, stdout=file, stderr=subprocess.STDOUT, check=False).returncode != 0:
                raise SystemExit(f"same_results: {tree} cannot be built: see {log}")
    return folder / "bin" / "linkwork"


def side_of(argument: str, folder: Path) -> Side:
    """What OLD or NEW stands for: "." or another path of a work tree, a built program, or else a commit."""
    path = Path(argument)
    if (argument in (".", "..") or "/" in argument) and path.exists():
        path = path.resolve()
        own = folder / f"path_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
        own.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            near = [parent / "models" for parent in path.parents if (parent / "models").is_dir()]
            return Side(argument, path, near[0] if near else ROOT / "models", own, keeps=False)
        print(f"building {argument}", flush=True)
        return Side(argument, build(path, own / "build.log"), path / "models", own, keeps=False)
    try:
        commit = git("rev-parse", "--verify", "--quiet", f"{argument}^{{commit}}")
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"same_results: {argument} is neither a commit nor a path") from error
    own = folder / commit[:12]
    tree = own / "tree"
    with locked(own):
        if not tree.exists():
            git("worktree", "prune")
            git("worktree", "add", "--detach", str(tree), commit)
        print(f"building {argument} ({commit[:12]})", flush=True)
        return Side(argument, build(tree, own / "build.log"), tree / "models", own, keeps=True)


# ---- asking ----------------------------------------------------------------------------------------------------------


def run(
    side: Side, arguments: tuple[str, ...], folder: Path, how: str = ONCE, program: str = "./linkwork"
) -> tuple[int | None, str, str]:
    """Exit code (None: out of time), standard output and standard error of one call in the given folder."""
    most = MOST_CPU_COUNTED_S if how == COUNTED else MOST_CPU_S
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] if how == COUNTED else []
    command = ["/bin/sh", "-c", f'ulimit -t {most}; exec "$@"', "sh", *valgrind, program, *arguments]
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "CC", "LD_LIBRARY_PATH") if name in os.environ}
    environment |= {"LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": str(side.folder / "generated")}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=20 * most, check=False
        )
    except subprocess.TimeoutExpired:
        return None, "", ""
    code = None if done.returncode in (-9, -24) else done.returncode  # killed for its CPU time
    return code, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def cut_off(side: Side, case: Case, folder: Path) -> dict[str, str]:
    """Runs a case whose results find no place to be written, so that its checkpoints stay, and cuts these in the middle."""
    name = Path(case.arguments[1]).stem
    out = folder / case.arguments[case.arguments.index("--out") + 1]
    in_the_way = out / f"{name}.csv"
    in_the_way.mkdir(parents=True)
    code, said, told = run(side, case.arguments, folder, case.how)
    in_the_way.rmdir()
    checkpoint = out / f"{name}.checkpoint"
    if checkpoint.exists():
        os.truncate(checkpoint, int(CUT * checkpoint.stat().st_size))
    return {"code of the first part": str(code), "stdout of the first part": said, "stderr of the first part": told}


def ask(side: Side, case: Case) -> Outcome:
    scratch = side.folder / "scratch"
    scratch.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=scratch))
    try:
        (folder / "models").symlink_to(side.models)
        (folder / "linkwork").symlink_to(side.program)
        files = cut_off(side, case, folder) if case.how == RESUMED else {}
        more = ("--resume",) if case.how == RESUMED else ()
        code, said, told = run(side, case.arguments + more, folder, case.how)
        if case.how == COUNTED:
            collected = re.search(r"Collected : (\d+)", told)
            files["instructions"] = collected.group(1) if collected else ""
            told = TOLD.sub("", told)
        files |= {"stdout": said, "stderr": told}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                encoding = "latin-1" if path.suffix in (".h5", ".checkpoint") else "utf-8"
                files[str(path.relative_to(folder))] = path.read_bytes().decode(encoding, errors="replace")
        return Outcome(code, files)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kept_at(side: Side, case: Case) -> Path:
    key = hashlib.sha256("\n".join([KEPT_VERSION, case.how, *case.arguments]).encode()).hexdigest()[:24]
    return side.folder / "results" / f"{key}.json.gz"


def keep(side: Side, case: Case) -> None:
    """Asks, and writes down what is answered."""
    outcome = ask(side, case)
    path = kept_at(side, case)
    half = path.with_suffix(".half")
    with gzip.open(half, "wt", encoding="utf-8", compresslevel=3) as file:
        json.dump({"code": outcome.code, "files": outcome.files}, file)
    half.replace(path)


def kept_answer(side: Side, case: Case) -> Outcome:
    with gzip.open(kept_at(side, case), "rt", encoding="utf-8") as file:
        return Outcome(**json.load(file))


def forget(side: Side) -> None:
    """What another program may have answered that was there before."""
    if not side.keeps:
        shutil.rmtree(side.folder / "results", ignore_errors=True)


def prepare(side: Side, cases: list[Case], words: str = "") -> None:
    """Asks all that is not kept yet, in parallel."""
    with locked(side.folder):
        (side.folder / "results").mkdir(exist_ok=True)
        missing = [case for case in cases if not kept_at(side, case).exists()]
        kept = f", {len(cases) - len(missing)} kept" if len(missing) < len(cases) else ""
        print(f"running {side.name} {words}: {len(missing)} commands{kept}".replace(" :", ":"), flush=True)
        said = time.monotonic()
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for done, _ in enumerate(pool.map(lambda case: keep(side, case), missing), start=1):
                if time.monotonic() - said > 60.0:
                    said = time.monotonic()
                    print(f"  {done} of {len(missing)}", file=sys.stderr, flush=True)
