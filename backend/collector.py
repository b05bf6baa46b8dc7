"""The pace of Python's cycle collector in a process that builds results of many thousand parts."""

from __future__ import annotations

import gc
from typing import Final

NEW_OBJECTS: Final = 10_000
"""Python looks for cycles after 700 new objects. A result of 1,000 cells makes 100,000, all of them still in
use and none in a cycle: the looks cost a third of its analysis, and more the larger it is."""


def relax_collector() -> None:
    """Look for cycles less often, for the rest of this process."""
    gc.set_threshold(NEW_OBJECTS, 10, 10)
