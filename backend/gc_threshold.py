"""Garbage collector threshold of a process that builds results of many thousand objects."""

from __future__ import annotations

import gc
from typing import Final

NEW_OBJECTS: Final = 10_000
"""CPython's default is 700 new objects per collection. A result of 1,000 cells creates 100,000 objects, all
of them in use and none in a cycle: collections would take a third of its analysis time."""


def raise_gc_threshold() -> None:
    """Run the garbage collector less often, for the rest of this process."""
    gc.set_threshold(NEW_OBJECTS, 10, 10)
