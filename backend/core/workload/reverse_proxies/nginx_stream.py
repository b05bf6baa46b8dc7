"""nginx as a TCP relay: the stream module, one recv and one send for each message, no splice."""

from __future__ import annotations

from backend.core.topology.deployment import ReverseProxySpec
from backend.core.workload.reverse_proxies.nginx import listen, main_block
from backend.core.workload.target import Target

MODULE = "/usr/lib/nginx/modules/ngx_stream_module.so"


def command(spec: ReverseProxySpec, port: int, upstream: Target) -> tuple[str, ...]:
    """Relay 127.0.0.1:port to the upstream."""
    text = (
        f"load_module {MODULE};\n"
        + main_block(spec)
        + f"stream {{ server {{ {listen(spec, port)} proxy_pass {upstream.url_host}; }} }}\n"
    )
    return ("serve-front", "nginx", text)
