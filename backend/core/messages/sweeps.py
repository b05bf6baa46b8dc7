"""Knees of sweeps and the cost of hops."""

from __future__ import annotations

from typing import Final

SWEEPS: Final = {
    "kneeUnknown": (
        "Not known: no round has the 99th percentile of every rate that it depends on (a trial needs "
        "1,000 transactions for it)."
    ),
    "kneeUnknownLost": (
        "Not known: no round has the 99th percentile of every rate that it depends on. {{lost}}"
    ),
    "kneeBelow": (
        "Already at {{level}} transactions per second, the lowest rate, the 99th percentile is not "
        "within {{limit}} ms of the scheduled start, or the rate is not reached ({{counted}})."
    ),
    "kneeAbove": (
        "The 99th percentile is within {{limit}} ms of the scheduled start at every rate, up to "
        "{{level}} transactions per second; the knee is there or above ({{counted}})."
    ),
    "kneeAt": (
        "The 99th percentile is within {{limit}} ms of the scheduled start up to {{level}} transactions "
        "per second ({{counted}})."
    ),
    "collapseNever": "At {{levels}} clients no trial counts: each failed or did not prove its path.",
    "collapseUnknown": "Not known: no round has the throughput of every number of clients.",
    "collapseNone": (
        "No fall is shown up to {{last}} clients: throughput keeps to 95 % of its best up to {{clients}} "
        "at least ({{rounds}})."
    ),
    "collapseAt": (
        "Throughput keeps to 95 % of its best up to {{clients}} ({{counted}}); with {{beyond}} it is "
        "{{fallen}}."
    ),
    "lowerThanWith": "{{size}} lower than with {{knee}}{{details}}",
    "lowerThanWithDifference": (
        "{{size}} lower than with {{knee}} ({{ci}} of the difference {{low}} to {{high}} per second)"
    ),
    "lostRateRounds_one": (
        "{{n}} of {{of}} rounds is left out, without a figure at {{levels}} transactions per second: a "
        "trial failed, did not prove its path, or had fewer than 1,000 transactions."
    ),
    "lostRateRounds_other": (
        "{{n}} of {{of}} rounds are left out, without a figure at {{levels}} transactions per second: a "
        "trial failed, did not prove its path, or had fewer than 1,000 transactions."
    ),
    "lostClientRounds_one": (
        "{{n}} of {{of}} rounds is left out, without a figure at {{levels}} clients: a trial failed or "
        "did not prove its path."
    ),
    "lostClientRounds_other": (
        "{{n}} of {{of}} rounds are left out, without a figure at {{levels}} clients: a trial failed or "
        "did not prove its path."
    ),
    "lostRateRound": (
        "{{n}} of {{of}} round is left out, without a figure at {{levels}} transactions per second: a "
        "trial failed, did not prove its path, or had fewer than 1,000 transactions."
    ),
    "lostClientRound": (
        "{{n}} of {{of}} round is left out, without a figure at {{levels}} clients: a trial failed or "
        "did not prove its path."
    ),
    "orLevel": "{{first}} or {{second}}",
    "clients_one": "{{count}} client",
    "clients_other": "{{n}} clients",
    "fewRounds": "{{rounds}}, no interval with fewer than 6",
    "kneeCi": "95 % CI {{low}} to {{high}}, {{rounds}}",
    "kneeCiAbove": "95 % CI {{low}} to {{high}} or above, {{rounds}}",
    "belowLevel": "below {{level}}",
    "hopStep": "{{difference}}: {{cost}}.",
    "hopsInPlaceOf": "{{added}} in place of {{removed}}",
    "hopsAdded": "{{added}} added",
    "hopsRemoved": "without {{removed}}",
    "noHopDiffers": "No hop differs, {{here}} in place of {{there}}",
    "withoutIt": "without it",
    "levelNone": "none",
    "hopCpuUnmeasured": "CPU per transaction was not measured",
    "hopCpu": "{{cost}} µs of CPU per transaction{{details}}",
    "hopThroughputNone": "throughput cannot be compared",
    "hopThroughput": "throughput {{cost}} %",
    "hopThroughputCi": "throughput {{cost}} % ({{range}})",
    "roundsFromTo": "{{low}} to {{high}} rounds",
}
