"""The canonical form of an experiment, and its digest."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from backend.core.definition.experiment import Experiment
from backend.core.definition.factors import FACTORS


def canonical(experiment: Experiment) -> dict[str, Any]:
    """The document with every field, defaults included, in a fixed order.

    Of the factors it has those that apply to some cell; `include`, `stopping`, `quality`, `thresholds`,
    `latency_limit_ms` and `profile` only where they are set.
    """
    document = experiment.model_dump(mode="json")
    document["baseline"] = {n: experiment.baseline[n] for n in FACTORS if n in experiment.baseline}
    for rules in ("exclude", "include"):
        if rules in document:
            document[rules] = [{n: rule[n] for n in FACTORS if n in rule} for rule in document[rules]]
    return document


def digest(experiment: Experiment) -> str:
    """The SHA-256 of the canonical form in hexadecimal: equal for documents with the same meaning."""
    text = json.dumps(canonical(experiment), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
