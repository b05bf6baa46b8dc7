"""The image of one cell: a Dockerfile of Debian packages and files of the measured image."""

from __future__ import annotations

from typing import Final

from backend.core.definition.factors import Level
from backend.core.topology.model import ReverseProxyKind
from backend.core.workload.image_recipe import FOLDER

PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "postgres": ("postgresql-15",),
    "pong": ("curl",),
    "flask": ("python3-flask", "gunicorn", "curl"),
    "iperf3_server": ("iperf3",),
    "wrk": ("wrk",),
    "ab": ("apache2-utils",),
    ReverseProxyKind.NGINX_STREAM: ("nginx", "libnginx-mod-stream"),
    ReverseProxyKind.NGINX_HTTP: ("nginx",),
    ReverseProxyKind.HAPROXY_TCP: ("haproxy",),
    ReverseProxyKind.SOCAT: ("socat",),
}
"""Debian packages by what needs them; pgbench comes with postgresql-15, iperf3 with its own server."""
FILES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "postgres": (("serve-postgres", "/usr/local/bin/"),),
    "pong": (),
    "flask": (("serve-flask", "/usr/local/bin/"), ("app.py", "/usr/local/share/plimsoll/")),
    "wrk": (("report.lua", "/usr/local/share/plimsoll/"),),
    ReverseProxyKind.NGINX_STREAM: (("serve-front", "/usr/local/bin/"),),
    ReverseProxyKind.NGINX_HTTP: (("serve-front", "/usr/local/bin/"),),
    ReverseProxyKind.HAPROXY_TCP: (("serve-front", "/usr/local/bin/"),),
}
"""Files of the measured image by what needs them, and where they go."""
SOURCE: Final = {"main.go": "pong/main.go", "go.mod": "pong/go.mod"}


def stored(name: str) -> str:
    """The text of one file of the recipe."""
    return (FOLDER / SOURCE.get(name, name)).read_text("utf-8")


def needed(service: Level, tool: Level, reverse_proxy: ReverseProxyKind | None) -> tuple[str, ...]:
    """What the image must hold, as keys of PACKAGES and FILES."""
    return tuple(name for name in (str(service), str(tool), reverse_proxy) if name in PACKAGES)


def files(parts: tuple[str, ...]) -> dict[str, str]:
    """Every file of the build's folder by name, the Dockerfile first."""
    found = {name: stored(name) for part in parts for name, _ in FILES.get(part, ())}
    if "pong" in parts:
        found |= {name: stored(name) for name in SOURCE}
    return {"Dockerfile": dockerfile(parts), **found}


def dockerfile(parts: tuple[str, ...]) -> str:
    """The Dockerfile. BASE is Debian 12, as the measured image's."""
    packages = list(dict.fromkeys(name for part in parts for name in PACKAGES[part]))
    copies = [f"COPY {name} {place}" for part in parts for name, place in FILES.get(part, ())]
    pong = "pong" in parts
    return "\n".join(
        [
            "ARG BASE=debian:bookworm-slim",
            *(_BUILD if pong else ()),
            "FROM ${BASE}",
            *_OWNED,
            "ENV DEBIAN_FRONTEND=noninteractive",
            "RUN printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d \\",
            " && chmod 0755 /usr/sbin/policy-rc.d \\",
            " && mkdir -p /etc/postgresql-common \\",
            " && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \\",
            " && apt-get update -q \\",
            f" && apt-get install -y -q --no-install-recommends {' '.join(packages)} \\",
            " && rm -rf /var/lib/apt/lists/* /etc/nginx/modules-enabled \\",
            *_USERS,
            "ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\",
            "    LANG=C.UTF-8 PGDATA=/data/pg PYTHONDONTWRITEBYTECODE=1",
            *(("COPY --from=build /usr/local/bin/pong /usr/local/bin/",) if pong else ()),
            *copies,
            "RUN mkdir -p /usr/local/share/plimsoll && chmod -R a+rX /usr/local/share/plimsoll \\",
            " && find /usr/local/bin -type f -exec chmod 0755 {} +",
            "USER 10001:10001",
            'CMD ["sleep", "infinity"]',
            "",
        ]
    )


_OWNED: Final = ("ARG OWNER", 'LABEL net.plimsoll.eject="${OWNER}"')
"""By this label the script finds the stages that a build leaves without a name."""
_BUILD: Final = (
    "FROM ${BASE} AS build",
    *_OWNED,
    "RUN apt-get update -q && apt-get install -y -q --no-install-recommends golang-go",
    "COPY main.go go.mod /src/",
    "RUN cd /src && CGO_ENABLED=0 GOPROXY=off GOFLAGS=-buildvcs=false \\",
    "    go build -trimpath -ldflags='-s -w' -o /usr/local/bin/pong .",
)
_USERS: Final = (
    " && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin bench \\",
    " && install -d -o bench -g bench -m 0700 /data \\",
    " && install -d -o bench -g bench -m 0777 /sockets \\",
    " && rm -rf /var/lib/nginx && ln -s /tmp/nginx /var/lib/nginx",
)
