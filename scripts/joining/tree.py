"""How this program was installed: as an image, or read from its git clone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from backend.worker_installation import WorkerInstallation
from scripts.starter.time_limits import limit

LIMIT_S: Final = 10.0
IN_CONTAINER: Final = "PLIMSOLL_IN_CONTAINER"
"""Set in the container that `docker run` started on this host, and by nothing else."""


def installation(root: Path) -> WorkerInstallation:
    """The installation in `root`; a folder whose name no shell takes literally counts as files."""
    if os.environ.get(IN_CONTAINER):
        return WorkerInstallation("container")
    if _git(root, "rev-parse", "--show-toplevel") != str(root):
        found = WorkerInstallation("files", str(root))
    elif _git(root, "rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"):
        found = WorkerInstallation("branch", str(root))
    elif tag := _tag(root):
        found = WorkerInstallation("tag", str(root), tag)
    elif _git(root, "rev-parse", "--quiet", "--verify", "origin/HEAD"):
        found = WorkerInstallation("commit", str(root))
    else:
        found = WorkerInstallation("files", str(root))
    return WorkerInstallation.parse(str(found)) or WorkerInstallation()


def _tag(root: Path) -> str:
    """The tag of a detached HEAD, if one names this commit."""
    if _git(root, "symbolic-ref", "--quiet", "HEAD"):
        return ""
    return _git(root, "describe", "--tags", "--exact-match", "HEAD")


def _git(root: Path, *arguments: str) -> str:
    """The output of git, empty where it fails or is not installed."""
    # A clone of another user than root is one that root chose to join from (git-config(1), safe.directory).
    argv = ("git", "-c", f"safe.directory={root}", "-C", str(root), *arguments)
    try:
        done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=limit(LIMIT_S))
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
