"""The names that a document may use: paths, tools, services, scripts and storages."""

from __future__ import annotations

from typing import Final

PATH_NAMES: Final = (
    "same_container",
    "shared_namespace",
    "sibling_container",
    "default_bridge",
    "container_address",
    "published_loopback",
    "published_host_address",
    "published_remote",
    "published_hairpin",
    "published_ipv6_loopback",
    "published_routed",
    "nginx_stream",
    "haproxy_tcp",
    "socat_tcp",
    "nginx_http_published",
    "nginx_http_unix",
    "nginx_http_bare",
    "nginx_http_bare_unix",
    "host_network",
    "host_network_remote",
    "bare_host",
    "bare_host_remote",
    "unix_socket",
    "overlay",
    "overlay_encrypted",
    "macvlan",
    "ipvlan_l2",
    "ipvlan_l3",
)
"""Every path, in the order in which paths are shown; each has a file in `core.topology.paths`."""

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
