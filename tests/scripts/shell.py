"""Running the setup's shell functions as the entry scripts do: sourced, in a bash of their own."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def program(parts: tuple[str, ...], body: str) -> str:
    """A shell program that sources these parts of scripts/setup and then runs `body`."""
    sources = "\n".join(f'source "{ROOT}/scripts/setup/{part}.bash"' for part in parts)
    return f'set -euo pipefail\nroot="{ROOT}"\n{sources}\n{body}\n'


def start(
    parts: tuple[str, ...], body: str, log_dir: Path, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start the program in a session of its own."""
    return subprocess.Popen(
        # A shell cannot trap a signal that was ignored when it began, as under nohup.
        ["env", "--default-signal", "bash", "-c", f'log_dir="{log_dir}"\n' + program(parts, body)],
        env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run(
    parts: tuple[str, ...], body: str, log_dir: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    child = start(parts, body, log_dir, environment)
    out, err = child.communicate(timeout=30)
    return subprocess.CompletedProcess(child.args, child.returncode, out, err)
