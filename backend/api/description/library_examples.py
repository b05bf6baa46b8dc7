"""Examples for the OpenAPI document: the first page and the library."""

from __future__ import annotations

from typing import Any

_CELL = {
    "cell_id": "c7",
    "label": "published_loopback, userland-proxy on",
    "path": "published_loopback",
    "path_title": "Published port on 127.0.0.1",
    "verdict": "worse",
    "ratio": 0.617,
    "low": 0.598,
    "high": 0.634,
}
_VERDICT = {
    "kind": "worse",
    "metric": "tps",
    "metric_label": "Transactions per second",
    "better": "higher",
    "margin": 0.05,
    "counts": {"better": 0, "worse": 1, "equivalent": 0, "undecided": 0, "failed": 0, "infeasible": 0},
    "baseline": "bridge_ip, userland-proxy on",
    "largest": _CELL,
    "compared": 1,
    "cells": [_CELL],
    "threshold": None,
    "suspect": False,
    "answered": True,
}
_HOST = {
    "name": "bench-1",
    "access": "server",
    "online": True,
    "drained": False,
    "last_seen_at": "2026-11-20T18:05:30.000Z",
    "queued_trials": 57,
    "running_trials": 1,
}

_QUESTION = {"preset": "pachot-2019", "answer": None, "without_answer": None, "active": None}
_VIEW = {
    "id": "viw_2c4v7m9q1x5k8f0d",
    "name": "Slower than before",
    "query": "verdict:worse after:7d",
    "shared": False,
    "own": True,
    "by": "Ada",
    "created_at": "2026-11-20T18:00:00.000Z",
}


def library_examples(run: dict[str, Any]) -> dict[str, Any]:
    """Examples by operation, from the example of a run."""
    found = {
        "id": "run_6p1wz8n3b5h0r4yc",
        "experiment_id": run["experiment_id"],
        "name": run["name"],
        "title": run["title"],
        "host": run["host"],
        "origin": "measured",
        "state": "done",
        "created_at": "2026-11-19T18:00:00.000Z",
        "finished_at": "2026-11-19T18:15:00.000Z",
        "group_id": None,
        "author": "Ada",
        "tags": ["kernel-6.1"],
        "note": "After the update of Docker.",
        "starred": True,
        "archived": False,
        "verdict": _VERDICT,
        "verdict_due": False,
        "exclusions": [{"reason": "a backup ran", "trials": 1}],
    }
    return {
        "getHome.200": {
            "hosts": [_HOST],
            "active": [run | {"author": "Ada"}],
            "open_runs": 1,
            "recent": [found | {"lost_trials": 0}],
            "host": "bench-1",
            "questions": [_QUESTION],
            "changes": None,
        },
        "searchLibrary.200": {"data": [found], "next_cursor": None, "total": 1, "problems": []},
        "listLibraryTerms.200": {"data": [{"term": "path:published_loopback", "runs": 12}]},
        "changeLibraryRuns.request": {"runs": [found["id"]], "archived": True, "add_tags": ["ci"]},
        "changeLibraryRuns.200": {"runs": 1},
        "createLibraryView.request": {"name": "Slower than before", "query": "verdict:worse after:7d"},
        "createLibraryView.201": _VIEW,
        "listLibraryViews.200": {"data": [_VIEW]},
        "updateLibraryView.request": {"shared": True},
        "updateLibraryView.200": {**_VIEW, "shared": True},
        "recordHomeVisit.request": {"all_seen": False},
    }
