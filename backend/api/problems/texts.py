"""The one table of all codes of problem documents: cause and remedy of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from pydantic_core.core_schema import ErrorType

from backend.api.problems.of_comparisons import COMPARISONS
from backend.api.problems.of_documents import DOCUMENTS, OBSTACLES, PICTURES
from backend.api.problems.of_requests import REQUESTS, SERVER


@dataclass(frozen=True)
class ProblemType:
    """A code, why it is answered, and what to do."""

    code: str
    cause: str
    remedy: str

    @property
    def path(self) -> str:
        """The path of its page, which is the type of its problem documents."""
        return f"/problems/{self.code.replace('_', '-')}"

    @property
    def title(self) -> str:
        """The code in words."""
        words = self.code.replace("_", " ")
        return words[:1].upper() + words[1:]


_FIELD: Final = (
    "A field or parameter has a value that its type does not allow; the detail names it.",
    "Correct the value; the OpenAPI document at /api/v1/openapi.json has the type of every field.",
)

PROBLEMS: Final = {
    code: ProblemType(code, *texts)
    for table in (
        dict.fromkeys(get_args(ErrorType), _FIELD),
        REQUESTS,
        COMPARISONS,
        SERVER,
        DOCUMENTS,
        OBSTACLES,
        PICTURES,
    )
    for code, texts in table.items()
}
"""Every code; those of field types that no row explains have the same text."""

EXPLAINED: Final = tuple(
    PROBLEMS[code]
    for table in (REQUESTS, COMPARISONS, SERVER, DOCUMENTS, OBSTACLES, PICTURES)
    for code in table
)
"""The codes with an explanation of their own, by topic."""


def find(name: str) -> ProblemType | None:
    """The problem type of a path's last part, for example "quota-exceeded"."""
    found = PROBLEMS.get(name.replace("-", "_"))
    return found if found is not None and found.path.endswith(f"/{name}") else None
