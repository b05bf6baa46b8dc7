"""Foreign things on the host when a run begins, on artificial process tables."""

from __future__ import annotations

from pathlib import Path

from worker.host.leftovers import leftovers

RUNTIME = Path("/run/plimsoll")


def process(proc: Path, pid: int, words: list[str], group: str = "/", children: str = "") -> None:
    folder = proc / str(pid)
    (folder / "task" / str(pid)).mkdir(parents=True)
    (folder / "comm").write_text(words[0][:15] + "\n")
    (folder / "cmdline").write_text("\0".join(words) + "\0")
    (folder / "cgroup").write_text(f"0::{group}\n")
    (folder / "task" / str(pid) / "children").write_text(children)


def test_a_dedicated_host_has_none(tmp_path: Path) -> None:
    own = ["containerd-shim-runc-v2", "-id", "f" * 64, "-address", f"{RUNTIME}/engines/on/containerd.sock"]
    process(tmp_path, 10, own)
    process(tmp_path, 11, ["containerd-shim-runc-v2", "-id", "e" * 64], children="12 ")
    process(tmp_path, 12, ["postgres"], group="/plm1a2b-host/e")
    process(tmp_path, 13, ["pgbench", "-S"], group="/plm1a2b-on/client")
    netns = tmp_path / "netns"
    netns.mkdir()
    (netns / "plm1a2b-on").touch()
    assert leftovers("plm", "1a2b", RUNTIME, tmp_path, netns) == {}


def test_foreign_things_are_counted_and_the_first_are_named(tmp_path: Path) -> None:
    for pid in range(20, 25):
        process(tmp_path, pid, ["containerd-shim-runc-v2", "-namespace", "moby", "-id", f"{pid}" * 32])
    process(tmp_path, 30, ["conmon", "--cid", "c" * 64])
    process(tmp_path, 31, ["wrk", "-t2"])
    process(tmp_path, 32, ["nginx"])
    netns = tmp_path / "netns"
    netns.mkdir()
    (netns / "plm9z9z-on").touch()
    (netns / "blue").touch()
    found = leftovers("plm", "1a2b", RUNTIME, tmp_path, netns)
    assert sorted(found) == [
        "at start: network namespaces of other measuring engines",
        "at start: running containers of others",
        "at start: running load generators",
    ]
    containers = found["at start: running containers of others"]
    assert containers.startswith("6: ")
    assert containers.endswith(" and 3 more")
    assert found["at start: running load generators"] == "1: wrk (31)"
    assert found["at start: network namespaces of other measuring engines"] == "1: plm9z9z-on"


def test_a_process_that_ends_meanwhile_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "99").mkdir()
    assert leftovers("plm", "1a2b", RUNTIME, tmp_path, tmp_path / "missing") == {}
