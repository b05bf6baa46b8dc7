"""nginx as an HTTP reverse proxy, to an address or to a Unix socket.

Without `keepalive` nginx opens a connection to the service for every request, as in myhro-2017.
"""

from __future__ import annotations

from backend.core.topology.deployment import ReverseProxySpec
from backend.core.workload.reverse_proxies.nginx import listen, main_block
from backend.core.workload.target import Target

KEPT = 64
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def command(spec: ReverseProxySpec, port: int, upstream: Target) -> tuple[str, ...]:
    """Pass requests on 127.0.0.1:port on to the upstream."""
    server = f"unix:{upstream.socket}" if upstream.socket else upstream.url_host
    keeps = bool(spec.setting("front_keep_alive"))
    folders = "".join(f"  {name}_temp_path /tmp/{name};\n" for name in TEMPORARY)
    text = (
        main_block(spec)
        + "http {\n  access_log off;\n"
        + folders
        + f"  upstream app {{ server {server};{f' keepalive {KEPT};' if keeps else ''} }}\n"
        + f"  server {{ {listen(spec, port)}\n    location / {{ proxy_pass http://app;"
        + (' proxy_http_version 1.1; proxy_set_header Connection "";' if keeps else "")
        + " }\n  }\n}\n"
    )
    return ("serve-front", "nginx", text)
