"""What same_results takes for no difference: what is meant to change between two commits, and what changes from call to call."""

from __future__ import annotations

from dataclasses import dataclass

ADDED = "added"  # a line, key, column or file that NEW has and OLD has not
REORDERED = "reordered"  # a list of named entries that may stand in another order
CHANGED = "changed"  # a line, key or column that may be another
JUMP = "jump"  # a second sample at one time, or two at a time where OLD has none
CHANGED_BY_JUMPS = "changed by jumps"  # a line or key that may be another where the same command has such samples


@dataclass(frozen=True)
class Meant:
    kind: str
    command: str  # regular expression, searched for in the command line
    place: str  # searched for in "FILE: LINE", in the path of a key (ledger.steps.accepted), in the head of a column
    reason: str


# Once a change has landed and OLD is a commit that has it, its line goes.
MEANT = [
    Meant(JUMP, r"^(simulate|kinematics|inverse) ", r"\.csv$", "the samples left and right of a jump"),
    Meant(
        CHANGED_BY_JUMPS,
        r"^(simulate|kinematics|inverse) ",
        r"^samples$|output_evaluations$|evaluations for output|[▁▂▃▄▅▆▇█]",
        "the samples left and right of a jump",
    ),
    Meant(REORDERED, r"^(simulate|kinematics|inverse) ", r"^mechanics\.actions$", "loads on a body in the order of the file"),
    Meant(ADDED, r"^(simulate|kinematics|inverse|compare) ", r"^head of [^:]*: # |^settings\.|\.settings\.", "new settings"),
    Meant(ADDED, r" --help$", r"^stdout: ", "new settings"),
    Meant(ADDED, r" --no-such-option$", r"^stderr: ", "--set on every verb that reads a model"),
    Meant(ADDED, r"^(simulate|kinematics|inverse|compare) ", r"energy\.possible$|energy exchanged, possible", "the energy that is possible"),
    Meant(CHANGED, r"^(simulate|kinematics|inverse) ", r"energy exchanged", "the energy that is possible"),
    Meant(CHANGED, r"^compare ", r"differences|greatest|over_time|parts|verdict|stdout: |\.csv|\.svg", "small motions by what is possible"),
    Meant(ADDED, r"^modes ", r"^stability$", "what grows and what is neutral"),
    Meant(CHANGED, r"^modes ", r"^stdout: at t = |modes\.sentence", "what grows and what is neutral"),
]

# Of a run whose tolerance is nudged.
NUDGED = Meant(CHANGED, r"^simulate ", r"\brtol\b", "nudged")

# (command, file, pattern, what stands for it): what the clock or the place of a folder decides.
VOLATILE = [
    (r"^compare ", r"\.json$|^stdout$", r'"seconds": [-+.\de]+', '"seconds": 0'),
    (r"^compare ", r"^stdout$|\.md$", r" [-+.\de]+ s( \|)?$", " time"),
]
