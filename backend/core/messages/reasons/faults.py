"""Faults of trials and hosts, and their effects."""

from __future__ import annotations

from typing import Final

FAULTS: Final = {
    "effectNoClaim": (
        "no trial is claimed; finished trials wait in the spool and are recorded when it answers"
    ),
    "effectRedis": "runs go on; new runs begin some seconds late, and live figures are missing",
    "effectPause": "claiming pauses; one trial at a time is tried, and no attempt counts against its trial",
    "effectStorage": "no trial is claimed until there is space for its record",
    "effectQuarantine": "these records are in no result; their files and reasons are in the spool's folder",
    "conditionFault": "{{code}}: {{detail}}; the next trial is tried in {{seconds}} s",
    "conditionQuarantine": "{{n}} records, the newest: {{name}}: {{reason}}",
    "redisAway": "Redis does not answer: {{why}}",
    "attemptsLost": "{{n}} attempts were lost; the last one: {{detail}}",
    "leaseExpired": "the lease expired",
    "clientHostSilent": "the client host has not been heard of for {{seconds}} s",
    "serverHostSilent": "the server's host has not been heard of for {{seconds}} s",
    "hostSuspended": "the host was suspended for {{seconds}} s during the trial",
    "serverEnded": "the {{service}} server has ended",
    "serverEndedBetween": "the {{service}} server has ended between two trials",
    "processEnded": "a process that was measured has ended: {{why}}",
    "seenAs": "{{what}}; seen as: {{why}}",
    "engineIs": "the engine {{key}} {{why}}",
    "engineLostLink": "has lost its link to the other engines",
    "engineNoAnswer": "does not answer",
    "engineNoNamespace": "has lost its network namespace",
    "engineReplaced": "runs with programs of Docker that have been replaced",
    "engineTimeout": "{{doing}}: the engine did not answer in time",
    "toolEnded": "{{program}} ({{purpose}}) ended with code {{code}}: {{output}}",
    "commandLate": "the command did not end within {{seconds}} s",
    "tooMuchOutput": "{{program}} printed more than {{n}} bytes",
    "serverNotReplying": "{{service}} does not reply: {{output}}",
    "proxyNotRelaying": "{{kind}} does not relay requests: {{detail}}",
    "clientHostEnded": "the client host {{name}} ended the session: {{why}}",
    "onClientHost": "on the client host {{name}}: {{why}}",
    "otherHostFirst": "another host waits for this one and goes first; the trial is tried again",
    "policyUnread": "the host's policy cannot be read: {{why}}",
    "spoolLow": "only {{n}} MiB are free under {{folder}}; 64 MiB are needed",
    "spoolUnwritten": "the record could not be written under {{folder}}: {{why}}",
    "databaseRefuses": "the database refuses the record: {{why}}",
    "notInstalled": "{{program}} is not installed",
    "notEndedWithin": "{{program}} did not end within {{seconds}} s",
    "serverNoAnswer": "{{url}} does not answer ({{why}})",
    "otherLoad": "the log is of {{n}} connections, not of {{clients}}",
    "wholeMilliseconds": "ab printed whole milliseconds, and those below {{least}} ms are left out",
    "logSetting": "the log has {{own}}, the cell {{level}}",
    "logAmong": "the log has {{own}}, others {{others}}",
    "logCopy": "it has the same figures as that of {{where}}, and is no evidence of spread",
    "logCopyOther": "it has the same figures as that of {{where}}, and is no evidence of a difference",
    "logCopyOf": "round {{round}} of {{cell}}",
    "logCopyAdvice": "import each run once",
    "endedEarlyAdvice": "let the tool run to its end",
    "abInterrupted": "ab was interrupted before its number of requests or its time was reached",
    "wrkEarly": "wrk ran for {{seconds}} s of {{wanted}}",
    "toolSaid": "“{{text}}” (the first of {{n}})",
    "retriedTransactions": (
        "{{n}} ({{share}}) were tried again, {{times}} times in all; a latency includes its retries"
    ),
    "abNoPercentiles": "ab printed no percentiles, as with -d",
    "abOneRequest": "one request has no percentiles",
    "leftIntervals": "{{n}} of {{of}} intervals had no transaction, so they have no latency",
    "leftOneInterval": "one interval alone with a time stamp, whose distance from the start is not known",
    "leftBefore": "{{n}} of {{of}} intervals are of a run before this one",
    "leftMean": "a mean latency of 0.000 ms",
    "leftSkipped": "the latency: {{n}} transactions ({{share}}) that were late were skipped",
    "leftOrder": "percentiles that are not in order",
    "leftOrderOf": (
        "percentiles that are not in order: 50 % {{p50}} ms, 99 % {{p99}} ms, longest {{longest}} ms"
    ),
    "leftMeanOfRate": (
        "a mean latency of {{mean}} ms, with which {{n}} clients would do {{would}} a second and not {{rate}}"
    ),
    "leftMeanOfNone": (
        "a mean latency of {{mean}} ms, with which {{n}} clients would do infinitely many and not {{rate}}"
    ),
    "leftMeanAbove": "a mean latency of {{mean}} ms above the longest, {{longest}} ms",
    "leftMeanBelow": "a mean latency of {{mean}} ms below {{share}} % of {{value}} ms",
    "leftLongest": "a longest latency of {{longest}} ms in a run of {{seconds}} s",
    "leftLongestOfRate": (
        "a longest latency of {{longest}} ms, with which {{n}} connections do at least {{would}} a second"
    ),
    "leftShareOfRate": (
        "{{share}} % of {{value}} ms, with which {{n}} connections would not do {{rate}} a second"
    ),
    "leftPerRequest": (
        "a time per request of {{shown}} ms, where {{n}} connections at the printed rate have {{own}} ms"
    ),
    "leftPackets": "{{n}} packets of {{size}} bytes hold no {{bytes}} bytes",
    "leftLossAbove": "lost_percent is {{percent}}, but {{lost}} of {{packets}} packets are more than all",
    "leftLossPackets": "lost_percent is {{percent}}, but {{why}}",
    "leftRetransmits": "retransmits is {{n}}, but {{bytes}} bytes are fewer segments",
    "otherRunsFailed": "{{n}} other runs in the log failed, with the error: {{why}}",
    "leftLoss": "lost_percent is {{percent}}, but {{lost}} of {{packets}} packets are {{share}} %",
    "abLengths": (
        "{{n}} answers have another length than the first one: ab calls them failed, and they are in the rate"
    ),
    "abLengthsAdvice": "run it with -l where lengths vary; otherwise see the server's log",
    "leftNoNumber": "{{name}} is no number",
    "leftNumbers": "{{n}} of {{of}} intervals have figures that are no numbers",
    "sessionPhase": "the {{side}}'s host cannot enter the phase {{phase}}",
    "sessionStep": "the session is {{phase}}; {{next}} is not its next phase",
}
