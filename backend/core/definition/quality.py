"""How quiet the host must be: the part `quality` of an experiment, with its defaults and bounds.

The defaults are from figures of virtual machines: docs/decisions/0024-quiet-gate-and-contaminated-trials.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt

MAX_WAIT_S: Final = 600
MAX_RETAKES: Final = 10
MAX_CORES: Final = 1024


class Quality(BaseModel):
    """Limits that are fixed before the start; they concern only what lies outside client, server and proxy.

    Before each trial the worker waits up to `wait_for_quiet_s` seconds until other processes use at most
    `max_other_cores` cores and the hypervisor keeps at most the share `max_steal` (0.05: 5 %) of the CPU. A
    trial during which a limit was exceeded is contaminated: it is taken again at once, at most `retakes`
    times. A limit that is null is not judged.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    wait_for_quiet_s: Annotated[StrictInt, Field(ge=0, le=MAX_WAIT_S)] = 10
    max_other_cores: Annotated[StrictFloat, Field(gt=0, le=MAX_CORES)] | None = 0.15
    max_steal: Annotated[StrictFloat, Field(gt=0, le=1)] | None = 0.05
    retakes: Annotated[StrictInt, Field(ge=0, le=MAX_RETAKES)] = 2


DEFAULT: Final = Quality()


def is_default(quality: object) -> bool:
    """Whether it need not be written out."""
    return quality == DEFAULT


def quality_schema() -> dict[str, Any]:
    """Its JSON Schema (draft 7)."""
    fields = Quality.model_fields

    def limit(text: str, maximum: float, name: str) -> dict[str, Any]:
        number = {"type": "number", "exclusiveMinimum": 0, "maximum": maximum}
        return {"description": text, "anyOf": [number, {"type": "null"}], "default": fields[name].default}

    def whole(text: str, maximum: int, name: str) -> dict[str, Any]:
        return {
            "description": text,
            "type": "integer",
            "minimum": 0,
            "maximum": maximum,
            "default": fields[name].default,
        }

    return {
        "description": (
            "How quiet the host must be. Only what lies outside client, server and proxy is judged, never a "
            "metric. A trial during which a limit was exceeded is contaminated, and taken again at once."
        ),
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "wait_for_quiet_s": whole(
                "Before each trial, wait up to so many seconds until the host is quiet; 0: do not wait.",
                MAX_WAIT_S,
                "wait_for_quiet_s",
            ),
            "max_other_cores": limit(
                "Cores that other processes of the host may use; null: not judged.",
                MAX_CORES,
                "max_other_cores",
            ),
            "max_steal": limit(
                "Share of the CPU that the hypervisor may keep, 0.05 for 5 %; null: not judged.",
                1,
                "max_steal",
            ),
            "retakes": whole(
                "How often a contaminated trial is taken again; what stays contaminated is in no statistic.",
                MAX_RETAKES,
                "retakes",
            ),
        },
        "default": DEFAULT.model_dump(),
    }
