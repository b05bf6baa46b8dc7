"""`celery -A worker.app` without engines: the worker of an enrolled host that has a Redis."""

from __future__ import annotations

from tests.worker.remote_program import NoTestbed, made_up
from worker import runtime as runtime_module

runtime_module.Testbed = NoTestbed  # type: ignore[misc, assignment]
runtime_module.execute_trial = made_up

from worker.app import app, runtime, settings  # noqa: E402  # the worker is made when this is imported

# Not the lock of this machine's installations: one that measures would delay the test.
runtime._measuring._folders = (settings.var_dir,)

__all__ = ["app"]
