"""A group of runs as one JSON document: the values that its result is made of, and the result."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from backend.core.chart.across_hosts.build_hosts import HostGroup
from backend.core.chart.across_hosts.hosts_model import HostsResult
from backend.core.chart.compare_runs.compared_cells import to_json
from backend.core.definition.metrics import METRICS
from backend.core.export.methods import METHODS

SCHEMA: Final = "plimsoll.run-group/v1"


def hosts_document(group: HostGroup, results: Sequence[HostsResult]) -> dict[str, Any]:
    """The document, in JSON types only.

    `definition` and of each run its `figures` (cells with their values by metric and round, with every digit,
    and the environment) are the inputs; `results` has one HostsResult for each metric of the experiment.
    The records of each trial are in the runs' own exports.
    """
    metrics = [asdict(METRICS[name]) for name in group.experiment.metrics]
    return {
        "schema": SCHEMA,
        "provisional": not all(run.ended for run in group.runs),
        "group_id": group.group_id,
        "experiment_id": group.experiment_id,
        "definition": group.experiment.model_dump(mode="json"),
        "runs": [
            {
                "host": run.host,
                "run_id": run.run_id,
                "state": run.state,
                "started_at": run.started_at,
                "figures": None if run.figures is None else json.loads(to_json(run.figures)),
            }
            for run in group.runs
        ],
        "metrics": metrics,
        "methods": [asdict(method) for method in METHODS],
        "results": [result.model_dump(mode="json") for result in results],
    }
