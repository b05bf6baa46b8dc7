"""`python -m worker.remote` without engines: records are made up. Prints what a test waits for."""

from __future__ import annotations

import sys
import threading
from typing import Any

from tests.records import trial_record
from worker import remote
from worker import runtime as runtime_module
from worker.host.spool import Spool
from worker.trial.recording import drain

UNWANTED = ("sqlalchemy", "alembic", "backend.store.session", "backend.store.models", "worker.trial_queue")


class NoTestbed:
    """A testbed of a host without Docker."""

    def __init__(self, *_: object) -> None: ...

    def start(self) -> None:
        print("testbed", flush=True)

    def stop(self) -> None:
        print("stopped", flush=True)

    def capabilities(self) -> dict[str, Any]:
        return {"cores": 4}

    def environment(self) -> dict[str, str]:
        return {"kernel": "6.1"}

    def changing_environment(self) -> dict[str, str]:
        return {"kernel": "6.1"}

    def engines(self) -> frozenset[str]:
        return frozenset({"on"})


def made_up(
    trial: Any, _testbed: Any, queue: Any, spool: Spool, _live: Any, aborting: threading.Event, *_: Any
) -> str:
    """Record the trial at once; one with `wait` in its experiment runs until it is aborted."""
    print("trial", flush=True)
    if trial.experiment.get("wait"):
        aborting.wait()
        queue.requeue(trial, "aborted", "the worker was stopped")
        return "abort"
    spool.write(trial.trial_id, trial.fence, trial_record(trial), None)
    drain(spool, queue)
    return "done"


if __name__ == "__main__":
    runtime_module.Testbed = NoTestbed  # type: ignore[misc, assignment]
    runtime_module.execute_trial = made_up
    # Not the lock of this machine's installations: one that measures would delay the test.
    remote.WorkerRuntime = lambda settings: runtime_module.WorkerRuntime(settings, settings.var_dir)  # type: ignore[misc, assignment]
    code = remote.main()
    print("loaded", *(name for name in UNWANTED if name in sys.modules), flush=True)
    raise SystemExit(code)
