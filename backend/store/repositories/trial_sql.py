"""SQL of `trials`: statements check the trial's fence and use the database's clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, insert, select, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

from backend.core.errors import NotFound
from backend.core.plan.claimed import NextTrial
from backend.core.plan.matrix import TrialQualityState
from backend.store.ids import is_id
from backend.store.models import Attempt, Trial

_OPEN = "(t.state = 'queued' OR (t.state = 'running' AND t.lease_until < clock_timestamp()))"

NEXT_TRIAL = text(f"""
    SELECT t.id, t.run_id, t.cell_id FROM trial t
     WHERE t.host_id = :host_id AND {_OPEN} AND t.run_id <> ALL(CAST(:excluded AS text[]))
       AND NOT EXISTS (SELECT FROM run r JOIN host c ON c.id = r.client_host_id
                        WHERE r.id = t.run_id AND NOT r.cancel_requested
                          AND c.last_seen_at < clock_timestamp() - make_interval(secs => 60))
     ORDER BY t.created_at, t.run_id, t.seq LIMIT 1
""")

CLAIMABLE = text(f"SELECT count(*) FROM trial t WHERE t.host_id = :host_id AND {_OPEN}")

# The run's lock is held, so claims of one run are serialised and SKIP LOCKED is not needed: only a heartbeat
# can hold a trial's row, for a moment.
CLAIM = text(f"""
    WITH next AS (
        SELECT t.id, t.state FROM trial t
         WHERE t.run_id = :run_id AND t.host_id = :host_id AND {_OPEN}
           AND (t.state = 'queued' OR t.attempts < :cap)
           AND t.round <= coalesce(:until, t.round)
         ORDER BY t.id = ANY(CAST(:last AS text[])), t.seq FOR UPDATE LIMIT 1)
    UPDATE trial SET state = 'running', fence = trial.fence + 1, attempts = trial.attempts + 1,
           worker = :worker, started_at = clock_timestamp(),
           lease_until = clock_timestamp() + make_interval(secs => :lease)
      FROM next WHERE trial.id = next.id
    RETURNING trial.id, trial.cell_id, trial.round, trial.fence, trial.attempts, trial.levels,
              next.state AS was
""")

HEARTBEAT = text("""
    UPDATE trial SET lease_until = clock_timestamp() + make_interval(secs => :lease)
     WHERE id = :id AND fence = :fence AND state = 'running'
    RETURNING (SELECT cancel_requested FROM run WHERE run.id = trial.run_id)
""")

RECORD = text("""
    WITH ok AS (
        UPDATE trial SET state = :state, lease_until = NULL, finished_at = clock_timestamp(),
               failure_code = :code, failure_detail = :detail, quality = :quality
         WHERE id = :id AND fence = :fence AND state = 'running'
        RETURNING id, run_id, cell_id, round, fence, worker),
    kept AS (
        INSERT INTO result (run_id, cell_id, round, trial_id, fence, sha256, metrics, evidence_verdict,
                            payload)
        SELECT run_id, cell_id, round, id, fence, :sha, p -> 'metrics', p #>> '{evidence,verdict}', p
          FROM ok, (SELECT CAST(:payload AS jsonb) AS p) given
        ON CONFLICT DO NOTHING),
    logged AS (
        INSERT INTO attempt (trial_id, fence, entry, worker, outcome, detail)
        SELECT id, fence, 'ended', worker, :outcome, :detail FROM ok)
    SELECT cell_id, round FROM ok
""").bindparams(bindparam("payload", type_=JSONB))

FINISH = text("""
    UPDATE trial SET state = :state, lease_until = NULL, failure_code = :code, failure_detail = :detail,
           attempts = attempts - :given_back,
           finished_at = CASE WHEN :state = 'queued' THEN NULL ELSE clock_timestamp() END
     WHERE id = :id AND fence = :fence AND state = 'running'
    RETURNING cell_id, round
""")

ABANDONED = text("""
    SELECT id, fence, attempts FROM trial
     WHERE run_id = :run_id AND state = 'running' AND lease_until < clock_timestamp() ORDER BY seq
""")

END_LEASES = text("""
    UPDATE trial SET lease_until = clock_timestamp()
     WHERE host_id = :host_id AND state = 'running' AND lease_until > clock_timestamp()
    RETURNING id
""")

# What a side said in a phase may be a secret; one that ended without a word has left it.
END_SESSIONS = text("""
    UPDATE client_session SET phase = 'ended', document = '{}', reason = 'the worker of one side was replaced'
     WHERE (server_host_id = :host_id OR client_host_id = :host_id) AND phase NOT IN ('requested', 'ended')
""")

DEFINITION = """
    SELECT e.definition, CAST(r.plan ->> 'restart_every' AS integer) AS restart_every,
           (SELECT c.name FROM host c WHERE c.id = r.client_host_id) AS client_host
      FROM experiment e JOIN run r ON r.experiment_id = e.id WHERE r.id = :run_id
"""
KEPT_SHA = "SELECT sha256 FROM result WHERE trial_id = :id"


@dataclass(frozen=True)
class TrialTransition:
    """A state change of a trial, to be written as an event."""

    trial_id: str
    run_id: str
    cell_id: str
    round: int
    state: str
    metrics: dict[str, Any] | None = None
    failure_code: str | None = None
    quality: TrialQualityState | None = None


def next_run(session: Session, host_id: str, excluded: Sequence[str] = ()) -> str | None:
    """The run of the host's next open trial, except the excluded runs."""
    found = next_trial(session, host_id, excluded)
    return None if found is None else found.run_id


def next_trial(session: Session, host_id: str, excluded: Sequence[str] = ()) -> NextTrial | None:
    """The host's next open trial, except those of the excluded runs."""
    values = {"host_id": host_id, "excluded": list(excluded)}
    row = session.execute(NEXT_TRIAL, values).one_or_none()
    return None if row is None else NextTrial(*row)


def run_of(session: Session, trial_id: str) -> str:
    """The run of a trial. Raises NotFound."""
    found = (
        session.scalar(select(Trial.run_id).where(Trial.id == trial_id)) if is_id("trl", trial_id) else None
    )
    if found is None:
        raise NotFound("there is no such trial")
    return found


def is_stale(session: Session, trial_id: str, fence: int) -> bool:
    """Whether the attempt no longer holds its trial."""
    query = select(Trial.id).where(Trial.id == trial_id, Trial.fence == fence, Trial.state == "running")
    return session.scalar(query) is None


def log_claim(session: Session, trial_id: str, fence: int, worker: str) -> None:
    """Log a claim."""
    session.execute(insert(Attempt).values(trial_id=trial_id, fence=fence, entry="claimed", worker=worker))


def log_end(session: Session, trial_id: str, fence: int, outcome: str, detail: str | None) -> None:
    """Log the outcome of an attempt."""
    worker = session.execute(
        select(Attempt.worker).where(
            Attempt.trial_id == trial_id, Attempt.fence == fence, Attempt.entry == "claimed"
        )
    ).scalar_one()
    session.execute(
        insert(Attempt).values(
            trial_id=trial_id, fence=fence, entry="ended", worker=worker, outcome=outcome, detail=detail
        )
    )


def storable(value: Any) -> Any:
    """The value without U+0000 (in raw output) and lone surrogates (from JSON escapes).

    PostgreSQL stores them in neither text nor JSON.
    """
    if isinstance(value, str):
        valid = value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
        return valid.replace("\x00", "�")
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value
