"""The token and the one-time sign-in link of this start."""

from __future__ import annotations

import sys
from pathlib import Path

from backend.cli.local_access import FILE, LocalAccess, read
from scripts.starter import environment
from scripts.starter.layout import Layout
from scripts.starter.once import run_once
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Refusal

LIMIT = 60.0


def file_of(layout: Layout) -> Path:
    """The file with both, for the command line on this host; it is removed at the stop."""
    return layout.var / FILE


def prepare(layout: Layout, stop: Stop) -> LocalAccess:
    """Create both. Raises Refusal and Stopped."""
    file = file_of(layout)
    argv = (sys.executable, "-m", "backend.cli.main", "admin", "local-access", str(file))
    log = layout.logs / "access.log"
    run_once("access", argv, environment.of_api(layout), log, LIMIT, cwd=layout.root, stop=stop)
    access = read(file)
    if access is None:
        raise Refusal(f"{file} cannot be read; see {log}")
    return access
