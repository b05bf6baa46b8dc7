"""What the server's host says to the client's: the request of a client, and the offer of a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from backend.core.definition.quality import Quality
from backend.core.errors import TrialFailed
from backend.core.topology.link_address import is_link_address
from worker.topology.ports import FIRST, LAST
from worker.trial import claimed

MOST_CHARACTERS: Final = 200
NO_WAIT: Final = Quality(wait_for_quiet_s=0)


class Requested(BaseModel):
    """What a request contains."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    levels: dict[str, Any]
    run_id: str = ""
    cell_id: Annotated[str, Field(max_length=MOST_CHARACTERS)] = ""


class Offer(BaseModel):
    """Where the server is, and the limits of the quiet gate; a server's host of an older release has none."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    address: Annotated[str, Field(max_length=45)]
    port: Annotated[int, Field(ge=1, le=65535)]
    quality: Quality = NO_WAIT

    @field_validator("quality", mode="before")
    @classmethod
    def _without_unknown_limits(cls, given: object) -> object:
        """A newer release's limits of which this one knows nothing are left out."""
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if name in Quality.model_fields}


def read_offer(said: Mapping[str, Any]) -> Offer:
    """The offer in a session's document.

    Raises TrialFailed for an address that no host has on a link, and for a port that no server has.
    """
    try:
        offer = Offer.model_validate(dict(said))
    except ValidationError as error:
        raise TrialFailed(
            claimed.CODE, f"the server's address is unusable: {error.errors()[0]['msg']}"
        ) from None  # the error's own text contains what was said
    if not is_link_address(offer.address):
        raise TrialFailed(claimed.CODE, f"{offer.address!r} is no literal address of another host")
    if not FIRST <= offer.port <= LAST:
        raise TrialFailed(claimed.CODE, f"no server of a trial has the port {offer.port}")
    return offer
