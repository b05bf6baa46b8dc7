"""Whatever lies in the worker's queue of Redis: it is ignored and logged, and the worker goes on."""

from __future__ import annotations

import base64
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from backend.queue import TASK, make_celery, queue_name, unacked_keys, wake
from backend.settings import Settings
from tests.scripts.waiting import eventually
from tests.services import ROOT, RedisServer
from tests.store.queued_run import QueuedRun, queue_run

LIMIT_S = 120.0
HOST = "bench-1"
UNACKED = unacked_keys(HOST)["unacked_key"]
NOTHING: dict[str, Any] = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}


class Touch:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.path}",)


def message(
    body: Any = ((), {}, NOTHING), headers: Any = None, properties: Any = None, **changed: Any
) -> dict[str, Any]:
    """A wake-up as Celery writes it; the arguments change or, with ..., remove single fields."""
    text = body
    if body is not ... and not isinstance(body, str):
        text = base64.b64encode(json.dumps(body).encode()).decode()
    head = {
        **{"lang": "py", "task": TASK, "id": str(uuid4()), "root_id": str(uuid4()), "parent_id": None},
        **{"group": None, "group_index": None, "retries": 0, "timelimit": [None, None], "eta": None},
        **{"expires": None, "origin": "test", "argsrepr": "()", "kwargsrepr": "{}", "shadow": None},
        **{"ignore_result": None, "replaced_task_nesting": 0, "stamped_headers": None, "stamps": {}},
    }
    about = {
        **{"correlation_id": "x", "reply_to": "x", "delivery_tag": str(uuid4()), "delivery_mode": 2},
        **{"delivery_info": {"exchange": "", "routing_key": queue_name(HOST)}},
        **{"priority": 0, "body_encoding": "base64"},
    }
    whole = {
        "body": text,
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": with_changes(head, headers),
        "properties": with_changes(about, properties),
    }
    return dict(with_changes(whole, changed))


def with_changes(found: dict[str, Any], changes: Any) -> Any:
    if changes is None or isinstance(changes, dict):
        return {name: value for name, value in (found | (changes or {})).items() if value is not ...}
    return changes


def other_task(name: Any) -> dict[str, Any]:
    return message(headers={"task": name})


CHAIN = [
    {"task": TASK, "args": [], "kwargs": {}, "options": {"queue": "host.elsewhere"}, "subtask_type": None}
]
BODIES: list[Any] = [
    "not base64 !", "", base64.b64encode(b"{").decode(), base64.b64encode(b"\xff\xfe").decode(),
    {}, [], [1], 5, None, [{}, [], {}], [[], {}, None], [[], {}, 5], [["x"] * 50, {"a": 1}, NOTHING],
    [[], {}, NOTHING | {"chain": CHAIN}], [[], {}, NOTHING | {"callbacks": CHAIN}],
    [[], {}, NOTHING | {"chord": 5}], [[], {}, NOTHING | {"callbacks": 5}],
]  # fmt: skip
HEADERS: list[Any] = [
    [], 5, {"task": ...}, {"task": None}, {"task": []}, {"task": {}}, {"task": 5}, {"task": "os.system"},
    {"task": "celery.backend_cleanup"}, {"task": "celery.chord_unlock"}, {"id": ...}, {"id": None},
    {"id": []}, {"id": {}}, {"eta": "x"}, {"eta": 5}, {"eta": {}}, {"eta": "9999-01-01T00:00:00"},
    {"expires": "x"}, {"expires": {}}, {"expires": "1999-01-01T00:00:00"}, {"retries": "x"},
    {"retries": []}, {"timelimit": "xy"}, {"timelimit": 5}, {"timelimit": ["x", {}]}, {"group": []},
    {"root_id": {}}, {"parent_id": 5}, {"compression": "zlib"}, {"compression": "unknown"},
    {"compression": 5}, {"stamps": 5, "stamped_headers": 5}, {"reply_to": {}},
    {"ignore_result": []}, {"origin": {}}, {"shadow": {}}, {"lang": "c++"},
]  # fmt: skip
PROPERTIES: list[Any] = [
    5, {"delivery_info": ...}, {"delivery_info": None}, {"delivery_info": 5}, {"delivery_info": {}},
    {"delivery_tag": ...}, {"delivery_tag": []}, {"delivery_tag": {}}, {"delivery_tag": None},
    {"body_encoding": "unknown"}, {"body_encoding": []}, {"body_encoding": ...}, {"correlation_id": {}},
    {"reply_to": {}}, {"priority": "x"}, {"priority": {}},
    {"delivery_info": {"exchange": "", "routing_key": "host.elsewhere"}},
    {"delivery_info": {"exchange": "celery.pidbox", "routing_key": "", "redelivered": True}},
]  # fmt: skip
OTHERS: list[Any] = [
    {"content-type": "application/x-python-serialize"}, {"content-type": "application/x-yaml"},
    {"content-type": "text/plain"}, {"content-type": 5}, {"content-type": []}, {"content-type": None},
    {"content-encoding": "unknown"}, {"content-encoding": 5}, {"content-encoding": []}, {"body": 5},
    {"body": ...}, {"headers": ...}, {"properties": ...},
]  # fmt: skip
RAW: list[bytes] = [
    b"", b"no json", b"17", b"null", b"[]", b"{}", b'"text"', b"\xff", b"NaN", b"[" * 100_000, b"\x80\x04.",
    b'{"properties": {}}', b'{"properties": {"delivery_tag": "x"}, "body": 5}',
    json.dumps({"method": "shutdown", "arguments": {}, "destination": None}).encode(),
]  # fmt: skip


def hostile(file: Path) -> list[bytes]:
    """Every message of this file's lists, and a pickle that would make `file`."""
    pickled = base64.b64encode(pickle.dumps(Touch(file))).decode()
    made = [
        *(message(body) for body in BODIES),
        *(message(headers=found) for found in HEADERS),
        *(message(properties=found) for found in PROPERTIES),
        *(message(**found) for found in OTHERS),
        message(pickled, **{"content-type": "application/x-python-serialize", "content-encoding": "binary"}),
        message(pickled, **{"content-type": "application/data", "content-encoding": "binary"}),
        message("x" * 1_000_000),
    ]
    return [*RAW, pickle.dumps(Touch(file)), *(json.dumps(found).encode() for found in made)]


@pytest.fixture
def queued(owner_settings: Settings) -> QueuedRun:
    return queue_run(owner_settings)


@pytest.fixture
def worker(settings: Settings, queued: QueuedRun, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`worker.app` as Celery runs it; its trials measure nothing."""
    given = {
        "PLIMSOLL_DATABASE_URL": settings.database_url,
        "PLIMSOLL_REDIS_URL": settings.redis,
        "PLIMSOLL_VAR_DIR": str(settings.var_dir),
        "PLIMSOLL_RUNTIME_DIR": str(settings.runtime_dir),
        "PLIMSOLL_HOST_NAME": settings.host_name,
    }
    argv = [sys.executable, "-m", "scripts.benchmark.outage_worker"]
    with (tmp_path / "worker.log").open("wb") as log:
        process = subprocess.Popen(argv, cwd=ROOT, env=os.environ | given, stdout=log, stderr=log)
    yield process
    process.kill()
    process.wait()


def ended(queued: QueuedRun) -> int:
    return int(queued.sql("SELECT count(*) FROM trial WHERE state = 'failed'")[0][0])


def test_hostile_messages_are_ignored_and_logged(
    worker: subprocess.Popen[bytes],
    queued: QueuedRun,
    settings: Settings,
    redis_server: RedisServer,
    tmp_path: Path,
) -> None:
    assert eventually(lambda: ended(queued) == 4, LIMIT_S)
    redis, queue, file = redis_server.client(), queue_name(HOST), tmp_path / "made"
    log = tmp_path / "worker.log"
    before = log.read_text().count("dropped")
    sent = hostile(file)
    for number, line in enumerate(sent):
        redis.lpush(queue, line)
        assert eventually(lambda: redis.llen(queue) == 0, LIMIT_S), f"{number}: {line[:300]!r} is not taken"
        assert worker.poll() is None, f"{number}: {line[:300]!r} ended the worker"
    assert eventually(lambda: log.read_text().count("dropped") - before == len(sent), LIMIT_S)
    assert not file.exists()
    assert redis.exists(UNACKED, "host.elsewhere") == 0
    assert wake(make_celery(settings), HOST, 3)
    queued.another_run()
    assert eventually(lambda: ended(queued) == 8 and redis.llen(queue) == 0, LIMIT_S)
    assert worker.poll() is None
    assert "Traceback" not in log.read_text()


def test_a_real_wake_up_is_not_dropped(
    worker: subprocess.Popen[bytes],
    queued: QueuedRun,
    settings: Settings,
    redis_server: RedisServer,
    tmp_path: Path,
) -> None:
    assert eventually(lambda: ended(queued) == 4, LIMIT_S)
    redis = redis_server.client()
    assert wake(make_celery(settings), HOST, 5)
    redis.lpush(queue_name(HOST), json.dumps(message()))
    assert eventually(lambda: redis.llen(queue_name(HOST)) == 0 and redis.exists(UNACKED) == 0, LIMIT_S)
    assert "dropped" not in (tmp_path / "worker.log").read_text()
