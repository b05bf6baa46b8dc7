"""What the server's host says to the client's: the request of a client, and the offer of a server."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from backend.core.definition.quality import Quality
from backend.core.errors import TrialFailed
from backend.core.topology.link_address import is_link_address
from backend.core.workload.services import SERVICES
from worker.engine.names import OVERLAY_ADDRESSES
from worker.engine.swarm import PORT
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


class OfferedSwarm(BaseModel):
    """The swarm whose overlay the server is on: its manager's address and port, and the secret to join it."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    manager: Annotated[str, Field(pattern=rf"^[0-9.]{{7,15}}:{PORT}$")]
    token: Annotated[SecretStr, Field(max_length=MOST_CHARACTERS)]


class Offer(BaseModel):
    """Where the server is, and the limits of the quiet gate; a server's host of an older release has none.

    `swarm`: the address is on an overlay of both hosts.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)
    swarm: OfferedSwarm | None = None
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

    @property
    def host(self) -> str:
        """The address of the server's host on the link."""
        return self.address if self.swarm is None else self.swarm.manager.partition(":")[0]

    def unknown(self) -> set[str]:
        """Fields of a result that a server's host refuses which is of a release without swarms."""
        return {"vxlan_bytes", "vxlan_packets"} if self.swarm is None else set()


def read_offer(said: Mapping[str, Any], linked: bool, service: str) -> Offer:
    """The offer in a session's document; `linked`: the cell is one of a swarm over two hosts.

    Raises TrialFailed for an address that no host has on a link, for a port that no server of this service
    has, and where the swarm is missing or unasked for.
    """
    try:
        offer = Offer.model_validate(dict(said))
    except ValidationError as error:
        raise TrialFailed(
            claimed.CODE, f"the server's address is unusable: {error.errors()[0]['msg']}"
        ) from None  # the error's own text contains what was said, which may be a secret
    for address in (offer.address, offer.host):
        if not is_link_address(address):
            raise TrialFailed(claimed.CODE, f"{address!r} is no literal address of another host")
    if (offer.swarm is not None) is not linked:
        raise TrialFailed(claimed.CODE, "the server's host offers a swarm for overlay, and for nothing else")
    if linked and ipaddress.IPv4Address(offer.address) not in ipaddress.IPv4Network(OVERLAY_ADDRESSES):
        raise TrialFailed(claimed.CODE, f"{offer.address!r} is no address of an overlay")
    ports = range(FIRST, LAST + 1) if not linked else (SERVICES[service].port,)
    if offer.port not in ports:
        raise TrialFailed(claimed.CODE, f"no server of a trial has the port {offer.port}")
    return offer
