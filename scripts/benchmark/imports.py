"""How long imports of a thousand logs take beyond their transfer, on services of its own.

A request has at most 8 MiB: short logs are one import, and logs of a MiB are imports of seven each. Bodies
are made before the clock starts; their transfer is that of the same bytes over a connection of this host
to a program that reads and drops them. Needs no root.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any, Final

import httpx2

from backend.api.security import MAX_IMPORT_BYTES
from scripts.benchmark import watching
from scripts.benchmark.rest import client
from scripts.benchmark.watching import Product
from tests.services import ROOT

LOGS: Final = 1000
MEBIBYTE: Final = 1024 * 1024
LIMIT_S: Final = 10.0
REPORT: Final = ROOT / "tests" / "fixtures" / "versions" / "pgbench" / "15-progress.stdout"
INTERVAL: Final = "progress: {n}.0 s, {rate:.1f} tps, lat 0.{n:03d} ms stddev 0.1{rate:02.0f}, 0 failed\n"
OTHER: Final = "2026-01-01 00:00:{n:02d} UTC LOG:  checkpoint complete: wrote {rate:.1f} buffers\n"
EXPERIMENT: Final[dict[str, Any]] = {
    "api_version": "plimsoll/v1",
    "name": "thousand-logs",
    "title": "A thousand logs",
    "factors": {
        "path": ["same_container", "published_loopback"],
        "clients": 4,
        "threads": 2,
        "protocol": "simple",
        "scale": 2,
        "duration_s": 2,
    },
    "baseline": {"path": "same_container"},
}


def measure() -> dict[str, Any]:
    """Seconds beyond the transfer of each kind of a thousand logs, with the services' CPU seconds."""
    size = MAX_IMPORT_BYTES * 9 // 10 // LOGS
    with watching.started(rate_caller_writes="off", rate_address_writes="off") as product:
        return {
            "limit_s": LIMIT_S,
            "one_import_of_short_logs": _imported(product, INTERVAL, size, LOGS),
            "logs_of_a_mebibyte_of_other_text": _imported(product, OTHER, MEBIBYTE, 7),
            "logs_of_a_mebibyte_of_intervals": _imported(product, INTERVAL, MEBIBYTE, 7),
            "one_of_a_thousand_is_wrong": _refused(product, size),
        }


def text(line: str, size: int, turn: int) -> str:
    """A log of at most `size` characters: a real report with lines before it, another rate in each turn."""
    report = REPORT.read_text().replace("62873", f"{62873 + turn}")
    report = report.replace("31465.952131", f"{31465.952131 + turn / 2:.6f}")
    lines = []
    left = size - len(report)
    for n in range(1, size):
        lines.append(line.format(n=n, rate=10_000 + (n * 7919 + turn) % 997))
        left -= len(lines[-1])
        if left < 0:
            break
    return "".join(lines[:-1]) + report


def body(texts: Sequence[str]) -> bytes:
    """The request of these logs, in turn of the two paths."""
    paths = EXPERIMENT["factors"]["path"]
    logs = [
        {"levels": {"path": paths[turn % 2]}, "round": turn // 2 + 1, "stdout": stdout}
        for turn, stdout in enumerate(texts)
    ]
    return json.dumps({"host": "bench", "experiment": EXPERIMENT, "logs": logs}).encode()


def _imported(product: Product, line: str, size: int, each: int) -> dict[str, Any]:
    """LOGS logs in imports of so many each."""
    spent = transfer = 0.0
    used, largest = product.cpu_s(), 0.0
    with client(product.url, 600) as api:
        for first in range(0, LOGS, each):
            logs = [text(line, size, turn) for turn in range(first, min(first + each, LOGS))]
            content = body(logs)
            transfer += _transferred(content)
            began = time.monotonic()
            _post(api, content).raise_for_status()
            spent += time.monotonic() - began
            largest = max(largest, time.monotonic() - began)
    return {
        "imports": -(-LOGS // each),
        "megabytes": round(LOGS * size / 1e6, 1),
        "seconds": round(spent, 1),
        "transfer_seconds": round(transfer, 2),
        "beyond_transfer_seconds": round(spent - transfer, 1),
        "longest_import_seconds": round(largest, 2),
        "cpu_seconds_of_services": round(product.cpu_s() - used, 1),
    }


def _refused(product: Product, size: int) -> dict[str, Any]:
    """One import with a log that cannot be read: what it says, and how soon."""
    logs = [text(INTERVAL, size, turn) for turn in range(LOGS)]
    logs[LOGS * 3 // 5] = logs[LOGS * 3 // 5].replace("latency average = ", "latency average = about ")
    with client(product.url, 600) as api:
        began = time.monotonic()
        answer = _post(api, body(logs))
        spent = time.monotonic() - began
    (error,) = answer.json()["errors"]
    return {"status": answer.status_code, "pointer": error["pointer"], "seconds": round(spent, 1)}


def _post(api: httpx2.Client, content: bytes) -> httpx2.Response:
    return api.post("/imports", content=content, headers={"Content-Type": "application/json"})


def _transferred(content: bytes) -> float:
    """Seconds that these bytes take over a loopback connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_drop, args=(server,))
        thread.start()
        began = time.monotonic()
        with socket.create_connection(server.getsockname()) as connection:
            connection.sendall(content)
        thread.join()
        return time.monotonic() - began


def _drop(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        while connection.recv(MEBIBYTE):
            pass
