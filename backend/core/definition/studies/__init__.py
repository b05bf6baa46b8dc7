"""Published studies as data: one file a study, found by its name."""

from __future__ import annotations

from typing import Final

from backend.core.definition.studies.barbarin_2019 import BARBARIN_2019
from backend.core.definition.studies.model import PublishedStudy
from backend.core.definition.studies.myhro_2017 import MYHRO_2017
from backend.core.definition.studies.pachot_2019 import PACHOT_2019
from backend.core.definition.studies.pdxpug_2014 import PDXPUG_2014
from backend.core.definition.studies.whoisnian_2024 import WHOISNIAN_2024
from backend.core.errors import NotFound

STUDIES: Final[dict[str, PublishedStudy]] = {
    study.name: study for study in (PACHOT_2019, WHOISNIAN_2024, MYHRO_2017, BARBARIN_2019, PDXPUG_2014)
}


def study(name: str) -> PublishedStudy:
    """The published study of this name; raises NotFound."""
    found = STUDIES.get(name)
    if found is None:
        raise NotFound(f"no study is called {name!r}; the studies are {', '.join(STUDIES)}")
    return found
