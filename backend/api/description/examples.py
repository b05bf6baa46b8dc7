"""Examples for the OpenAPI document: the presets, and short example responses."""

from __future__ import annotations

from typing import Any

import yaml

from backend.api.description.library_examples import library_examples
from backend.api.description.request_examples import REQUEST_EXAMPLES
from backend.core.definition.canonical import canonical
from backend.core.definition.presets import presets

_RUN: dict[str, Any] = {
    "id": "run_3k9xq2m4v7c8t1zd",
    "experiment_id": "exp_8d2fjw0n5r6yb4hk",
    "name": "pachot-2019",
    "title": "High CPU usage in docker-proxy with a chatty database application",
    "host": "bench-1",
    "origin": "measured",
    "state": "running",
    "seed": 2019,
    "created_at": "2026-11-20T18:00:00.000Z",
    "started_at": "2026-11-20T18:00:01.200Z",
    "finished_at": None,
    "cancel_requested": False,
    "progress": {
        "total": 70,
        "done": 12,
        "failed": 0,
        "cancelled": 0,
        "skipped": 0,
        "spared": 0,
        "running": 1,
        "eta_s": 731.5,
    },
    "current": {
        "trial_id": "trl_0v5c3s7q9f1m2x8e",
        "cell_id": "c7",
        "label": "published_loopback, userland-proxy on",
        "round": 2,
    },
}

_PROFILE: dict[str, Any] = {
    "run_id": _RUN["id"],
    "cell_id": "c7",
    "state": "taken",
    "reason": None,
    "ended_at": "2026-11-20T18:20:07.310Z",
    "profile": {
        "frequency_hz": 99,
        "seconds": 10.0,
        "samples": 1500,
        "idle_samples": 480,
        "pruned_samples": 0,
        "kernel_symbols": True,
        "program": "perf version 6.1.187",
        "frames": [
            {"name": "proxy", "parent": None, "own": 0, "total": 900},
            {"name": "docker-proxy", "parent": 0, "own": 0, "total": 900},
            {"name": "tcp_sendmsg", "parent": 1, "own": 900, "total": 900},
            {"name": "server", "parent": None, "own": 600, "total": 600},
        ],
        "functions": [{"name": "tcp_sendmsg", "role": None, "own": 900, "total": 900}],
    },
}

_EXTENSION = {"cells": ["c7"], "rounds": 10}
_EXTENDING = {
    **_RUN,
    "id": "run_6p1wz8n3b5h0r4yc",
    "state": "queued",
    "started_at": None,
    "current": None,
    "progress": {**_RUN["progress"], "total": 20, "done": 0, "running": 0, "eta_s": 402.0},
    "extension": {"run_id": _RUN["id"], "number": 1, "rounds": 10},
}

_MATRIX = {
    "run_id": _RUN["id"],
    "state": "running",
    "origin": "measured",
    "last_event_id": 412,
    "rounds": 3,
    "cells": [
        {
            "id": "c1",
            "label": "Same container",
            "path": "same_container",
            "metric": "tps",
            "is_baseline": True,
            "infeasible": None,
            "states": "dtq",
            "rates": [14210.0, 14188.0, None],
        }
    ],
}

_GROUP = {
    "id": "grp_8k2m5x9q1c4v7f0d",
    "experiment_id": _RUN["experiment_id"],
    "name": _RUN["name"],
    "title": _RUN["title"],
    "host_label": None,
    "state": "queued",
    "seed": 7,
    "created_at": "2026-11-20T17:59:58.000Z",
    "finished_at": None,
    "members": [
        {
            "host": host,
            "run_id": run_id,
            "state": "queued",
            "started_at": None,
            "finished_at": None,
            "cancel_requested": False,
            "progress": {**_RUN["progress"], "done": 0, "running": 0, "eta_s": 903.0},
            "current": None,
            "infeasible_cells": 0,
        }
        for host, run_id in (("bench-1", "run_3k9xq2m4v7c8t1zd"), ("bench-2", "run_6p1wz8n3b5h0r4yc"))
    ],
}

_QUEUED: dict[str, Any] = {
    **_RUN,
    "state": "queued",
    "started_at": None,
    "current": None,
    "progress": {**_RUN["progress"], "done": 0, "running": 0, "eta_s": 903.0},
}

EXAMPLES: dict[str, Any] = {
    **library_examples(_RUN),
    **REQUEST_EXAMPLES,
    "startRun.request": {"host": "bench-1"},
    "startRun.202": _QUEUED,
    "startRunOfDocument.202": _QUEUED,
    "startRunGroup.request": {"hosts": ["bench-1", "bench-2"]},
    "startRunGroup.202": _GROUP,
    "getRunGroup.200": _GROUP,
    "listRunGroups.200": {"data": [_GROUP], "next_cursor": None},
    "getRun.200": _RUN,
    "getMatrix.200": _MATRIX,
    "listRuns.200": {"data": [_RUN], "next_cursor": None},
    "extendRun.request": _EXTENSION,
    "extendRun.202": _EXTENDING,
    "previewExtension.request": _EXTENSION,
    "previewExtension.200": {
        "run_id": _RUN["id"],
        "number": 1,
        "analyses": 2,
        "cells": ["c1", "c7"],
        "trials": 20,
        "seconds": 402.0,
        "comparisons": 1,
        "rounds_needed": 7,
        "sentence": None,
    },
    "listExtensions.200": {"data": [_EXTENDING]},
    "cancelRun.202": {**_RUN, "cancel_requested": True},
    "importRun.request": {
        "host": "old-laptop",
        "experiment": {
            "name": "old-runs",
            "title": "Two paths, measured by hand",
            "factors": {"path": ["same_container", "published_loopback"]},
            "baseline": {"path": "same_container"},
        },
        "environment": {"kernel": "4.4.0"},
        "logs": [
            {"levels": {"path": "same_container"}, "round": 1, "stdout": "pgbench (15.20)\n…", "stderr": ""}
        ],
    },
    "importRun.201": {
        **_RUN,
        "origin": "imported",
        "host": "old-laptop",
        "state": "done",
        "started_at": None,
        "finished_at": "2026-11-20T18:00:00.000Z",
        "progress": {**_RUN["progress"], "total": 20, "done": 20, "running": 0, "eta_s": None},
        "current": None,
    },
    "createSession.request": {
        "email": "ada@example.org",
        "password": "violet anvil under seven moons",
        "code": "492039",
    },
    "createShare.request": {"expires_in_days": 30, "kind": "private", "mode": "snapshot"},
    "createShare.201": {
        "id": "shr_6h1n8p3w5z0r2k7a",
        "token": "q9s7…",
        "url": "/shared#q9s7…",
        "absolute_url": "https://plimsoll.example.org/shared#q9s7…",
        "expires_at": "2026-12-20T18:00:00.000Z",
        "kind": "private",
        "mode": "snapshot",
        "title": None,
    },
    "openShare.request": {"token": "q9s7…"},
    "openShareSeries.request": {"token": "q9s7…", "cell_id": "c2"},
    "getEquivalence.200": {
        "host": "bench-1",
        "run_id": "run_3k9xq2m4v7c8t1zd",
        "finished_at": "2026-11-20T18:20:00.000Z",
        "metric": "tps",
        "margin": 0.05,
        "paths": [
            {
                "cell_id": "c2",
                "label": "same_container, host Docker daemon",
                "path": "same_container",
                "userland_proxy": True,
                "n": 10,
                "ratio": 1.004,
                "interval": {"low": 0.991, "high": 1.018},
                "verdict": "equivalent",
                "sentence": "Equal within 5 %",
            }
        ],
    },
    "readCellProfile.200": _PROFILE,
    "listHosts.200": {
        "data": [
            {
                "id": "hst_4m7d2x9k1c5v8f3j",
                "name": "bench-1",
                "online": True,
                "last_seen_at": "2026-11-20T18:00:00.000Z",
                "capabilities": {
                    "paths": ["same_container", "published_loopback"],
                    "engines": ["on", "off", "swarm"],
                    "reasons": {
                        "path.ipvlan_l2": "the kernel makes no ipvlan link; use a kernel with CONFIG_IPVLAN"
                    },
                    "programs": ["docker-proxy"],
                    "cores": 4,
                    "memory_mb": 7961,
                    "max_scale": 200,
                    "host_userland_proxy": None,
                    "br_netfilter": True,
                },
                "cannot": [
                    {
                        "kind": "path",
                        "name": "ipvlan_l2",
                        "setting": None,
                        "reason": "the kernel makes no ipvlan link; use a kernel with CONFIG_IPVLAN",
                    }
                ],
                "environment": {"kernel": "6.1.0-42-amd64", "docker": "20.10.24"},
            }
        ]
    },
}
"""Examples by operation id and status code, or `request`."""


SHOWN = ("pachot-2019", "whoisnian-2024-paths-quick", "barbarin-2019-quick")
"""The presets in the OpenAPI document; GET /presets has all."""


def document_examples(media: str) -> dict[str, Any]:
    """Presets as request bodies: objects for JSON, text for YAML."""
    found = {}
    for preset in (preset for preset in presets() if preset.name in SHOWN):
        document = canonical(preset.experiment)
        value = document if media == "application/json" else yaml.safe_dump(document, sort_keys=False)
        found[preset.name] = {"summary": preset.summary, "value": value}
    return found
