"""Run the host's own tools, always with a time limit and never through a shell."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from backend.core.errors import HostCommandFailed
from worker.host.time_limits import limit


def run(argv: Sequence[str], timeout_s: float = 30.0, stdin: str | None = None) -> str:
    """Run a command to its end and return its standard output; on a slow host the limit is longer.

    Raises HostCommandFailed with the last line of the tool's error output.
    """
    try:
        done = subprocess.run(
            list(argv), input=stdin, capture_output=True, text=True, timeout=limit(timeout_s), check=False
        )
    except FileNotFoundError as error:
        raise HostCommandFailed(f"{argv[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise HostCommandFailed(f"{argv[0]} did not end within {limit(timeout_s):g} s") from error
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise HostCommandFailed(f"{' '.join(argv[:4])}: {lines[-1] if lines else done.returncode}")
    return done.stdout


def namespace_file(netns: str | Path) -> Path:
    """The file of a network namespace: a name is below /run/netns, an absolute path stays as it is."""
    return Path("/run/netns", netns)


def in_namespace(netns: str | Path, argv: Sequence[str]) -> list[str]:
    """The argv that runs a command inside a network namespace: a name, or a path such as /proc/1/ns/net.

    `nsenter`, not `ip netns exec`: the latter remounts /sys, and dockerd then finds no cgroups.
    """
    return ["nsenter", f"--net={namespace_file(netns)}", "--", *argv]
