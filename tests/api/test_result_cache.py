"""When a result is computed: once a state of the run, between measured windows, for all who ask."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from fastapi.testclient import TestClient

from backend.api.runs import results
from backend.api.runs.result_cache import BOUND_S, Rendered, ResultCache, Version, Versions
from backend.api.runs.window_budget import SHARE, WindowBudget
from backend.measured_window import MeasuredWindow, announce_window, read_window
from backend.queue import connect
from backend.settings import Settings
from tests.api.client import Worker, start_run

KEY = ("run_1", None)
WINDOW = MeasuredWindow(100.0, 110.0)


@dataclass
class Host:
    """A host with a clock of its own and the window that its worker has announced."""

    now: float = 0.0
    window: MeasuredWindow | None = None

    def quiet(self) -> WindowBudget:
        return WindowBudget(lambda: self.window, lambda: self.now)


@dataclass
class Building:
    """Counts computations; they give the newest version and wait for `go`."""

    version: Version = field(default_factory=lambda: Version(1, False, 10))
    count: int = 0
    go: threading.Event = field(default_factory=threading.Event)

    def __call__(self) -> tuple[Version, bytes]:
        self.count += 1
        assert self.go.wait(60)
        return self.version, b"result %d" % self.version.event_id


def result(found: Rendered | Future[Rendered]) -> Rendered:
    return found if isinstance(found, Rendered) else found.result(60)


def test_work_waits_for_the_end_of_a_window() -> None:
    host = Host(now=100.0, window=WINDOW)
    quiet = host.quiet()
    assert not quiet.admits(0.5)
    host.now = 110.0
    assert quiet.admits(0.5)


def test_work_must_end_before_the_next_window_begins() -> None:
    host = Host(now=99.0, window=WINDOW)
    assert host.quiet().admits(1.0)
    assert not host.quiet().admits(1.1)


def test_a_window_has_a_share_for_all_small_work_together() -> None:
    host = Host(now=105.0, window=WINDOW)
    quiet = host.quiet()
    part = SHARE * WINDOW.seconds / 4
    assert [quiet.admits(part) for _ in range(5)] == [True, True, True, True, False]
    host.window = MeasuredWindow(112.0, 122.0)
    host.now = 113.0
    assert quiet.admits(part)


def test_without_a_window_nothing_waits() -> None:
    assert Host().quiet().wait(10.0, BOUND_S)


def test_a_long_window_puts_work_off_for_so_long_only() -> None:
    host = Host(now=100.0, window=MeasuredWindow(100.0, 160.0))
    assert not WindowBudget(lambda: host.window, lambda: host.now).wait(1.0, 0.0)


def test_ten_that_ask_at_once_are_served_by_one_computation() -> None:
    cache, build = ResultCache(Host().quiet(), 0.0), Building()
    found = [cache.find(KEY, build.version, build) for _ in range(10)]
    build.go.set()
    assert {result(one).body for one in found} == {b"result 1"}
    assert isinstance(cache.find(KEY, build.version, build), Rendered)
    assert build.count == 1


def test_a_new_event_makes_a_new_result() -> None:
    cache, build = ResultCache(Host().quiet(), 0.0), Building()
    build.go.set()
    result(cache.find(KEY, build.version, build))
    build.version = Version(2, False, 10)
    assert result(cache.find(KEY, build.version, build)).body == b"result 2"


def test_inside_a_window_the_result_before_is_served_at_once() -> None:
    host = Host()
    cache, build = ResultCache(host.quiet(), 0.0), Building()
    build.go.set()
    first = result(cache.find(KEY, build.version, build))
    build.go.clear()
    host.window, host.now = MeasuredWindow(0.0, 1e-9), 0.0  # its share admits nothing
    build.version = Version(2, False, 10)
    assert cache.find(KEY, build.version, build) is first
    host.now = 1.0
    build.go.set()
    assert result(cache.find(KEY, build.version, build)).body == b"result 2"
    assert build.count == 2


def test_a_result_that_is_young_is_served_as_it_is() -> None:
    cache, build = ResultCache(Host().quiet(), 1e6), Building()
    build.go.set()
    first = result(cache.find(KEY, build.version, build))
    assert cache.find(KEY, Version(2, False, 10), build) is first
    assert build.count == 1
    build.version = Version(3, True, 10)
    ended = ResultCache(Host().quiet(), 1e6)
    ended._kept[KEY] = first
    assert result(ended.find(KEY, build.version, build)).body == b"result 3"


def test_a_failed_computation_is_reported_and_repeated() -> None:
    cache = ResultCache(Host().quiet(), 0.0)

    def broken() -> tuple[Version, bytes]:
        raise ValueError("no")

    failed = cache.find(KEY, Version(1, False, 1), broken)
    assert isinstance(failed, Future)
    assert isinstance(failed.exception(20), ValueError)
    build = Building()
    build.go.set()
    assert result(cache.find(KEY, build.version, build)).body == b"result 1"


def test_a_worker_announces_its_windows_through_redis(settings: Settings, worker_settings: Settings) -> None:
    client, worker = connect(settings), connect(worker_settings)
    assert read_window(client, "bench-1") is None
    assert announce_window(worker, "bench-1", 2.0, 10.0)
    window = read_window(client, "bench-1")
    assert window is not None
    assert abs(window.seconds - 10.0) < 1e-6
    assert read_window(client, "bench-2") is None
    worker.set("plimsoll:window:bench-1", "nonsense")
    assert read_window(client, "bench-1") is None


def test_a_result_of_before_the_window_is_marked_stale(
    api: TestClient, worker: Worker, settings: Settings, worker_settings: Settings
) -> None:
    url = f"/api/v1/runs/{start_run(api)['id']}/result"
    first = api.get(url)
    assert "x-result-stale" not in first.headers
    # Cheap work would go into the window's share; this result counts as dear.
    cache = results._cache(settings)
    (key,) = cache._kept
    cache._kept[key] = _dear(cache._kept[key])
    announce_window(connect(worker_settings), settings.host_name, 0.0, 60.0)
    worker.record(worker.claim())
    inside = api.get(url)
    assert (inside.headers["x-result-stale"], inside.content) == ("1", first.content)
    assert int(inside.headers["age"]) >= 0
    assert api.get(url, headers={"If-None-Match": first.headers["etag"]}).status_code == 304
    connect(worker_settings).delete(f"plimsoll:window:{settings.host_name}")


def _dear(kept: Rendered) -> Rendered:
    return Rendered(kept.body, kept.gzipped, kept.etag, kept.version, kept.at, 60.0)


def test_pages_that_ask_at_the_same_moment_ask_the_database_once() -> None:
    run_ids: list[str] = []

    def read(run_id: str) -> Version:
        run_ids.append(run_id)
        return Version(len(run_ids), False, 1)

    shared = Versions(read, 1e6)
    assert shared.known("run_1") is None
    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(shared.read, ["run_1"] * 10))
    assert (set(found), run_ids) == ({Version(1, False, 1)}, ["run_1"])
    assert shared.known("run_1") == Version(1, False, 1)
    assert shared.read("run_2") == Version(2, False, 1)
    at_once = Versions(read, 0.0)
    assert at_once.read("run_1") != at_once.read("run_1")
