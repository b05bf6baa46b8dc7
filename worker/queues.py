"""Which trial queue a worker uses: the database of this host, or the server of an enrolled one."""

from __future__ import annotations

from backend.settings import Settings
from worker.http_queue.queue import HttpTrialQueue
from worker.monitoring import Monitoring
from worker.trial.profiling import ProfileQueue
from worker.trial.queue import HostQueue, SessionQueue


def open_queue(settings: Settings, monitoring: Monitoring) -> HostQueue:
    """The trial queue by the settings. Raises Refused where an enrolled host's token cannot be used."""
    if settings.server_url is not None:
        return HttpTrialQueue(settings, monitoring)
    # An enrolled host has no database: its worker loads nothing of it, and needs none of its settings.
    from worker.trial_queue import StoreTrialQueue  # noqa: PLC0415

    return StoreTrialQueue(settings, monitoring)


def sessions_of(queue: HostQueue) -> SessionQueue | None:
    """The client sessions of a queue; None where it has none: then no trial of another host is served."""
    return queue if isinstance(queue, SessionQueue) else None


def profiles_of(queue: HostQueue) -> ProfileQueue | None:
    """The CPU profiles of a queue; None where it has none: then none are taken."""
    return queue if isinstance(queue, ProfileQueue) else None
