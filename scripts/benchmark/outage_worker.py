"""The real worker process with trials that measure nothing, for tests of outages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

from backend.core.plan.claimed import ClaimedTrial
from backend.settings import Settings
from worker import app as worker_app
from worker.runtime import WorkerRuntime

TRIAL_S: Final = 0.5
ENDING: Final = "benchmark"


class QuickRuntime(WorkerRuntime):
    """A runtime without engines, whose trials take TRIAL_S and end without a record."""

    def __init__(self, settings: Settings) -> None:
        settings.runtime_dir.mkdir(parents=True, exist_ok=True)
        super().__init__(settings, settings.runtime_dir)
        nothing: dict[str, Any] = {}
        self._testbed = SimpleNamespace(  # type: ignore[assignment]  # the methods that the runtime calls
            start=lambda: None,
            stop=lambda: None,
            engines=frozenset,
            environment=lambda: nothing,
            changing_environment=lambda: nothing,
            capabilities=lambda: nothing,
        )

    def execute(self, trial: ClaimedTrial) -> str:
        """Wait, and end the trial."""
        self.aborting.wait(TRIAL_S)
        self._queue.fail(trial, ENDING, "nothing is measured here")
        return "failed"


def main() -> None:
    """Run until a signal ends it, as `celery -A worker.app worker` does."""
    worker_app.runtime = QuickRuntime(worker_app.settings)
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    worker_app.app.worker_main(["worker", "-P", "solo", "-c", "1", *quiet, "--loglevel", "INFO"])


if __name__ == "__main__":
    main()
