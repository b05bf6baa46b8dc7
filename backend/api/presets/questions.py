"""Which definitions ask the question of a preset: its full and its quick form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from backend.core.definition.canonical import digest
from backend.core.definition.presets import presets


@lru_cache(maxsize=1)
def questions() -> Mapping[str, frozenset[str]]:
    """The digests of the definitions of each question, by the name of its full preset, as they are offered.

    A definition that somebody changed asks another question, even under the preset's name.
    """
    found: dict[str, frozenset[str]] = {}
    for preset in presets():
        known = found.get(preset.full_form, frozenset())
        found[preset.full_form] = known | {digest(preset.experiment)}
    return found
