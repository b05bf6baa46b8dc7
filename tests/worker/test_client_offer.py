"""What the server's host offers to the client's: a literal address and the port of a server, nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.errors import TrialFailed
from worker.trial.client_offer import read_offer

PLAIN = {"address": "198.18.1.1", "port": 20001}
SECRET = "SWMTKN-1-49nj1cmql0jkz5s954yi3oex3nedyz0fb0xx14ie39trti4wxv"


def test_an_offer_names_the_servers_host() -> None:
    newer = {"of_a_newer_release": 1, "quality": {"of_a_newer_release": 1}}
    offer = read_offer(PLAIN | newer)
    assert (offer.address, offer.port) == ("198.18.1.1", 20001)


def test_a_swarm_in_an_offer_is_not_read() -> None:
    offer = read_offer(PLAIN | {"swarm": {"manager": "198.18.1.1:2377", "token": SECRET}})
    assert "swarm" not in type(offer).model_fields and SECRET not in repr(offer)


@pytest.mark.parametrize(
    "said",
    [
        {},
        PLAIN | {"address": "server.example"},
        PLAIN | {"address": SECRET, "port": SECRET},
        *(PLAIN | {"port": port} for port in (0, 22, 80, 2375, 5432, 20000, 32001, 65535)),
        *(PLAIN | {"address": at} for at in ("169.254.169.254", "127.0.0.1", "0.0.0.0", "224.0.0.1")),
        *(PLAIN | {"address": at} for at in ("255.255.255.255", "240.0.0.1", "::1", "2130706433")),
    ],
)
def test_what_is_unusable_is_refused_without_the_secret(said: dict[str, Any]) -> None:
    with pytest.raises(TrialFailed) as refused:
        read_offer(said)
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None, "the error beneath has what was said"
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
