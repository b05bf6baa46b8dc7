"""What the server's host offers to the client's: its address, and a server's port or a VXLAN's number."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.errors import TrialFailed
from tests.worker.two_hosts import LEVELS
from worker.topology.overlay_end import FIRST_NUMBER, LAST_NUMBER
from worker.trial.client_offer import read_offer

PLAIN = {"address": "198.18.1.1", "port": 20001}
OVERLAY = {**LEVELS, "path": "overlay"}
ON_OVERLAY = {"address": "198.18.1.1", "vxlan": FIRST_NUMBER + 7}
SECRET = "SWMTKN-1-49nj1cmql0jkz5s954yi3oex3nedyz0fb0xx14ie39trti4wxv"
NO_LINK = ("169.254.169.254", "127.0.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "240.0.0.1", "::1")
NO_TEXT = (SECRET, 7, None, ["198.18.1.1"])


def test_an_offer_names_the_servers_host() -> None:
    newer = {"of_a_newer_release": 1, "quality": {"of_a_newer_release": 1}}
    offer = read_offer(PLAIN | newer, LEVELS)
    assert (offer.address, offer.port, offer.vxlan) == ("198.18.1.1", 20001, None)


def test_an_offer_of_an_overlay_has_the_number_of_the_vxlan_instead_of_a_port() -> None:
    for number in (FIRST_NUMBER, LAST_NUMBER):
        offer = read_offer(ON_OVERLAY | {"vxlan": number}, OVERLAY)
        assert (offer.address, offer.port, offer.vxlan) == ("198.18.1.1", None, number)


def test_a_swarm_in_an_offer_is_not_read() -> None:
    offer = read_offer(PLAIN | {"swarm": {"manager": "198.18.1.1:2377", "token": SECRET}}, LEVELS)
    assert "swarm" not in type(offer).model_fields and SECRET not in repr(offer)


def unusable() -> list[tuple[dict[str, Any], dict[str, Any], str]]:
    """Levels, what is offered for them, and the field that is refused."""
    addresses = [
        {"address": at} for at in (*NO_LINK, *NO_TEXT, "server.example", "2130706433", "198.18.1.1 ")
    ]
    ports = [
        {"port": at} for at in (0, 22, 80, 2375, 5432, 20000, 32001, 65535, 10**30, "20001", True, 20001.5)
    ]
    numbers = (0, 42, 4097, -1, FIRST_NUMBER - 1, LAST_NUMBER + 1, 2**24, 2**64, 10**400)
    kinds = (None, True, "15728641", 15728641.5, [FIRST_NUMBER], {"number": FIRST_NUMBER}, SECRET)
    vxlans = [{"vxlan": number} for number in (*numbers, *kinds)]
    return [
        *((LEVELS, PLAIN | each, "address") for each in addresses),
        *((LEVELS, PLAIN | each, "port") for each in ports),
        (LEVELS, {}, "address"),
        (LEVELS, {"address": "198.18.1.1"}, "port"),
        (LEVELS, PLAIN | {"vxlan": FIRST_NUMBER}, "vxlan"),
        *((OVERLAY, ON_OVERLAY | each, "address") for each in addresses),
        *((OVERLAY, ON_OVERLAY | each, "vxlan") for each in vxlans),
        *((OVERLAY, ON_OVERLAY | {"port": port}, "port") for port in (5432, 20001, 22)),
        (OVERLAY, {"address": "198.18.1.1"}, "vxlan"),
        (OVERLAY, PLAIN, "vxlan"),
    ]


@pytest.mark.parametrize(("levels", "said", "field"), unusable())
def test_what_is_unusable_is_refused_without_the_secret(
    levels: dict[str, Any], said: dict[str, Any], field: str
) -> None:
    with pytest.raises(TrialFailed) as refused:
        read_offer(said, levels)
    assert str(refused.value).startswith(f"the offer's {field} ") and len(str(refused.value)) < 200
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None, "the error beneath has what was said"
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
