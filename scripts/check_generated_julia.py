#!/usr/bin/env python3
"""Writes the equations of every model as Julia and parses them with the grammar of tree-sitter, which needs no Julia.

The grammar comes from PyPI into build/julia_grammar, once. Findings are printed as MODEL FORM: error: ...; the exit code is 1 when
there are any.

usage: check_generated_julia.py [PROGRAM]   (build/release/bin/linkwork when left out)
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GRAMMAR = ROOT / "build" / "julia_grammar"
PACKAGES = ["tree-sitter==0.26.0", "tree-sitter-julia==0.23.1"]
FORMS = ["rud", "statement3", "statement6", "sweep", "elimination", "recursive", "hamiltonian", "absolute"]


def python_with_grammar() -> str:
    python = GRAMMAR / "bin" / "python"
    if not python.exists() or subprocess.run([python, "-c", "import tree_sitter_julia"], capture_output=True, check=False).returncode != 0:
        venv.create(GRAMMAR, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True, timeout=300)
    return str(python)


def check(program: str) -> int:
    import tree_sitter_julia
    from tree_sitter import Language, Parser

    parser = Parser(Language(tree_sitter_julia.language()))
    if not parser.parse(b"function f(\n").root_node.has_error:
        print("the grammar takes anything: error: it found nothing wrong with half a function")
        return 1
    written = 0
    wrong = 0
    for model in sorted((ROOT / "models").glob("*.toml")):
        for form in FORMS:
            command = [program, "equations", str(model), "--form", form, "--format", "julia"]
            answer = subprocess.run(command, capture_output=True, check=False, timeout=300)
            if answer.returncode != 0:
                continue  # does not fit
            written += 1
            if parser.parse(answer.stdout).root_node.has_error:
                print(f"{model.stem} {form}: error: not Julia")
                wrong += 1
    print(f"note: {written} files, {wrong} wrong")
    return 1 if wrong or written == 0 else 0


def main() -> int:
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bin/linkwork")
    try:
        import tree_sitter_julia  # noqa: F401
    except ImportError:
        return subprocess.run([python_with_grammar(), __file__, program], check=False).returncode
    return check(program)


if __name__ == "__main__":
    sys.exit(main())
