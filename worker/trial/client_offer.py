"""What the server's host says to the client's: the request of a client, and the offer of a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError, field_validator

from backend.core.definition.quality import Quality
from backend.core.errors import TrialFailed
from backend.core.topology.link_address import is_link_address
from backend.core.topology.two_hosts import Levels, is_overlay_between_hosts
from worker.topology.overlay_end import FIRST_NUMBER, LAST_NUMBER
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
    """Where the server is, and the limits of the quiet gate; a server's host of an older release has none.

    `address` is that of the server's host on the link. Either `port` is the server's there, or `vxlan` the
    number of the VXLAN whose other end that host has: the server's own address and port follow from it.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)
    address: Annotated[str, Field(max_length=45)]
    port: Annotated[StrictInt, Field(ge=FIRST, le=LAST)] | None = None
    vxlan: Annotated[StrictInt, Field(ge=FIRST_NUMBER, le=LAST_NUMBER)] | None = None
    quality: Quality = NO_WAIT

    @field_validator("quality", mode="before")
    @classmethod
    def _without_unknown_limits(cls, given: object) -> object:
        """A newer release's limits of which this one knows nothing are left out."""
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if name in Quality.model_fields}


def read_offer(said: Mapping[str, Any], levels: Levels) -> Offer:
    """The offer in a session's document, of a server for a cell of these levels.

    Raises TrialFailed that names the field for an address that no host has on a link, a port that no server
    has, a number of another VXLAN, and for a field that such a cell does not have.
    """
    try:
        offer = Offer.model_validate(dict(said))
    except ValidationError as error:
        first = error.errors()[0]
        why = f"is unusable: {first['msg'][: MOST_CHARACTERS // 2]}"
        # Not with the error itself, whose text contains what was said.
        raise _refused(str(first["loc"][0]) if first["loc"] else "form", why) from None
    if not is_link_address(offer.address):
        raise _refused("address", f"{offer.address!r} is no literal address of another host")
    needed, other = ("vxlan", "port") if is_overlay_between_hosts(levels) else ("port", "vxlan")
    if getattr(offer, needed) is None:
        raise _refused(needed, f"is missing, which {levels['path']} needs")
    if getattr(offer, other) is not None:
        raise _refused(other, f"is none that {levels['path']} has")
    return offer


def _refused(field: str, why: str) -> TrialFailed:
    return TrialFailed(claimed.CODE, f"the offer's {field} {why}")
