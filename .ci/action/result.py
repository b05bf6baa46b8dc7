"""Prints a part of what `plimsoll run --follow --json` printed: result.py FILE outcome|thresholds."""

import json
import sys

LABELS = {"pass": "pass", "fail": "FAIL", "not_enough_evidence": "not enough evidence"}


def outcome(result):
    """The outcome of all thresholds; none without thresholds."""
    return "none" if result["gate"] is None else result["gate"]["outcome"]


def thresholds(result):
    """The thresholds as a list in Markdown, each with the cells that do not pass."""
    lines = []
    for rule in (result["gate"] or {"rules": ()})["rules"]:
        lines.append(f"- **{label(rule)}** {code(rule['threshold'])}: {code(rule['sentence'])}")
        lines += [f"  - {code(cell['sentence'])}" for cell in rule["cells"] if cell["outcome"] != "pass"]
    return "\n".join([*lines, ""]) if lines else ""


def label(rule):
    """The outcome of a threshold; a later server may have further ones."""
    return LABELS.get(rule["outcome"], code(rule["outcome"]))


def code(text):
    """Text that Markdown does not interpret."""
    return "`" + str(text).replace("`", "'").replace("\n", " ") + "`"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123 - the runner's Python may be old
        found = json.load(file)["result"]
    print({"outcome": outcome, "thresholds": thresholds}[sys.argv[2]](found))
