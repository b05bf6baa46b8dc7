"""whoisnian, 2024: docker-proxy, its replacements and the service's own settings. Figures as printed there.

CPU stood in per cent of one core, three samples of top, and is given in cores here. All three tables
asked a Go service on port 8080; the rows of the path table had --cpus=2 and GOMAXPROCS=3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from backend.core.definition.factors import Level
from backend.core.definition.studies.model import (
    HIGHEST,
    ClosenessClaim,
    Levels,
    PublishedFigure,
    PublishedStudy,
    RatioClaim,
    RoleClaim,
    SpreadClaim,
)

_Rows = dict[int, tuple[tuple[int, int, int], ...]]
"""Per cent of the service and of the tool, and requests per second; by quota or GOMAXPROCS."""
_CLIENTS: Final = (1, 2, 4, 6, 8, 10)
_Row = tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]]
"""Per cent of the service, of the proxy and of the tool, and requests per second; by concurrency."""

_PATHS: Final[dict[tuple[str, bool], _Row]] = {
    ("published_loopback", True): (
        (67, 96, 133, 167, 189, 200),
        (41, 67, 153, 227, 297, 363),
        (20, 38, 68, 104, 140, 163),
        (18559, 37077, 60250, 81457, 96570, 104760),
    ),
    ("nginx_stream", True): (
        (67, 102, 141, 160, 195, 200),
        (32, 64, 96, 96, 150, 156),
        (20, 39, 77, 94, 145, 160),
        (18437, 35893, 67098, 84093, 116993, 126640),
    ),
    ("haproxy_tcp", True): (
        (64, 99, 141, 170, 196, 200),
        (38, 77, 151, 188, 223, 223),
        (19, 37, 73, 108, 142, 157),
        (17955, 34459, 63186, 88561, 111106, 120964),
    ),
    ("container_address", True): (
        (107, 132, 183, 200, 200, 200),
        (),
        (34, 69, 142, 185, 199, 198),
        (30166, 60585, 119059, 142879, 156343, 156780),
    ),
    ("published_loopback", False): (
        (101, 128, 176, 200, 200, 200),
        (),
        (35, 70, 146, 200, 217, 218),
        (28558, 56730, 110939, 141769, 154384, 153135),
    ),
}

_QUOTA_CELLS: Final = (("ab", 1), ("ab", 2), ("ab", 4), *(("wrk", n) for n in (1, 2, 4, 6, 8)))
_QUOTAS: Final[_Rows] = {
    1: ((74, 38, 9324), (100, 46, 13457), (100, 42, 13003), (100, 28, 26815), (100, 44, 40840),
        (100, 48, 40787), (100, 45, 33100), (100, 44, 27124)),
    2: ((74, 38, 9290), (130, 58, 17044), (150, 60, 18940), (118, 33, 31009), (150, 65, 60099),
        (200, 95, 81361), (200, 90, 66332), (200, 88, 54463)),
    3: ((74, 38, 9210), (130, 58, 17087), (149, 60, 18925), (119, 33, 31096), (149, 65, 60441),
        (273, 132, 117629), (300, 136, 100612), (300, 135, 82927)),
    4: ((74, 38, 9263), (130, 58, 17037), (150, 60, 18974), (117, 33, 31068), (150, 65, 60507),
        (275, 131, 116223), (400, 181, 137259), (400, 177, 108210)),
}  # fmt: skip
_PROCS: Final[_Rows] = {
    1: ((60, 39, 37983), (79, 78, 75533), (80, 78, 80021), (79, 78, 80577), (79, 78, 80126)),
    2: ((102, 36, 34434), (107, 70, 66081), (160, 145, 128777), (160, 159, 140328), (160, 159, 141503)),
    3: ((113, 33, 31078), (137, 67, 62294), (190, 139, 123172), (200, 168, 140045), (200, 184, 150832)),
    4: ((114, 33, 31508), (143, 67, 61602), (200, 124, 107115), (200, 146, 121266), (200, 164, 130300)),
    16: ((116, 33, 31116), (150, 66, 60348), (200, 97, 82150), (200, 91, 67595), (200, 90, 55395)),
}


def _cell(**levels: Level) -> dict[str, Level]:
    """The settings of the path table under the given levels."""
    return {"userland_proxy": True, "tool": "wrk", "server_cpus": 2, "gomaxprocs": 3, **levels}


def _values(server: int, client: int, rps: int) -> dict[str, float]:
    return {"rps": rps, "server_cpu_cores": server / 100, "client_cpu_cores": client / 100}


def _by_path() -> Iterator[PublishedFigure]:
    for (path, proxy), (server, proxies, client, rps) in _PATHS.items():
        for place, clients in enumerate(_CLIENTS):
            values = _values(server[place], client[place], rps[place])
            if proxies:
                values["proxy_cpu_cores"] = proxies[place] / 100
            yield PublishedFigure(_cell(path=path, userland_proxy=proxy, clients=clients), values)


def _on_host_network() -> Iterator[PublishedFigure]:
    for cpus, row in _QUOTAS.items():
        for (tool, clients), figures in zip(_QUOTA_CELLS, row, strict=True):
            levels = _cell(path="host_network", tool=tool, clients=clients, server_cpus=cpus, gomaxprocs=0)
            yield PublishedFigure(levels, _values(*figures))
    for procs, row in _PROCS.items():
        for clients, figures in zip((1, 2, 4, 6, 8), row, strict=True):
            yield PublishedFigure(
                _cell(path="host_network", clients=clients, gomaxprocs=procs), _values(*figures)
            )
    yield PublishedFigure(_cell(path="host_network", clients=10), {"rps": 150762})


_PROXY: Final[Levels] = {"path": "published_loopback", "userland_proxy": True, "clients": HIGHEST}
_NGINX: Final[Levels] = {"path": "nginx_stream", "userland_proxy": True, "clients": HIGHEST}
_HAPROXY: Final[Levels] = {"path": "haproxy_tcp", "userland_proxy": True, "clients": HIGHEST}
_ADDRESS: Final[Levels] = {"path": "container_address", "userland_proxy": True, "clients": HIGHEST}
_IPTABLES: Final[Levels] = {"path": "published_loopback", "userland_proxy": False, "clients": HIGHEST}
_HOST: Final[Levels] = {"path": "host_network", "userland_proxy": True, "clients": HIGHEST}
_PROCS_OF: Final[Levels] = {"path": "host_network", "tool": "wrk", "server_cpus": 2, "clients": HIGHEST}

WHOISNIAN_2024: Final = PublishedStudy(
    name="whoisnian-2024",
    title="High CPU use of docker-proxy",
    author="whoisnian",
    year=2024,
    environment=(
        "Arch Linux, kernel 6.11.6, AMD Ryzen 7 3700X (8 cores, 16 threads), 31 GiB, Docker 27.3.1, ab 2.3, "
        "wrk 4.2.0, nginx 1.27.2 with 4 workers, haproxy 3.0.6 with 4 threads; wrk -cN -tN -d30"
    ),
    settings={"service": "pong", "threads": 0},
    figures=(*_by_path(), *_on_host_network()),
    claims=(
        RoleClaim(
            text="at high concurrency docker-proxy costs more CPU than the service itself",
            cell=_PROXY,
            role="proxy",
            per="server",
            at_least=1.0,
        ),
        RatioClaim(
            text="docker-proxy costs about a third of the throughput of the host network",
            cell=_PROXY,
            against=_HOST,
            at_most=1.0,
            size=0.67,
            tolerance=0.12,
            metric="rps",
        ),
        RatioClaim(
            text="nginx needs about half of docker-proxy's CPU at high load",
            cell=_NGINX,
            against=_PROXY,
            at_most=1.0,
            size=0.5,
            tolerance=0.15,
            metric="proxy_cpu_cores",
        ),
        RatioClaim(
            text="haproxy saves less CPU than nginx",
            cell=_HAPROXY,
            against=_NGINX,
            at_least=1.0,
            metric="proxy_cpu_cores",
        ),
        RoleClaim(
            text="the container's address costs no proxy CPU",
            cell=_ADDRESS,
            role="proxy",
            at_most=0.02,
        ),
        RoleClaim(text="iptables cost no proxy CPU", cell=_IPTABLES, role="proxy", at_most=0.02),
        ClosenessClaim(
            text="the container's address and iptables lie near the host network",
            cells=(_HOST, _ADDRESS, _IPTABLES),
            within=0.1,
            metric="rps",
        ),
        RatioClaim(
            text="a GOMAXPROCS far above the CPU quota costs the service throughput",
            cell={**_PROCS_OF, "gomaxprocs": HIGHEST},
            against={**_PROCS_OF, "gomaxprocs": 2},
            at_most=1.0,
            metric="rps",
        ),
        RatioClaim(
            text="a GOMAXPROCS far above the CPU quota costs the service context switches",
            cell={**_PROCS_OF, "gomaxprocs": HIGHEST},
            against={**_PROCS_OF, "gomaxprocs": 2},
            at_least=1.0,
            metric="server_switches_per_txn",
        ),
        SpreadClaim(
            text="nginx workers share the load unevenly",
            cell=_NGINX,
            process="nginx worker",
            count="front_workers",
            at_least=1.25,
        ),
    ),
)
