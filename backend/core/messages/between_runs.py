"""Comparisons of runs: why they may not be compared, what differs, and what qualifies their figures."""

from __future__ import annotations

from typing import Final

BETWEEN_RUNS: Final = {
    "runsWithoutTrial": "{{name}} has no finished trial: wait for its first one, or choose another run.",
    "runsNoCellInCommon": (
        "No cell is in common, because no cell has the same levels in both. Name one cell of each (a_cell, "
        "b_cell) to compare these two."
    ),
    "runsNoCellInCommonAs": (
        "No cell is in common: {{factors}}. Name one cell of each (a_cell, b_cell) to compare these two."
    ),
    "runsFactIn": "{{fact}} is {{ours}} in {{a}} and {{theirs}} in {{b}}",
    "runsNoMetricInCommon": "No metric is in common: compare cells whose tools report the same one.",
    "runsNoMetricInCommonAs": (
        "No metric is in common, as {{operations}}: compare cells whose tools count the same operations, or "
        "another metric."
    ),
    "runsOperations": "figures per operation are per {{ours}} in {{a}} and per {{theirs}} in {{b}}",
    "runsOperationsNoTable": (
        "Figures per operation are per {{ours}} in {{a}} and per {{theirs}} in {{b}}: they have no table."
    ),
    "runsOtherBaselines": (
        "The baselines differ, {{ours}} for {{a}} and {{theirs}} for {{b}}, so the ratios answer different "
        "questions: compare values (basis=values), or read each ratio by itself."
    ),
    "runsWhatDiffers": "What differs besides, and may move the figures: {{facts}}.",
    "runsMachinesDiffer": (
        "The machines differ: {{facts}}. Compare the ratios to each run's own baseline (basis=ratios), or "
        "override, and read the values as those of two machines."
    ),
    "runsDifferentBaselines": (
        "The runs have different baselines, so their ratios answer different questions: compare values "
        "(basis=values), or override."
    ),
    "runsBothBaselines": ("Both cells are baselines, and they have no ratio: compare values (basis=values)."),
    "runsOnlyBaselines": (
        "Only baselines are in common, and they have no ratio: compare values (basis=values)."
    ),
    "runsEachABaseline": (
        "Each cell in common is a baseline in {{a}} or in {{b}}, and has no ratio there: compare values "
        "(basis=values)."
    ),
    "runsCellIsBaseline": (
        "The cell of {{name}} is a baseline, and has no ratio: compare values (basis=values)."
    ),
    "runsOverridden": "Compared although not comparable: {{reasons}}",
    "runsUnfinished": "{{name}} is not finished: figures and verdicts are provisional.",
    "runsTrust": "{{name}}: {{trust}}",
    "runsInterim": (
        "{{name}} had {{analyses}} planned interim analyses; the intervals between two runs are not "
        "corrected for them."
    ),
    "runsOtherRounds": (
        "The runs were not measured in the same rounds: whatever else changed on the host between them is "
        "part of every difference. Ratios to each run's own baseline cancel most of it."
    ),
    "runsOwnBaselines": "Baselines have no row: each is divided by itself.",
    "runsNoValueCells": "{{metric}}: one of the cells has no value of it, so it has no table.",
    "runsNoValueRuns": "{{metric}}: one of the runs has no value of it, so it has no table.",
    "columnsUnfinished": "{{names}}: the run is not finished; figures and verdicts are provisional.",
    "columnsInterim": (
        "{{names}}: the run had {{analyses}} planned interim analyses; the intervals between two runs are "
        "not corrected for them."
    ),
    "columnWithoutCell": "{{name}} has no such cell.",
    "onlyOneHasCell": "Only {{name}} has this cell.",
    "overOwnBaseline": "{{name}} over its own baseline",
    "minusOwnBaseline": "{{name}} minus its own baseline",
    "notJudged": "Not judged: no spread between runs has been shown here; a third run is needed",
    "notJudgedWithin": (
        "Not judged: no spread between runs has been shown here (within these two runs {{range}}); a third "
        "run is needed"
    ),
    "spreadEstimated_one": (
        "The median of one cell varies by {{percent}} % from run to run (standard deviation over {{runs}} "
        "runs, {{count}} cell); the intervals include it."
    ),
    "spreadEstimated_other": (
        "The median of one cell varies by {{percent}} % from run to run (standard deviation over {{runs}} "
        "runs, {{count}} cells); the intervals include it."
    ),
    "spreadUnknown": (
        "No spread between runs has been shown on this host, so a difference of two single runs cannot be "
        "distinguished from it: measure a third run of the same experiment there."
    ),
    "spreadUnknownOneOf": (
        "No spread between runs has been shown on one of the hosts, so a difference of two single runs "
        "cannot be distinguished from it: measure a third run of the same experiment there."
    ),
    "countFaster": "{{n}} faster",
    "countSlower": "{{n}} slower",
    "countHigher": "{{n}} higher",
    "countLower": "{{n}} lower",
    "countEquivalent": "{{n}} equal",
    "countUndecided": "{{n}} without an answer",
    "countInA": "{{n}} in A only",
    "countInB": "{{n}} in B only",
    "nothingToCompare": "nothing to compare",
    "sideItsBaseline": "{{side}}, its baseline",
    "baselineToItself": "a baseline has no ratio to itself",
    "noRoundWithBaseline": "no round has the cell and its baseline",
    "baselineValueZero": "a value of the baseline is zero",
    "noTrialYieldedMetric": "no trial yielded {{metric}}",
    "sideReason": "{{side}}: {{reason}}",
    "remarkCpu": "another processor",
    "remarkCores": "another number of cores",
    "remarkArchitecture": "another kind of processor",
    "remarkKernel": "the kernel forwards the packets",
    "remarkBootId": "the host was started in between",
    "remarkAtStart": "something else was on the host when the run began",
    "remarkHost": "two machines differ even with the same parts",
    "remarkCpuGovernor": "the processor's clock is set in another way",
    "remarkClocksource": "reading the clock costs differently",
    "remarkCgroupVersion": "CPU is accounted in another way",
    "remarkIrqTime": "interrupt time is attributed in another way",
    "remarkObservers": "the observers are scheduled in another way",
    "remarkDockerProxy": "another build of docker-proxy",
    "remarkImage": "other builds of tools and services",
    "remarkPortRange": "counts only where connections are made often",
    "remarkSysctl": "a setting of the network stack",
    "remarkReportedTwice": "another key reports it as well",
    "remarkDocker": "another version of Docker",
    "remarkEngine": "another version or setting of this engine",
    "remarkClientHost": "the clients of remote paths ran on another host",
    "remarkOfClientHost": "the clients of remote paths ran there",
    "remarkRarelyMoves": "rarely moves these figures",
    "remarkProgram": "another version",
    "remarkProgramUnused": "no cell uses it",
    "remarkNotJudged": "recorded, not judged",
    "remarkNothingKnown": "nothing is known about the host of {{name}} but its name",
    "remarkImported": "{{names}}: imported, nothing proves that packets took the labelled path",
    "remarkOwnHost": "in {{name}}, the clients of remote paths ran on the run's own host",
    "remarkNotRecorded": "not recorded for {{name}}",
    "remarkUnknown": "unknown in {{name}}",
    "remarkNotKnownOf": "not known of {{hosts}}",
    "remarkEngineKind": "an engine of another kind",
    "remarkClientSetting": "the client runs with another setting",
    "remarkServerSetting": "the server runs with another setting",
    "remarkFrontSetting": "the reverse proxy runs with another setting",
    "remarkLimits": "the server may use other resources",
    "remarkWindows": "windows of another length",
    "remarkCountsDifferently": "another {{factor}} counts differently",
    "remarkCompared": "one of the things that are compared",
    "remarkBaselines": "ratios to different baselines answer different questions",
}
