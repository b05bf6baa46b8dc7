"""Requests of /imports."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue, StrictBool, StrictInt, StrictStr

from backend.api.schema import Body
from backend.core.definition.experiment import MAX_ROUNDS
from backend.core.definition.text import unprintable
from backend.core.plan.build import MAX_TRIALS

HOST_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"


def _readable(text: str) -> str:
    """Reject characters that change how a text is displayed; C0 controls are replaced when it is shown."""
    found = unprintable("".join(character for character in text if character >= " "))
    if found is not None:
        raise ValueError(f"contains {found}; remove direction marks, C1 controls and noncharacters")
    return text


Fact = Annotated[StrictStr, Field(max_length=2000), AfterValidator(_readable)]
FactName = Annotated[StrictStr, Field(min_length=1, max_length=100), AfterValidator(_readable)]


class ImportLog(Body):
    """The output of one run of a tool.

    `levels` has the factors that identify one cell; `round` numbers the runs of a cell, and cells are
    compared within equal rounds.
    """

    levels: dict[StrictStr, JsonValue]
    round: Annotated[StrictInt, Field(ge=1, le=MAX_ROUNDS)]
    stdout: StrictStr
    stderr: StrictStr = ""


class ImportStart(Body):
    """Logs to import: their experiment, the host on which they were measured, its environment.

    Of two logs of a cell that are of the same run, also where one was saved with other line ends, blanks or
    text around, the second is refused unless `allow_identical`: a copy is no run of its own. wrk's and ab's
    text has so few digits that a single pair is taken.
    """

    host: Annotated[StrictStr, Field(pattern=HOST_NAME)]
    experiment: JsonValue
    environment: Annotated[dict[FactName, Fact], Field(max_length=200)] = Field(default_factory=dict)
    logs: Annotated[tuple[ImportLog, ...], Field(max_length=MAX_TRIALS)]
    allow_identical: StrictBool = False
