"""The names that a document may use: paths, tools, services, scripts and storages."""

from __future__ import annotations

from typing import Final

PATH_TITLES: Final = {
    "same_container": "Same container",
    "shared_namespace": "Shared network namespace",
    "sibling_container": "Sibling container",
    "default_bridge": "Sibling container on the default bridge",
    "container_address": "Container address",
    "published_loopback": "Published port on 127.0.0.1",
    "published_host_address": "Published port on the host's address",
    "published_remote": "Published port from another host",
    "published_hairpin": "Published port from a sibling container",
    "published_ipv6_loopback": "Published port on [::1]",
    "published_routed": "Routed container address",
    "nginx_stream": "Reverse proxy nginx (TCP)",
    "haproxy_tcp": "Reverse proxy HAProxy (TCP)",
    "socat_tcp": "Reverse proxy socat (TCP)",
    "nginx_http_published": "Reverse proxy nginx (HTTP), published port",
    "nginx_http_unix": "Reverse proxy nginx (HTTP), Unix socket",
    "nginx_http_bare": "Reverse proxy nginx (HTTP), bare host",
    "nginx_http_bare_unix": "Reverse proxy nginx (HTTP), bare-host socket",
    "host_network": "Host network",
    "host_network_remote": "Host network from another host",
    "bare_host": "Bare host",
    "bare_host_remote": "Bare host from another host",
    "unix_socket": "Unix socket",
    "overlay": "Overlay network",
    "overlay_encrypted": "Encrypted overlay network",
    "macvlan": "macvlan network",
    "ipvlan_l2": "ipvlan network (L2)",
    "ipvlan_l3": "ipvlan network (L3)",
}
"""The title of every path, in the order in which they are shown; each has a file in `core.topology.paths`."""
PATH_NAMES: Final = tuple(PATH_TITLES)

TOOLS: Final = ("pgbench", "wrk", "ab", "iperf3")
SERVICES: Final = ("postgres", "pong", "flask", "iperf3_server")
FITS: Final[dict[str, tuple[str, ...]]] = {
    "pgbench": ("postgres",),
    "wrk": ("pong", "flask"),
    "ab": ("pong", "flask"),
    "iperf3": ("iperf3_server",),
}
"""The services that each tool can load."""
SCRIPTS: Final = ("select_only", "simple_update", "tpcb_like")
STORAGES: Final = ("memory", "layer", "volume")
PROXY_PROGRAM: Final = "docker-proxy"

_NGINX_HTTP = ("nginx_http_published", "nginx_http_unix", "nginx_http_bare", "nginx_http_bare_unix")
REVERSE_PROXY_PATHS: Final[dict[str, tuple[str, ...]]] = {
    "nginx": ("nginx_stream", *_NGINX_HTTP),
    "haproxy": ("haproxy_tcp",),
    "http": _NGINX_HTTP,
    "workers": ("nginx_stream", "haproxy_tcp", *_NGINX_HTTP),
    "any": ("nginx_stream", "haproxy_tcp", "socat_tcp", *_NGINX_HTTP),
}
"""Paths through a reverse proxy, by the program or the setting that they have in common."""
