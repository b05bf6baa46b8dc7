"""Drop the host's page cache before trials with cold caches, as in the study pdxpug-2014."""

from __future__ import annotations

import os
from pathlib import Path

EVERYTHING = "3"
"""Page cache, dentries and inodes (kernel documentation of vm.drop_caches)."""


def drop_caches() -> None:
    """Write dirty pages back, then drop clean ones. Affects the whole host; needs root."""
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text(EVERYTHING)
