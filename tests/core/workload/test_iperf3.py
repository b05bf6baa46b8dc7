"""iperf3's command lines, word for word, and what it refuses."""

from __future__ import annotations

import pytest

from backend.core.definition.factors import Level
from backend.core.workload.iperf3 import TOOL
from backend.core.workload.target import Target

TARGET = Target("198.18.64.2", 5201)
HEAD = "iperf3 -c 198.18.64.2 -p 5201 -t 10"


@pytest.mark.parametrize(
    ("levels", "wanted"),
    [
        ({"clients": 1}, f"{HEAD} -P 1 -i 1 -O 0 -J"),
        ({"clients": 4, "reverse": True}, f"{HEAD} -P 4 -i 1 -O 0 -J -R"),
        (
            {"clients": 4, "transport": "udp", "udp_mbit_s": 1000},
            f"{HEAD} -P 4 -i 1 -O 0 -J -u -b 250000000 -l 1350",
        ),
        (
            {"clients": 3, "transport": "udp", "udp_mbit_s": 10, "reverse": True},
            f"{HEAD} -P 3 -i 1 -O 0 -J -R -u -b 3333333 -l 1350",
        ),
        ({"clients": 1, "transport": "tcp", "udp_mbit_s": 10}, f"{HEAD} -P 1 -i 1 -O 0 -J"),
    ],
)
def test_the_offered_rate_is_shared_by_the_streams(levels: dict[str, Level], wanted: str) -> None:
    assert " ".join(TOOL.run(levels, TARGET, 10)) == wanted


@pytest.mark.parametrize(
    ("levels", "field", "remedy"),
    [
        ({"clients": 129, "duration_s": 10}, "clients", "128 or fewer"),
        ({"clients": 100, "duration_s": 301}, "duration_s", "at most 300"),
        ({"clients": 1, "duration_s": 5, "transport": "udp", "udp_mbit_s": 1}, "udp_mbit_s", "2 or more"),
    ],
)
def test_its_limits_are_refused_with_the_remedy(levels: dict[str, Level], field: str, remedy: str) -> None:
    refusal = TOOL.refuse(levels)
    assert refusal is not None
    assert refusal.startswith(f"{field}: ")
    assert remedy in refusal


def test_what_it_can_do_is_not_refused() -> None:
    assert TOOL.refuse({"clients": 128, "duration_s": 200}) is None
    assert TOOL.refuse({"clients": 1, "duration_s": 5, "transport": "udp", "udp_mbit_s": 2}) is None
    assert TOOL.needs_tcp
    assert TOOL.connections({"clients": 8}) == 8
