"""Readings of a trial: noise, evidence and notices."""

from __future__ import annotations

from typing import Final

READINGS: Final = {
    "noisyOther": "other processes: {{cores}} cores, limit {{limit}}",
    "noisySteal": "steal: {{share}} of the CPU, limit {{limit}}",
    "noisyPressure": "CPU pressure: something waited {{share}} of the time, limit {{limit}}",
    "noisyOverrun": "overlong window: {{seconds}} s instead of {{wanted}} s",
    "noisyFrequency": "CPU frequency: changed by {{change}} during the window, limit {{limit}}",
    "noisyThrottling": "thermal throttling: {{n}} events during the window",
    "onHost": "on {{host}}: {{reason}}",
    "evidenceNotPath": "Not the path {{path}}: {{signal}} should be {{expected}}, and was {{observed}}.",
    "evidenceUnreachable": (
        "Not the path {{path}}: with userland-proxy off nothing takes a connection from [::1] to a "
        "container that has IPv4 only; use published_loopback, or userland-proxy on."
    ),
    "evidenceFew": "{{path}} is not proven: only {{n}} of {{of}} signals could be read and agree.",
    "evidenceFewWhy": (
        "{{path}} is not proven: only {{n}} of {{of}} signals could be read and agree; {{signal}}: "
        "{{observed}}."
    ),
    "evidenceProven": "{{path}} is proven: {{n}} of {{of}} signals agree, none disagrees.",
    "signalNamespace": "client's network namespace",
    "signalClient": "client's process namespace",
    "signalServer": "server's process namespace",
    "signalLink": "server's link",
    "signalPeer": "peer address",
    "signalDestination": "address the client connects to",
    "signalUpstream": "address the reverse proxy connects to",
    "signalDnat": "connections rewritten by DNAT",
    "signalSocket": "connections on the Unix socket",
    "signalClientLink": "bytes on the client host's link",
    "signalClientLoopback": "bytes on the client host's loopback",
    "signalAdded": "bytes that VXLAN adds to a packet",
    "signalAddedClient": "bytes that VXLAN adds to a packet on the client host",
    "signalBytes": "bytes on the {{device}}",
    "signalCpu": "CPU of {{program}}",
    "signalSockets": "sockets of {{program}}",
    "signalAtLeast": "at least {{n}}",
    "signalAtMost": "at most {{n}}",
    "signalNotReadable": "not readable",
    "signalNone": "none",
    "signalNoneSocket": "none (socket)",
    "signalNoConnection": "no connection seen",
    "signalZeroNoConnection": "0; no connection was observed",
    "signalZeroKept": "0; the reverse proxy may have kept its connections",
    "signalOfPackets": "of {{n}} packets",
    "signalAddedOf": "{{added}} (of {{n}} packets)",
    "signalOfServer": "{{size}} ({{share}} of the busiest of the server's host)",
    "signalOfBusiest": "{{size}} ({{share}} of the busiest)",
    "signalLessThanByte": "less than a byte an operation",
    "signalBusy": "busy",
    "signalIdle": "idle",
    "signalNoProcess": "no such process",
    "signalUsed": "{{ms}} ms ({{us}} µs an operation)",
    "signalUsedLittle": "{{ms}} ms ({{us}} µs an operation), too little to decide",
    "addressOf": "{{address}} ({{kind}})",
    "unsteady": (
        "{{second}} {{unit}} in the second half of the window, {{change}} from {{first}} in the first"
    ),
    "unsteadyAdvice": "use a longer warm-up or a quieter host",
    "failedOperations": "{{n}} ({{share}}) failed and are not counted",
    "failedAdvice": "see the tool's output in the record",
    "clientThread": (
        "the client's busiest thread was on CPU for {{share}} of the window, so that the client may "
        "be the limit"
    ),
    "clientThreadAdvice": "give it more threads or another tool",
    "throttled": "its CPU quota throttled it in {{share}} of the periods, {{seconds}} s in total",
    "throttledServer": "raise the server's CPUs, or read the figures as those of a limited server",
    "throttledOther": "raise its quota, or set none",
    "stealTook": "the hypervisor took {{share}} of the CPU",
    "stealAdvice": "use a quieter machine",
    "countersDisagree": (
        "tasks, idle time and steal are {{seconds}} core-seconds ({{share}}) more than the host had"
    ),
    "countersAdvice": "read idle and steal with care, the CPU of the roles comes from their own clocks",
    "backgroundBefore": "other processes used {{cores}} cores in the {{seconds}} s before the window",
    "backgroundBeforeWaited": (
        "other processes used {{cores}} cores in the {{seconds}} s before the window, and something "
        "waited for CPU {{share}} of the time"
    ),
    "backgroundBeforeAdvice": "stop them and run again",
    "backgroundBeforeStop": "stop the other processes of the host and start the run again",
    "backgroundCores": "other processes of the host used {{cores}} cores during the window",
    "backgroundShare": "other processes of the host used {{share}} of the host's CPU during the window",
    "backgroundAdvice": "stop them, or compare the roles' own CPU",
    "backgroundStop": "stop the other processes of the host, or compare the roles' own CPU",
    "cpusetsOverlap": "cpusets are set, but {{which}} overlap",
    "cpusetsShared": "{{one}} and {{other}} on CPU {{cpus}}",
    "cpusetsAdvice": "give every role a cpuset of its own",
    "acceptQueue": "{{n}} connections found a full queue, {{dropped}} were dropped",
    "acceptQueueAdvice": (
        "raise the server's backlog and net.core.somaxconn, or connect fewer clients at once"
    ),
    "timeWait": "{{n}} sockets wait and the client has {{ports}} ports",
    "timeWaitAdvice": "keep connections alive, or shorten the run",
    "conntrackUsed": "{{n}} of {{most}} entries are used",
    "conntrackUsedAdvice": "raise net.netfilter.nf_conntrack_max, or keep connections alive",
    "inTheWindow": "{{n}} in the window",
    "conntrackDroppedAdvice": (
        "raise net.netfilter.nf_conntrack_max, and check for connections with equal tuples"
    ),
    "tcpTimeouts": "{{n}} in the window on a path inside the host",
    "tcpTimeoutsAgain": (
        "{{n}} in the window on a path inside the host and {{again}} segments were retransmitted"
    ),
    "tcpTimeoutsAdvice": "packets were lost: check queues, conntrack and the accept queue",
    "gomaxprocsSet": "GOMAXPROCS is {{runs}}, while the server may use {{quota}}",
    "gomaxprocsUnset": (
        "GOMAXPROCS is not set and the host has {{runs}} CPUs, while the server may use {{quota}}"
    ),
    "gomaxprocsAdvice": "set gomaxprocs to the quota, or the quota stops all threads at once",
    "autovacuums": "{{n}} of its passes overlapped the run",
    "autovacuumsAdvice": "repeat the trial, or run longer so that every trial has about as many",
    "checkpoints": "PostgreSQL wrote {{n}} during the run",
    "checkpointsAdvice": "raise max_wal_size_mb, or run for several checkpoints",
    "blocksRead": (
        "PostgreSQL read {{n}} blocks, {{each}} a transaction, although the data should be in memory"
    ),
    "blocksReadAdvice": "use a longer warm-up or raise shared_buffers_mb",
    "slowClock": "the clocksource is {{source}}, which is slow to read",
    "slowClockAdvice": "boot with tsc where the CPU allows it",
    "governor": "the governor is {{governor}}",
    "governorAdvice": "set it to performance (cpupower frequency-set -g performance)",
    "oneThread": "{{version}} runs all {{n}} streams on one thread, so one core limits them",
    "oneThreadAdvice": "compare with fewer streams, or use 3.16 or later, which has a thread for each",
    "littleData": "{{n}} MB, so figures per MB are coarse",
    "littleDataAdvice": "measure for longer",
    "datagramsLost": "{{lost}} of {{of}}, {{share}} %",
    "datagramsAdvice": "the throughput is what arrived; offer less to find the rate without loss",
    "offeredMbit": "{{n}} of {{of}} Mbit/s",
    "offeredMbitAdvice": "the client is the limit, offer less or give it more CPU",
    "bytesTcpOnly": "{{version}} reports them for TCP only",
    "bytesTcpOnlyAdvice": "these are what was sent less what was lost",
    "rowLocks": "{{clients}} clients at scale {{scale}} wait for each other's branch rows",
    "rowLocksAdvice": "set the scale to at least {{n}}",
    "notInRate": "they are not in the rate; see the server's log",
    "wrkErrors": (
        "{{status}} with a status above 399, {{timeout}} later than the timeout, socket errors: "
        "connect {{connect}}, read {{read}}, write {{write}}"
    ),
    "abErrors": (
        "{{status}} with a status other than 2xx, connect {{connect}}, receive {{receive}}, "
        "exceptions {{exceptions}}, write {{write}}"
    ),
    "omission": (
        "wrk added {{added}} samples to {{n}} measured ones for requests that it could not send while "
        "it waited (coordinated omission)"
    ),
    "omissionAdvice": "compare its percentiles with wrk's only",
    "wrkOpened": "wrk opened {{n}} of {{of}}, the same number for each thread",
    "wrkOpenedAdvice": "use a multiple of {{threads}}",
    "wrkNotOpened": (
        "{{n}} of {{of}} could not be opened, and wrk does not try again: the figures are of the others"
    ),
    "wrkNotOpenedAdvice": "see the server's limits and repeat the run",
    "streamsIdle": "{{n}} of {{of}} streams carried nothing: the throughput is of the others",
    "repeatAdvice": "repeat the run",
    "rateNotReached": "{{rate}} of {{offered}} transactions per second ({{share}})",
    "rateNotReachedAdvice": "the rest queued, so offer less, or read the latency as an overload's",
    "fewForPercentile": "{{n}} in the window, so the {{which}} is left out (it takes {{needed}})",
    "fewForPercentileAdvice": "use a longer duration_s",
    "runWithE": "run it with -e",
    "connectionKept": "the server kept the connection in {{n}} of {{of}} requests",
    "connectionKeptAdvice": "use a server that keeps connections, or measure without -k",
}
