"""The public part of a result: nothing that names the host, its addresses, users or directories."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

from backend.core.chart.model.chart_model import ChartModel
from backend.core.definition.text import printable
from backend.core.sample import environment

FACTS: Final = frozenset(
    (
        environment.OS,
        environment.KERNEL,
        environment.ARCHITECTURE,
        environment.CPU,
        environment.CORES,
        environment.MEMORY,
        environment.CLOCKSOURCE,
        environment.CPU_GOVERNOR,
        environment.CGROUP_VERSION,
        environment.IRQ_TIME,
        environment.IMAGE,
        "postgres",
        "pgbench",
    )
)
PREFIXES: Final = (environment.SYSCTL, environment.SERVER, environment.ENGINE)
_PATH: Final = re.compile(r"(?<![\w/.:])/(?:[\w.@+-]++/)+[\w.@+-]*+")
_HIDDEN: Final = "(a path on the host)"


def public(body: bytes, failure_details: Collection[str]) -> bytes:
    """The part of a result that a share link may show, as JSON.

    Removed are the `failure_details` of the run's failed trials (their codes stay), paths of the host's file
    system in any text, and facts of the environment other than FACTS and PREFIXES.
    """
    model = ChartModel.model_validate_json(body)
    kept = {
        name: value for name, value in model.environment.items() if name in FACTS or name.startswith(PREFIXES)
    }
    details = sorted({printable(detail) for detail in failure_details if detail}, key=len, reverse=True)
    shown = _without(model.model_dump(mode="json") | {"environment": kept}, details)
    return ChartModel.model_validate(shown).model_dump_json().encode()


def _without(value: Any, details: Collection[str]) -> Any:
    if isinstance(value, str):
        for detail in details:
            value = value.replace(f": {detail}", "")
        return _PATH.sub(_HIDDEN, value)
    if isinstance(value, dict):
        return {name: _without(item, details) for name, item in value.items()}
    return [_without(item, details) for item in value] if isinstance(value, list) else value
