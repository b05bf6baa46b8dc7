"""Reads a stored document: constructs the Experiment and refuses nothing.

The document was validated when it was submitted, perhaps by an older version. What this version would refuse
is still shown and evaluated; only names that it does not know are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from backend.core.definition.experiment import Experiment, Factors
from backend.core.definition.factors import FACTORS
from backend.core.definition.metrics import METRICS
from backend.core.definition.nesting import as_levels, default_metrics
from backend.core.definition.text import printable

_NEEDED: Final[dict[str, Any]] = {"name": "unreadable", "title": "An unreadable experiment", "baseline": {}}


def from_store(document: object) -> Experiment:
    """The experiment of a stored document; never raises.

    A value that no longer fits its field's type is replaced by the default; factors and metrics that this
    version does not know are left out.
    """
    given = document if isinstance(document, Mapping) else {}
    try:
        whole = Experiment.model_validate(given)
        if all(metric in METRICS for metric in whole.metrics):
            return whole
    except ValidationError:
        pass  # an older version allowed it
    found = _constructed(given)
    return found.model_copy(update={"title": printable(found.title)})


def _constructed(given: Mapping[str, Any]) -> Experiment:
    values = {name: value for name in Experiment.model_fields if (value := _field(name, given)) is not None}
    factors = given.get("factors")
    named = factors if isinstance(factors, Mapping) else {}
    levels: dict[str, Any] = {name: as_levels(found) for name, found in named.items() if name in FACTORS}
    values["factors"] = Factors.model_construct(**levels)
    values["baseline"] = {name: level for name, level in values["baseline"].items() if name in FACTORS}
    metrics = tuple(metric for metric in values.get("metrics", ()) if metric in METRICS)
    values["metrics"] = metrics or default_metrics(named)
    return Experiment.model_construct(**values)


def _field(name: str, given: Mapping[str, Any]) -> Any:
    """The value of one field alone; None where it is missing or does not fit the field's type."""
    if name in given and name != "factors":
        try:
            return _type_of(name).validate_python(given[name])
        except ValidationError:
            pass  # the default is used, as for a missing field
    return _NEEDED.get(name)


@cache
def _type_of(name: str) -> TypeAdapter[Any]:
    annotation: Any = Experiment.model_fields[name].annotation
    return TypeAdapter(annotation)
