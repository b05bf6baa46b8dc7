"""Write a measured trial to the spool, then to the database; quarantine what can never be recorded."""

from __future__ import annotations

import logging
from typing import Any, Protocol

from pydantic import ValidationError

from backend.core.errors import NotFound, Refused, Unavailable, WorkerRejected
from backend.core.sample.record import TrialRecord
from worker.host.spool import Spool, Spooled

log = logging.getLogger(__name__)


class Recorder(Protocol):
    """Where records go."""

    def record(self, record: Spooled) -> str:
        """Store a finished trial: "recorded", "already" or "superseded".

        Raises Unavailable where a later try may succeed, NotFound or Refused where none will.
        """


def keep(record: TrialRecord, recorder: Recorder, spool: Spool) -> str:
    """Spool, then record. Contradicted evidence of the path fails the trial; the evidence is kept.

    Returns the trial's ending, "done" or "failed". Raises StorageFull.
    """
    failure = None
    if record.evidence.verdict == "contradicted":
        failure = ("path_contradicted", record.evidence.sentence)
    payload: dict[str, Any] = record.model_dump(mode="json")
    spooled = spool.write(record.trial_id, record.fence, payload, failure)
    drain(spool, recorder)
    return "failed" if spooled.failure else "done"


def drain(spool: Spool, recorder: Recorder) -> int:
    """Record every spooled file, until nothing answers. Returns how many remain.

    A file that can never be recorded (incomplete, of an unknown schema, of another database's trial) goes to
    quarantine. After an unexpected error, which is logged, its file stays for the next call.
    """
    waiting = list(spool.waiting())
    remain = 0
    for index, spooled in enumerate(waiting):
        try:
            TrialRecord.model_validate(spooled.payload)
            answer = recorder.record(spooled)
        except (Unavailable, WorkerRejected) as error:
            remain += len(waiting) - index
            log.warning("%d records wait in the spool: %s", remain, error)
            return remain
        except (ValidationError, NotFound, Refused) as error:
            spool.quarantine(spooled.path, f"{type(error).__name__}: {' '.join(str(error).split())[:500]}")
        except Exception:
            remain += 1
            log.exception("the record of trial %s waits in the spool", spooled.trial_id)
        else:
            if answer == "superseded":
                log.warning("a record of %s was dropped: a later claim has superseded it", spooled.trial_id)
            spool.forget(spooled)
    return remain
