"""T. Myhro, 2017: IP against Unix domain sockets behind nginx. Figures as printed there.

On two cores wrk, nginx, gunicorn and docker-proxy shared the CPU, so that the differences are in part
those of CPU left over, and nginx opened a connection to gunicorn for each request.
"""

from __future__ import annotations

from typing import Final

from backend.core.definition.studies.model import (
    ClosenessClaim,
    PublishedFigure,
    PublishedStudy,
    RatioClaim,
)


def _figure(path: str, rps: float, mean_ms: float, max_ms: float) -> PublishedFigure:
    return PublishedFigure({"path": path}, {"rps": rps, "latency_avg_ms": mean_ms, "latency_max_ms": max_ms})


MYHRO_2017: Final = PublishedStudy(
    name="myhro-2017",
    title="IP against Unix domain sockets",
    author="T. Myhro",
    year=2017,
    environment=(
        "c4.large cloud instance, 2 cores, 3.75 GB; Flask 0.12, gunicorn 19.6.0 with one worker, "
        "Ubuntu Xenial; nginx on the host; wrk -d5s, 2 threads, 10 connections"
    ),
    settings={"tool": "wrk", "service": "flask", "clients": 10, "threads": 2, "app_workers": 1},
    figures=(
        _figure("nginx_http_bare", 1837.29, 5.44, 11.56),
        _figure("nginx_http_bare_unix", 2019.39, 4.95, 11.25),
        _figure("nginx_http_published", 1420.17, 7.03, 16.84),
        _figure("nginx_http_unix", 2022.18, 4.94, 10.74),
    ),
    claims=(
        RatioClaim(
            text="on the bare host the Unix socket is 5 to 10 % faster",
            cell={"path": "nginx_http_bare_unix"},
            against={"path": "nginx_http_bare"},
            at_least=1.0,
            size=1.075,
            tolerance=0.05,
            metric="rps",
        ),
        RatioClaim(
            text="in a container the Unix socket is 40 to 45 % faster than the published port",
            cell={"path": "nginx_http_unix"},
            against={"path": "nginx_http_published"},
            at_least=1.0,
            size=1.425,
            tolerance=0.1,
            metric="rps",
        ),
        ClosenessClaim(
            text="the Unix socket of a container is as fast as that of the bare host",
            cells=({"path": "nginx_http_unix"}, {"path": "nginx_http_bare_unix"}),
            within=0.05,
            metric="rps",
        ),
    ),
)
