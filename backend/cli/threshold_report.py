"""What the gate of a result means for the exit code, and how it reads on a terminal."""

from __future__ import annotations

from typing import Any, Final

from backend.cli.failure import INCONCLUSIVE, OK, THRESHOLD_FAILED
from backend.core.plan.states import RUN_ENDED

_WORDS: Final = {"pass": "pass", "fail": "FAIL", "not_enough_evidence": "not enough evidence"}
_WIDTH: Final = max(map(len, _WORDS.values()))


def threshold_exit_code(model: dict[str, Any], strict: bool) -> int:
    """99 where a threshold is not met; with `strict` 4 where that cannot be told, or not yet.

    A run that goes on neither fails nor, with `strict`, passes: its figures are provisional. With `strict` a
    run whose A/A check is suspect never passes, with thresholds or without. Otherwise there is nothing to
    judge without thresholds, and without `strict` only a failure is more than a remark: 0.
    """
    gate = model["gate"]
    suspect = any(check["suspect"] for check in model["duplicates"])
    if gate is None:
        return INCONCLUSIVE if strict and suspect else OK
    if model["state"] in RUN_ENDED and gate["outcome"] != "not_enough_evidence":
        return OK if gate["outcome"] == "pass" else THRESHOLD_FAILED
    return INCONCLUSIVE if strict else OK


def thresholds_text(gate: dict[str, Any] | None) -> str:
    """Each threshold with its outcome, and below it the cells that keep it from passing."""
    if gate is None:
        return ""
    lines = [f"Gate: {_WORDS[gate['outcome']]}"]
    for rule in gate["rules"]:
        lines.append(f"  {_WORDS[rule['outcome']]:<{_WIDTH}}  {rule['threshold']}")
        lines += [
            f"  {'':<{_WIDTH}}  {cell['sentence']}" for cell in rule["cells"] if cell["outcome"] != "pass"
        ]
        lines.append(f"  {'':<{_WIDTH}}  {rule['sentence']}")
    return "\n".join(lines)
