"""The tables, one per file."""

from backend.store.models.attempt import Attempt
from backend.store.models.base import Base
from backend.store.models.event import Event
from backend.store.models.experiment import Experiment
from backend.store.models.host import Host
from backend.store.models.idempotency_key import IdempotencyKey
from backend.store.models.result import Result
from backend.store.models.run import Run
from backend.store.models.share import Share
from backend.store.models.trial import Trial

__all__ = [
    "Attempt",
    "Base",
    "Event",
    "Experiment",
    "Host",
    "IdempotencyKey",
    "Result",
    "Run",
    "Share",
    "Trial",
]
