"""The addresses by which the two hosts of a client session may name themselves to each other.

A host says its own address, and the other one connects there: so a stolen token could send another host's
client anywhere. What counts is what the server knows of the host: the address from which its worker calls,
and those that an administrator wrote into its policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy.orm import Session

from backend.core.plan.client_session import Phase
from backend.core.topology.link_address import is_link_address
from backend.store.repositories import host_settings, host_tokens

CODE: Final = "no_route"


def known(session: Session, host_id: str) -> frozenset[str]:
    """The addresses that the server knows of an enrolled host."""
    of_policy = host_settings.policy_of(session, host_id).addresses or ()
    return frozenset(filter(is_link_address, (*host_tokens.addresses(session, host_id), *of_policy)))


def admitted(
    session: Session, host_id: str, name: str, phase: Phase, document: Mapping[str, Any]
) -> tuple[dict[str, Any], str]:
    """What a host says in a phase, without addresses that are not known to be its own; and why it is refused.

    The reason is empty where the session goes on.
    """
    said = dict(document)
    if phase == "accepted":
        addresses = said.get("addresses")
        given = [one for one in addresses if isinstance(one, str)] if isinstance(addresses, list) else []
        own = known(session, host_id)
        said["addresses"] = [one for one in given if one in own]
        return said, "" if said["addresses"] else _why(name, ", ".join(given[:8]))
    if phase == "offered":
        address = said.get("address")
        return said, "" if isinstance(address, str) and address in known(session, host_id) else _why(
            name, str(address)
        )
    return said, ""


def _why(name: str, given: str) -> str:
    what = given[:100] or "any address"
    return (
        f"the server does not know {what} as an address of {name}, whose worker calls from another one; an "
        "administrator of the installation adds it to the host's policy (addresses)"
    )
