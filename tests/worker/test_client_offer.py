"""What the server's host offers to the client's: literal addresses, and a secret that no text repeats."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.errors import TrialFailed
from worker.trial.client_offer import Offer, read_offer

TOKEN = "SWMTKN-1-49nj1cmql0jkz5s954yi3oex3nedyz0fb0xx14ie39trti4wxv-8vxv8rssmk743ojnwacrr2e7c"
PLAIN = {"address": "198.18.1.1", "port": 20001}
SWARM = {"manager": "198.18.1.1:2377", "token": TOKEN}
SERVICE = "postgres"
LINKED = {"address": "198.19.128.2", "port": 5432, "swarm": SWARM}


def test_an_offer_without_a_swarm_names_the_servers_host() -> None:
    newer = {"of_a_newer_release": 1, "quality": {"of_a_newer_release": 1}}
    offer = read_offer(PLAIN | newer, False, SERVICE)
    assert (offer.address, offer.port, offer.host) == ("198.18.1.1", 20001, "198.18.1.1")
    assert offer.unknown() == {"vxlan_bytes", "vxlan_packets"}


def test_the_swarms_manager_is_the_servers_host() -> None:
    offer = read_offer(LINKED, True, SERVICE)
    assert (offer.address, offer.host) == ("198.19.128.2", "198.18.1.1")
    assert offer.swarm is not None
    assert offer.swarm.token.get_secret_value() == TOKEN
    assert offer.unknown() == set()


def test_the_secret_is_in_no_text_of_an_offer() -> None:
    offer = read_offer(LINKED, True, SERVICE)
    assert TOKEN not in f"{offer!r} {offer} {offer.model_dump()} {offer.model_dump_json()}"
    assert Offer.model_validate(LINKED) == offer


@pytest.mark.parametrize(
    ("said", "linked"),
    [
        (PLAIN | {"address": "server.example"}, False),
        (PLAIN | {"port": 0}, False),
        *((PLAIN | {"port": port}, False) for port in (22, 80, 2375, 5432, 20000, 32001, 65535)),
        *((LINKED | {"port": port}, True) for port in (22, 20001, 5433)),
        *((PLAIN | {"address": at}, False) for at in ("169.254.169.254", "127.0.0.1", "0.0.0.0")),
        *((PLAIN | {"address": at}, False) for at in ("224.0.0.1", "255.255.255.255", "240.0.0.1", "::1")),
        *((LINKED | {"address": at}, True) for at in ("192.0.2.7", "198.18.1.1", "10.0.0.1")),
        ({}, False),
        (PLAIN, True),
        (LINKED, False),
        (LINKED | {"swarm": SWARM | {"manager": "manager.example:2377"}}, True),
        (LINKED | {"swarm": SWARM | {"manager": "198.18.1.1:22"}}, True),
        (LINKED | {"swarm": SWARM | {"manager": "999.18.1.1:2377"}}, True),
        (LINKED | {"swarm": SWARM | {"manager": 7, "token": TOKEN * 3}}, True),
        (LINKED | {"swarm": SWARM | {"token": [TOKEN]}}, True),
    ],
)
def test_what_is_unusable_is_refused_without_the_secret(said: dict[str, Any], linked: bool) -> None:
    with pytest.raises(TrialFailed) as refused:
        read_offer(said, linked, SERVICE)
    assert TOKEN not in str(refused.value)
    assert refused.value.__cause__ is None, "the error beneath has what was said"
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
