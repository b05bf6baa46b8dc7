"""The parts that all nginx configurations share."""

from __future__ import annotations

from backend.core.topology.deployment import ReverseProxySpec


def main_block(spec: ReverseProxySpec) -> str:
    """Workers and accept_mutex of the cell; the latter is always explicit, because its default changed."""
    mutex = "on" if spec.setting("front_accept_mutex") else "off"
    return (
        f"worker_processes {spec.setting('front_workers')};\n"
        "daemon off;\n"
        "pid /tmp/nginx.pid;\n"
        "error_log stderr warn;\n"
        f"events {{ worker_connections 2048; accept_mutex {mutex}; }}\n"
    )


def listen(spec: ReverseProxySpec, port: int) -> str:
    """The listening directive; with reuseport every worker has a socket of its own."""
    return f"listen 127.0.0.1:{port}{' reuseport' if spec.setting('front_reuseport') else ''};"
