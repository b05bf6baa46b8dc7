"""F. Pachot, 2019: docker-proxy and pgbench. Figures as printed there; nothing computed from them.

The study's placements are our paths: same-container is same_container, sibling-container is
sibling_container, docker-host (through the published port of localhost) is published_loopback.
It printed one run for each cell and neither the number of runs nor their spread.
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


def _figure(path: str, proxy: bool, tps: float, latency_ms: float | None = None) -> PublishedFigure:
    """`tps` excludes the time of connecting."""
    values = {"tps": tps} if latency_ms is None else {"tps": tps, "latency_avg_ms": latency_ms}
    return PublishedFigure({"path": path, "userland_proxy": proxy}, values)


PACHOT_2019: Final = PublishedStudy(
    name="pachot-2019",
    title="High CPU usage in docker-proxy with a chatty database application",
    author="F. Pachot",
    year=2019,
    environment=(
        "CentOS 7.6, Docker 18.09, 4 cores, postgres:latest; "
        "pgbench -c 5 -j 1 -t 100000 -S -M prepared, scale 5"
    ),
    settings={"tool": "pgbench", "clients": 5, "threads": 1, "protocol": "prepared", "scale": 5},
    figures=(
        _figure("same_container", True, 17512.433838, 0.286),
        _figure("sibling_container", True, 13966.547260, 0.358),
        _figure("published_loopback", True, 10810.876728),
        _figure("same_container", False, 18220.944898, 0.274),
        _figure("sibling_container", False, 15499.077232, 0.323),
        _figure("published_loopback", False, 16552.098558),
    ),
    claims=(
        RatioClaim(
            text="docker-proxy slows the docker-host client by about 40 %",
            cell={"path": "published_loopback", "userland_proxy": True},
            against={"path": "published_loopback", "userland_proxy": False},
            at_most=1.0,
            size=0.6,
            tolerance=0.15,
        ),
        ClosenessClaim(
            text="without docker-proxy all placements lie within about 10 % of each other",
            cells=(
                {"path": "same_container", "userland_proxy": False},
                {"path": "sibling_container", "userland_proxy": False},
                {"path": "published_loopback", "userland_proxy": False},
            ),
            within=0.1,
        ),
        RoleClaim(
            text="docker-proxy ranks high in top during the docker-host run",
            cell={"path": "published_loopback", "userland_proxy": True},
            role="proxy",
            at_least=0.25,
        ),
    ),
)
