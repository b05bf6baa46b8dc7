"""D. Barbarin, 2019: Docker's network drivers and iperf3. Figures as printed there.

The study's heading says GB/s; its link had 10 Gbit/s, so the figures are Gbit/s. Its client stood on
another host, but for docker-proxy on the Docker host itself, so that this row is of another topology.
"""

from __future__ import annotations

from typing import Final

from backend.core.definition.studies.model import (
    ClosenessClaim,
    PublishedFigure,
    PublishedStudy,
    RatioClaim,
    RoleClaim,
)

_RATE = "throughput_gbit_s"


def _figure(path: str, gbit_s: float) -> PublishedFigure:
    return PublishedFigure({"path": path}, {_RATE: gbit_s})


BARBARIN_2019: Final = PublishedStudy(
    name="barbarin-2019",
    title="Docker network drivers and their overhead",
    author="D. Barbarin",
    year=2019,
    environment="Docker 18.09.5, Swarm of three nodes with one manager, link of 10 Gbit/s; iperf3",
    settings={"tool": "iperf3", "userland_proxy": True, "clients": 1, "transport": "tcp"},
    figures=(
        _figure("bare_host_remote", 10.3),
        _figure("host_network_remote", 10.3),
        _figure("published_remote", 8.93),
        _figure("published_loopback", 7.37),
        _figure("overlay", 7.04),
    ),
    claims=(
        RatioClaim(
            text="the bridge costs about 13 %",
            cell={"path": "published_remote"},
            against={"path": "bare_host_remote"},
            at_most=1.0,
            size=0.87,
            tolerance=0.05,
            metric=_RATE,
        ),
        RatioClaim(
            text="docker-proxy costs about 28 %",
            cell={"path": "published_loopback", "userland_proxy": True},
            against={"path": "bare_host_remote", "userland_proxy": True},
            at_most=1.0,
            size=0.72,
            tolerance=0.1,
            metric=_RATE,
        ),
        RoleClaim(
            text="docker-proxy uses one core fully",
            cell={"path": "published_loopback", "userland_proxy": True},
            role="proxy",
            at_least=0.5,
            size=1.0,
            tolerance=0.2,
        ),
        RatioClaim(
            text="the overlay (VXLAN) costs about 30 %",
            cell={"path": "overlay"},
            against={"path": "bare_host_remote"},
            at_most=1.0,
            size=0.70,
            tolerance=0.1,
            metric=_RATE,
        ),
        ClosenessClaim(
            text="the same host reached by its own IP instead of localhost behaves like the bridge",
            cells=({"path": "published_host_address"}, {"path": "published_remote"}),
            within=0.1,
            metric=_RATE,
        ),
        RoleClaim(
            text="docker-proxy is not in the path to the host's own IP",
            cell={"path": "published_host_address"},
            role="proxy",
            at_most=0.02,
        ),
    ),
)
