"""Run pytest many times in a tree, each time in a child of a process that has the packages of others loaded.

A program of its own: each line of its standard input is a request in JSON, with `arguments` of pytest, a
file `log` and `limit_s` of CPU; each line of its standard output is the exit code, or null after the limit.
It imports nothing of the tree, so that a child imports the files as they are then.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PACKAGES = (
    "alembic.config",
    "celery",
    "docker",
    "fastapi.testclient",
    "hypothesis",
    "numpy",
    "psycopg",
    "redis",
    "scipy.stats",
    "sqlalchemy.orm",
    "statsmodels.stats.multitest",
    "structlog",
    "uvicorn",
    "yaml",
)
"""Large packages; what the tests import of others is loaded by each child."""
POLL_S = 0.02
END_S = 10.0
WALL_TIMES = 10
"""A child that waits instead of computing ends after so many times its limit of CPU time."""


def main() -> None:
    """Answer requests until the input ends; the working directory is the tree."""
    sys.path[0] = str(Path.cwd())  # not the folder of this file
    sys.dont_write_bytecode = True
    for name in PACKAGES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), file=answers, flush=True)


def run(request: dict[str, Any]) -> int | None:
    """The exit code of pytest in a child, or None after a limit; what the child started ends with it."""
    child = os.fork()
    if child == 0:
        _be_pytest(request)
    deadline = time.monotonic() + WALL_TIMES * request["limit_s"]
    try:
        return _wait(child, deadline)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)


def _wait(child: int, deadline: float) -> int | None:
    """The exit code of the child; after the deadline it gets SIGINT, as pytest then ends its servers."""
    code = _code(child, deadline)
    if code is not None:
        return None if code == signal.SIGXCPU else code
    os.kill(child, signal.SIGINT)
    if _code(child, time.monotonic() + END_S) is None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return None


def _code(child: int, deadline: float) -> int | None:
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return abs(os.waitstatus_to_exitcode(status))
        time.sleep(POLL_S)
    return None


def _be_pytest(request: dict[str, Any]) -> None:
    """Become a pytest in a process group of its own; never returns."""
    code = 3
    try:
        os.setsid()
        limit = int(request["limit_s"]) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        with open(request["log"], "wb") as log, open(os.devnull, "rb") as nothing:  # noqa: PTH123
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            os.dup2(nothing.fileno(), 0)
        code = int(pytest.main(request["arguments"]))
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
