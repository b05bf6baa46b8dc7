"""The setup's shell functions: stamps, ports, kernel options, long commands."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest

from tests.scripts.shell import run, start
from tests.scripts.waiting import eventually

HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"


def listens(table: str, port: int, tmp_path: Path) -> bool:
    file = tmp_path / "tcp"
    file.write_text(HEADER + table)
    result = run(("progress", "preflight"), f'listening {port} "{file}" && echo yes || echo no', tmp_path)
    return result.stdout.strip() == "yes"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("   0: 0100007F:20E4 00000000:0000 0A 0:0\n", True),
        ("   0: 00000000:20E4 00000000:0000 0A 0:0\n", True),
        ("   0: 00000000000000000000000000000000:20E4 0:0 0A 0:0\n", True),
        ("   0: 0100007F:20E4 0100007F:D431 01 0:0\n", False),
        ("   0: 0101A8C0:20E4 00000000:0000 0A 0:0\n", False),
        ("   0: 0100007F:20E5 00000000:0000 0A 0:0\n", False),
        ("", False),
    ],
)
def test_a_port_is_taken_by_a_listener_on_loopback_or_everywhere(
    table: str, expected: bool, tmp_path: Path
) -> None:
    assert listens(table, 8420, tmp_path) is expected


def test_a_real_listener_is_seen(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        result = run(("progress", "preflight"), f"need_port {port}", tmp_path)
    assert result.returncode == 1
    assert f"port {port} on 127.0.0.1 is in use" in result.stderr
    assert run(("progress", "preflight"), f"need_port {port}", tmp_path).returncode == 0


@pytest.mark.parametrize("option", ["VETH", "BRIDGE", "OVERLAY_FS", "NF_NAT"])
def test_a_kernel_built_without_an_option_is_refused_in_one_sentence(option: str, tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text(f"CONFIG_NET=y\n# CONFIG_{option} is not set\n")
    result = run(("progress", "preflight"), f'need_configured "{config}"', tmp_path)
    assert result.returncode == 1
    assert f"without CONFIG_{option}," in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_kernel_without_a_configuration_file_is_not_refused(tmp_path: Path) -> None:
    assert run(("progress", "preflight"), "need_configured /dev/null", tmp_path).returncode == 0


def test_a_full_disk_is_refused_in_one_sentence(tmp_path: Path) -> None:
    result = run(("progress", "preflight"), f'need_space "{tmp_path}" 999999999', tmp_path)
    assert result.returncode == 1
    assert "MiB free, and Plimsoll needs 999999999 MiB" in result.stderr


def test_a_start_that_has_packages_and_image_needs_room_for_data_alone(tmp_path: Path) -> None:
    def refusal() -> str:
        call = f'df() {{ printf "x\n/dev/x 9 9 614400\n"; }}; need_start_space {tmp_path} {tmp_path}/var 4608'
        return run(("progress", "preflight"), call, tmp_path).stderr

    assert "has 600 MiB free, and Plimsoll needs 4608 MiB" in refusal()
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/plimsoll-stamp").touch()
    assert "needs 4608 MiB" in refusal(), "the image is missing"
    (tmp_path / "var/images").mkdir(parents=True)
    (tmp_path / "var/images/plimsoll-bench-0.tar").touch()
    assert refusal() == ""


def test_a_stamp_holds_for_its_key_only(tmp_path: Path) -> None:
    body = f"""
        stamp={tmp_path}/deep/stamp
        printf one >{tmp_path}/input
        key() {{ fingerprint {tmp_path}/input <<<"v1"; }}
        is_current "$stamp" "$(key)" && echo wrong
        set_stamp "$stamp" "$(key)"
        is_current "$stamp" "$(key)" && echo current
        printf two >{tmp_path}/input
        is_current "$stamp" "$(key)" || echo stale
    """
    assert run(("progress",), body, tmp_path).stdout.split() == ["current", "stale"]


def test_an_interrupted_command_leaves_no_stamp(tmp_path: Path) -> None:
    body = f'must_log work "it failed" false; set_stamp {tmp_path}/stamp key'
    result = run(("progress",), body, tmp_path)
    assert result.returncode == 1
    assert "plimsoll: it failed (the whole log is " in result.stderr
    assert not (tmp_path / "stamp").exists()


def test_a_failure_shows_the_end_of_its_log(tmp_path: Path) -> None:
    body = 'must_log work "it failed" sh -c "seq 100; exit 4"'
    result = run(("progress",), body, tmp_path)
    assert "    100" in result.stderr and "    50\n" not in result.stderr
    assert (tmp_path / "work.log").read_text().count("\n") == 100


def test_undo_runs_in_reverse_whatever_happens(tmp_path: Path) -> None:
    body = 'on_exit echo first "with space"; on_exit false; on_exit echo last; refuse "no"'
    result = run(("progress",), body, tmp_path)
    assert result.returncode == 1
    assert result.stdout.splitlines() == ["last", "first with space"]
    assert result.stderr == "plimsoll: no\n"


def test_ctrl_c_ends_the_running_command(tmp_path: Path) -> None:
    body = f"""run_logged long sh -c 'trap "echo message >{tmp_path}/message; exit 1" INT
        : >{tmp_path}/runs
        while :; do sleep 0.05; done'"""
    child = start(("progress",), body, tmp_path)
    assert eventually((tmp_path / "runs").exists)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=20)
    assert child.returncode == 130
    assert (tmp_path / "message").read_text() == "message\n"


def test_a_second_holder_of_the_lock_is_refused(tmp_path: Path) -> None:
    body = f"""hold_lock {tmp_path}/lock "already runs"
        bash -c 'exec 8>>{tmp_path}/lock; flock --nonblock 8 || echo held'
    """
    assert run(("progress", "preflight"), body, tmp_path).stdout.strip() == "held"


def test_the_kernel_and_network_probes_leave_nothing(tmp_path: Path) -> None:
    before = (
        Path("/proc/self/mountinfo").read_text(),
        sorted(p.name for p in Path("/sys/class/net").iterdir()),
    )
    result = run(("progress", "preflight"), f'need_kernel "{tmp_path}"; need_network', tmp_path)
    after = Path("/proc/self/mountinfo").read_text(), sorted(p.name for p in Path("/sys/class/net").iterdir())
    assert result.returncode == 0, result.stderr
    assert after == before
    assert list(tmp_path.iterdir()) == []
