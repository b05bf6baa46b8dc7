"""Claims that this server gave before it was restored from an older backup.

A worker may have measured a trial whose claim the backup does not have. Its record names a fence above the
trial's, which nothing else makes. Then the claim is written again, so that the record counts, once: the
attempt that the restored server knows, if there is one, has lost the trial. A record of a round that an
interim analysis still has to allow does not count; the trial is measured again, or skipped.
"""

from __future__ import annotations

import logging
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from backend.store.repositories import runs, trial_sql

logger = logging.getLogger(__name__)

MAX_AHEAD: Final = 16
"""Claims of one trial that a backup may lack; a record further ahead is not one of this server."""
RESTORED: Final = "the server was restored from a backup without this claim"

BEHIND = text("""
    SELECT t.fence, t.state, t.worker FROM trial t JOIN run r ON r.id = t.run_id
     WHERE t.id = :id AND t.fence < :fence AND t.fence >= :fence - :ahead
       AND t.state IN ('queued', 'running') AND t.round <= coalesce(r.next_look, t.round)
       FOR UPDATE OF t
""")
CLAIM_AGAIN = text("""
    UPDATE trial SET state = 'running', fence = :fence, attempts = attempts + 1, worker = :worker,
           started_at = coalesce(started_at, clock_timestamp()), lease_until = clock_timestamp()
     WHERE id = :id
""")


def restore(session: Session, run_id: str, trial_id: str, fence: int) -> None:
    """Write the claim of this fence again, if the trial is open and behind it; the caller holds the lock."""
    values = {"id": trial_id, "fence": fence, "ahead": MAX_AHEAD}
    row = session.execute(BEHIND, values).one_or_none()
    if row is None:
        return
    logger.warning("trial %s is at fence %d, a record has %d: %s", trial_id, row.fence, fence, RESTORED)
    worker = row.worker or "restored"
    if row.state == "running":
        trial_sql.log_end(session, trial_id, row.fence, "lost", f"a record of fence {fence} came: {RESTORED}")
    for missing in range(row.fence + 1, fence + 1):
        trial_sql.log_claim(session, trial_id, missing, worker)
        if missing < fence:
            trial_sql.log_end(session, trial_id, missing, "lost", RESTORED)
    session.execute(CLAIM_AGAIN, {"id": trial_id, "fence": fence, "worker": worker})
    runs.mark_running(session, run_id)
