"""Programs (*.mjs) that drive Chromium, against an API that serves the built page."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from tests.api.running import running
from tests.services import ROOT

PROGRAM_S: Final = 25 * 60
"""Ends a program that hangs; a busy machine alone does not take that long."""


def chromium() -> str:
    """The path of Chromium; the test is skipped where there is none."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium")
    return found


def built_page() -> Path:
    """The folder of the built page; the test is skipped where it is not built."""
    folder = ROOT / "frontend" / "dist"
    if not (folder / "index.html").exists():
        pytest.skip("the page is not built; scripts/test browser builds it")
    return folder


@contextmanager
def served(
    settings: Settings, listener: socket.socket | None = None, **changes: Any
) -> Iterator[tuple[str, Settings]]:
    """Serve the built page with these settings, on a listener whose port others have to know before, if
    there is one; yields the base URL and the settings of the server."""
    port = {"port": listener.getsockname()[1]} if listener else {}
    kept = settings.model_dump(exclude_unset=True)
    given = Settings(**kept | {"page_dir": built_page()} | port | changes)
    with running(server_config(create_app(given), given), listener=listener) as base:
        yield base, given


def run_program(program: Path, base: str, **environment: str) -> None:
    """Run a program with node and these variables against `base`; its report goes to the standard output."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    done = subprocess.run(
        [node, "--test", "--test-reporter=spec", str(program)],
        env=os.environ | {"PLIMSOLL_URL": base, "CHROMIUM": chromium()} | environment,
        timeout=PROGRAM_S,
        check=False,
    )
    assert done.returncode == 0, f"{program.name} failed: see the report of node above"
