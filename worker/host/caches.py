"""The host's page cache: dropped between trials that must begin cold, as in pdxpug-2014."""

from __future__ import annotations

import os
from pathlib import Path

EVERYTHING = "3"
"""Page cache, and dentries and inodes; see the kernel's documentation of vm.drop_caches."""


def drop_caches() -> None:
    """Write dirty pages back, then drop clean ones. Concerns the whole host, and needs root."""
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text(EVERYTHING)
