"""Published studies as data: one file a study, found by its name."""

from __future__ import annotations

from typing import Final

from backend.core.definition.studies.model import PublishedStudy
from backend.core.definition.studies.pachot_2019 import PACHOT_2019
from backend.core.errors import NotFound

STUDIES: Final[dict[str, PublishedStudy]] = {study.name: study for study in (PACHOT_2019,)}


def study(name: str) -> PublishedStudy:
    """The published study of this name; raises NotFound."""
    found = STUDIES.get(name)
    if found is None:
        raise NotFound(f"no study is called {name!r}; the studies are {', '.join(STUDIES)}")
    return found
