"""Limits of disturbance by the host: the field `quality` of an experiment, with its defaults and bounds.

The defaults are from figures of virtual machines: docs/decisions/0024-quiet-host-and-contaminated-trials.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt

MAX_WAIT_S: Final = 600
MAX_RETAKES: Final = 10
MAX_CORES: Final = 1024


class Quality(BaseModel):
    """Limits on what other processes and the hypervisor use; client, server and proxy are not limited.

    Before each trial the worker waits up to `wait_for_quiet_s` seconds until other processes use at most
    `max_other_cores` cores beyond the host's quiet level and the hypervisor takes at most the share
    `max_steal` (0.05: 5 %) of the CPU. The quiet level is read before a run's first trial, and counts up to
    0.15 cores. A trial during which a limit was exceeded is contaminated: it is repeated at once, at most
    `retakes` times. A limit that is null is not checked.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    wait_for_quiet_s: Annotated[StrictInt, Field(ge=0, le=MAX_WAIT_S)] = 10
    max_other_cores: Annotated[StrictFloat, Field(gt=0, le=MAX_CORES)] | None = 0.15
    max_steal: Annotated[StrictFloat, Field(gt=0, le=1)] | None = 0.05
    retakes: Annotated[StrictInt, Field(ge=0, le=MAX_RETAKES)] = 2


DEFAULT: Final = Quality()


def is_default(quality: object) -> bool:
    """Whether this is the default, which documents leave out."""
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
            "Limits on what other processes and the hypervisor use. Client, server, proxy and metrics are "
            "not checked. A trial during which a limit was exceeded is contaminated, and repeated at once."
        ),
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "wait_for_quiet_s": whole(
                "Seconds to wait for a quiet host before each trial; 0: do not wait.",
                MAX_WAIT_S,
                "wait_for_quiet_s",
            ),
            "max_other_cores": limit(
                "Cores that other processes may use beyond the host's quiet level; null: no limit.",
                MAX_CORES,
                "max_other_cores",
            ),
            "max_steal": limit(
                "Share of the CPU that the hypervisor may take, 0.05 for 5 %; null: no limit.",
                1,
                "max_steal",
            ),
            "retakes": whole(
                "How often a contaminated trial is repeated; one that stays contaminated is excluded from "
                "all statistics.",
                MAX_RETAKES,
                "retakes",
            ),
        },
        "default": DEFAULT.model_dump(),
    }
