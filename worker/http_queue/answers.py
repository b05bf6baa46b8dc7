"""The server's answers, read into values. Fields that this release does not know are ignored."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from backend.core.errors import Unavailable
from backend.core.plan.claimed import Beat, ClaimedTrial
from backend.core.plan.restarts import ServedCell
from backend.core.topology.host_policy import OPEN, HostPolicy
from worker.trial.host_orders import HostOrders


class Answer(BaseModel):
    """An answer: a newer server's may have more fields."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class HostAnswer(Answer):
    """What a report of the host is answered with. `received_at` is the server's time, in ISO 8601."""

    host_id: str = ""
    received_at: str = ""
    drained: bool = False
    policy: HostPolicy = OPEN
    release: str | None = None

    def orders(self) -> HostOrders:
        """What the worker has to keep to."""
        return HostOrders(self.policy, self.release or "")


class TakenOver(Answer):
    """How many leases of earlier workers were ended."""

    trials: int = 0


class Trial(Answer):
    """A claimed trial."""

    trial_id: str
    run_id: str
    cell_id: str
    round: int
    fence: int
    attempts: int
    levels: dict[str, Any]
    experiment: dict[str, Any]
    next_interim_round: int | None = None
    restart_every: int | None = None
    client_host: str | None = None


class Claim(Answer):
    """The answer to a claim; without a trial there is none to run."""

    trial: Trial | None = None
    first_of_run: bool = False

    def claimed(self) -> ClaimedTrial | None:
        """The trial as the worker uses it."""
        return None if self.trial is None else ClaimedTrial(**dict(self.trial))


class Heartbeat(Answer):
    """Whether the trial goes on."""

    beat: Beat


class Recorded(Answer):
    """What became of a record: recorded, already or superseded."""

    outcome: str


class Cell(Answer):
    """One cell of a run."""

    levels: dict[str, Any]
    replica: int = 0


class Cells(Answer):
    """The cells of which a run still has trials."""

    cells: tuple[Cell, ...]

    def served(self) -> list[ServedCell]:
        """The cells as the worker uses them."""
        return [ServedCell(cell.levels, cell.replica) for cell in self.cells]


AnswerT = TypeVar("AnswerT", bound=Answer)


def read(kind: type[AnswerT], content: dict[str, Any]) -> AnswerT:
    """An answer of this kind. Raises Unavailable where the content is another one's."""
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        where = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:3])
        raise Unavailable(
            f"the server's answer cannot be read ({where}); are its release and this worker's compatible?"
        ) from error
