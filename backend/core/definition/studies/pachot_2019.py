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

PACHOT_2019: Final = PublishedStudy(
    name="pachot-2019",
    title="High CPU usage in docker-proxy with a chatty database application",
    citation=(
        "F. Pachot, “High CPU usage in docker-proxy with a chatty database application”, blog post, 2019"
    ),
    environment=(
        "CentOS 7.6, Docker 18.09, 4 cores, postgres:latest; "
        "pgbench -c 5 -j 1 -t 100000 -S -M prepared, scale 5"
    ),
    settings={"clients": 5, "threads": 1, "protocol": "prepared", "scale": 5},
    figures={
        ("same_container", True): PublishedFigure(17512.433838, 17510.332823, 0.286),
        ("sibling_container", True): PublishedFigure(13966.547260, 13964.823706, 0.358),
        ("published_loopback", True): PublishedFigure(10810.876728, 10803.986896, None),
        ("same_container", False): PublishedFigure(18220.944898, 18218.661669, 0.274),
        ("sibling_container", False): PublishedFigure(15499.077232, 15497.325700, 0.323),
        ("published_loopback", False): PublishedFigure(16552.098558, 16540.617239, None),
    },
    baseline=("same_container", True),
    claims=(
        RatioClaim(
            text="docker-proxy slows the docker-host client by about 40 %",
            cell={"path": "published_loopback", "userland_proxy": True},
            against={"path": "published_loopback", "userland_proxy": False},
            at_most=0.8,
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
            text="docker-proxy stands high in top during the docker-host run",
            cell={"path": "published_loopback", "userland_proxy": True},
            role="proxy",
            at_least=0.25,
        ),
    ),
)
