"""Output of perf-script(1), written on Linux 6.18 by perf 6.1: stacks, idle CPUs, roles by parent process."""

from __future__ import annotations

from backend.core.sample.perf_script import by_role, parse

SCRIPT = """\
swapper     0/0     PERF_RECORD_FORK(2:2):(0:0)
kthreadd     0/0     PERF_RECORD_FORK(14:14):(2:2)
bash  23400/23400   PERF_RECORD_FORK(23510:23510):(23400:23400)
dd 23510/23510   PERF_RECORD_FORK(23510:23511):(23510:23510)
dd 23510/23510
\tffffffff81b7db2a chacha_permute ([kernel.kallsyms])
\tffffffff81d37384 get_random_bytes_user ([kernel.kallsyms])
\tffffffff81000130 entry_SYSCALL_64_after_hwframe ([kernel.kallsyms])
\t           f82ad read (/usr/lib/x86_64-linux-gnu/libc.so.6)

dd 23510/23511
\tffffffff81b7db2a chacha_permute ([kernel.kallsyms])
\tffffffff81d37384 get_random_bytes_user ([kernel.kallsyms])
\tffffffff81000130 entry_SYSCALL_64_after_hwframe ([kernel.kallsyms])
\t           f82ad read (/usr/lib/x86_64-linux-gnu/libc.so.6)

swapper     0/0
\tffffffff821f0e2b pv_native_safe_halt ([kernel.kallsyms])
\tffffffff821f1a55 default_idle ([kernel.kallsyms])
\tffffffff813a1b4c do_idle ([kernel.kallsyms])
\tffffffff813a1d79 cpu_startup_entry ([kernel.kallsyms])

swapper     0/0
\tffffffff8208a111 net_rx_action ([kernel.kallsyms])
\tffffffff8134d3a1 handle_softirqs ([kernel.kallsyms])
\tffffffff813a1b4c do_idle ([kernel.kallsyms])

ksoftirqd/0    14/14
\tffffffff8208a111 net_rx_action ([kernel.kallsyms])

my prog; x  900/900
\t          12f0b1 [unknown] (/usr/bin/python3.11)
\t          12f0b2 [unknown] (/usr/bin/python3.11)
\t      746174732f [unknown] ([unknown])

this line fits no form
"""


def test_samples_are_counted_by_process_and_stack() -> None:
    found = parse(SCRIPT.splitlines(keepends=True))
    stacks = {stack: count for (_pid, stack), count in found.stacks.items()}
    dd = ("dd", "read", "entry_SYSCALL_64_after_hwframe", "get_random_bytes_user", "chacha_permute")
    assert stacks[dd] == 2
    assert found.idle_samples == 1 and found.kernel_symbols
    assert found.parents == {2: 0, 14: 2, 23510: 23400}


def test_frames_without_symbols_are_their_program_once_and_names_hold_no_separator() -> None:
    found = parse(SCRIPT.splitlines())
    assert ("my prog_ x", "[python3.11]") in {stack for _pid, stack in found.stacks}


def test_a_process_has_the_role_of_whoever_started_it() -> None:
    counted = by_role(parse(SCRIPT.splitlines()), {23400: "client"})
    by_process = {(role, stack[0]): count for (role, stack), count in counted.items()}
    assert by_process == {
        ("client", "dd"): 2,
        ("kernel", "swapper"): 1,
        ("kernel", "ksoftirqd/0"): 1,
        ("other", "my prog_ x"): 1,
    }


def test_processes_that_claim_to_have_started_each_other_end_the_search() -> None:
    script = "a 1/1 PERF_RECORD_FORK(7:7):(8:8)\na 1/1 PERF_RECORD_FORK(8:8):(7:7)\na 7/7 \n\tff f (x)\n"
    assert set(by_role(parse(script.splitlines()), {})) == {("other", ("a", "f"))}
