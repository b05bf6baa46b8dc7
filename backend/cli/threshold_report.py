"""The thresholds of a result: exit code and text."""

from __future__ import annotations

from typing import Any, Final

from backend.cli.failure import INCONCLUSIVE, OK, THRESHOLD_FAILED
from backend.core.plan.states import RUN_ENDED

_LABELS: Final = {"pass": "pass", "fail": "FAIL", "not_enough_evidence": "not enough evidence"}
_WIDTH: Final = max(map(len, _LABELS.values()))


def threshold_exit_code(model: dict[str, Any], strict: bool) -> int:
    """99 if a threshold is not met; with `strict`, 4 if the evidence is not sufficient; else 0.

    The figures of a run that has not ended are provisional: not sufficient. With `strict`, a run with a
    suspect A/A check never passes, with or without thresholds.
    """
    gate = model["gate"]
    suspect = any(check["suspect"] for check in model["duplicates"])
    if gate is None:
        return INCONCLUSIVE if strict and suspect else OK
    if model["state"] in RUN_ENDED and gate["outcome"] != "not_enough_evidence":
        return OK if gate["outcome"] == "pass" else THRESHOLD_FAILED
    return INCONCLUSIVE if strict else OK


def thresholds_text(gate: dict[str, Any] | None) -> str:
    """Each threshold with its outcome and the cells that do not pass."""
    if gate is None:
        return ""
    lines = [f"Thresholds: {_LABELS[gate['outcome']]}"]
    for rule in gate["rules"]:
        lines.append(f"  {_LABELS[rule['outcome']]:<{_WIDTH}}  {rule['threshold']}")
        lines += [
            f"  {'':<{_WIDTH}}  {cell['sentence']}" for cell in rule["cells"] if cell["outcome"] != "pass"
        ]
        lines.append(f"  {'':<{_WIDTH}}  {rule['sentence']}")
    return "\n".join(lines)
