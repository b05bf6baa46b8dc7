"""Warnings and qualifications of a run: A/A checks, drift, noise, losses, server starts, environment."""

from __future__ import annotations

from typing import Final

RUNS: Final = {
    "runNotFinished": "The run is not finished: figures and verdicts are provisional.",
    "cellWithoutFigures": "{{reason}}; it has no figures.",
    "cellLeftOut": "{{losses}}; these trials and their pairs are left out.",
    "metricNotJudged_one": (
        "{{metric}} is not judged in {{cells}}: {{count}} trial has no usable value of it, which may depend "
        "on the value, so that the others are no sample."
    ),
    "metricNotJudged_other": (
        "{{metric}} is not judged in {{cells}}: {{count}} trials have no usable value of it, which may "
        "depend on the value, so that the others are no sample."
    ),
    "madeUp_one": (
        "{{count}} trial was measured in make-up rounds after the last planned one, in place of trials that "
        "the host disturbed. Readings of the host alone chose it, no metric."
    ),
    "madeUp_other": (
        "{{count}} trials were measured in make-up rounds after the last planned one, in place of trials "
        "that the host disturbed. Readings of the host alone chose them, no metric."
    ),
    "pathsDiffer": (
        "Compared paths differ in {{fact}}: {{values}}. That is part of the result; make it equal to "
        "compare anything else."
    ),
    "interimPlanned_one": (
        "Interim analyses after round {{rounds}}, fixed before the start; {{taken}} of {{of}} taken. "
        "p-values and intervals of comparisons and costs per hop are corrected for all of them; a "
        "median's own interval is not, nor is a knee's."
    ),
    "interimPlanned_other": (
        "Interim analyses after rounds {{rounds}}, fixed before the start; {{taken}} of {{of}} taken. "
        "p-values and intervals of comparisons and costs per hop are corrected for all of them; a "
        "median's own interval is not, nor is a knee's."
    ),
    "importedWithoutEvidence": "imported, without evidence",
    "lostContradicted": "{{n}} of {{of}} trials: the path of the label is contradicted",
    "lostUnproven": "{{n}} of {{of}} trials did not prove their path",
    "lostExcluded": "{{n}} of {{of}} trials excluded by hand: {{why}}",
    "lostInvalid": "{{n}} of {{of}} trials invalid: {{why}}",
    "lostContaminated": "{{n}} of {{of}} trials contaminated each time: {{why}}",
    "lostFailed": "{{n}} of {{of}} trials failed: {{why}}",
    "moreReasons_one": "{{reason}} (and {{count}} more reason)",
    "moreReasons_other": "{{reason}} (and {{count}} more reasons)",
    "aaOf": "A/A of {{baseline}}: {{figures}}; {{conclusion}}.",
    "aaFigures": "its duplicate differs by {{change}} ({{interval}}, p = {{p}}, {{rounds}})",
    "aaNoInterval": "no interval with so few rounds",
    "aaInterval": "95 % CI of this duplicate alone {{range}}",
    "aaSuspect": "suspect, because one cell was measured twice",
    "aaWithin": "within the margin of {{margin}}",
    "aaNothing": "nothing shown, though a difference below the margin of {{margin}} may be there",
    "aaCannotTell": "cannot tell: it could have missed a difference as large as the margin of {{margin}}",
    "trustBlindOne": (
        "A/A cannot tell whether this run can be trusted: it could have missed a difference of the margin."
    ),
    "trustBlindAll": (
        "A/A cannot tell whether this run can be trusted: none of the {{n}} duplicates could be relied "
        "on to find a difference of the margin."
    ),
    "trustBlindSome": (
        "{{n}} of {{of}} A/A duplicates cannot tell whether the run can be trusted: each could have "
        "missed a difference of the margin."
    ),
    "trustSuspect": (
        "A/A is suspect: the baseline differs from its own duplicate, so that differences in this run "
        "may come from the measurement."
    ),
    "trustSuspectOf_one": (
        "A/A is suspect: {{count}} of {{of}} baselines differs from its own duplicate (each is tested at "
        "5 %, and about 1 in 20 does by chance), so that differences in this run may come from the "
        "measurement."
    ),
    "trustSuspectOf_other": (
        "A/A is suspect: {{count}} of {{of}} baselines differ from their own duplicate (each is tested "
        "at 5 %, and about 1 in 20 does by chance), so that differences in this run may come from the "
        "measurement."
    ),
    "trustBlindToo": "{{n}} more cannot tell.",
    "drifted": (
        "{{cell}}: {{metric}} drifted by {{change}} over the run (Kendall p = {{p}}, {{rounds}}); "
        "pairing by round cancels what all cells share of it."
    ),
    "noDrift": (
        "{{cell}}: {{metric}} moved by {{change}} over the run (Kendall p = {{p}}, {{rounds}}); no drift "
        "is shown."
    ),
    "stayedNoisy": ("This host stayed noisy: {{n}} of {{of}} trials contaminated each time and left out."),
    "excludedByHand_one": "{{count}} of {{of}} trials was excluded by hand, and left out with its pairs.",
    "excludedByHand_other": (
        "{{count}} of {{of}} trials were excluded by hand, and left out with their pairs."
    ),
    "hostNoise": "Host noise: {{parts}}.",
    "measuredAgain_one": "{{count}} of {{of}} trials was measured again ({{kinds}})",
    "measuredAgain_other": "{{count}} of {{of}} trials were measured again ({{kinds}})",
    "contaminatedEachTime_one": (
        "{{count}} of {{of}} trials was contaminated each time, and left out with its pairs ({{kinds}})"
    ),
    "contaminatedEachTime_other": (
        "{{count}} of {{of}} trials were contaminated each time, and left out with their pairs ({{kinds}})"
    ),
    "invalidLeftOut_one": "{{count}} of {{of}} trials was invalid, and left out with its pairs",
    "invalidLeftOut_other": "{{count}} of {{of}} trials were invalid, and left out with their pairs",
    "timesKind": "{{n}} × {{kind}}",
    "extensionNote": (
        "This run was started after the result of run {{run}} was known (extension {{number}} of that run). "
        "It is a new analysis of its own {{rounds}} rounds only; p-values and intervals are corrected for "
        "{{analyses}} analyses, so that all extensions of that run together show a difference that does not "
        "exist in at most 5 % of cases."
    ),
    "cancelledAfterAnalysis": (
        "The run was cancelled after {{n}} of {{of}} rounds: comparisons, costs and thresholds are those "
        "of the interim analysis after round {{last}}."
    ),
    "cancelledBeforeAnalysis": (
        "The run was cancelled after {{n}} of {{of}} rounds: p-values and intervals of comparisons, "
        "costs and thresholds are corrected as if it had been analysed after every round, because "
        "whoever cancelled it may have seen its results."
    ),
    "oneServerStart": (
        "Measured with one server start for all rounds; comparisons across servers hold for these starts "
        "only."
    ),
    "everyTrialOwnServer": "Every trial started its own server.",
    "restartedRounds_one": "Servers were restarted every round; {{spreads}}.",
    "restartedRounds_other": "Servers were restarted every {{count}} rounds; {{spreads}}.",
    "restartedRoundsStarts_one": "Servers were restarted every round ({{starts}} starts); {{spreads}}.",
    "restartedRoundsStarts_other": (
        "Servers were restarted every {{count}} rounds ({{starts}} starts); {{spreads}}."
    ),
    "startsInseparable": "this run alone cannot separate the spread between starts from that within them",
    "startsNoEffect": (
        "no effect of a start on {{metric}} is shown ({{pairs}} pairs of starts; standard deviation of "
        "one trial on a running server {{within}})"
    ),
    "startsChange": (
        "a start changes {{metric}} by {{between}} (standard deviation, from {{pairs}} pairs of starts), "
        "one trial on a running server by {{within}}"
    ),
    "hostRestartedDuring": (
        "The host was started again during the run: the figures of {{cells}} mix trials from before and "
        "after."
    ),
    "factChangedDuring": (
        "{{fact}} changed during the run ({{values}}): the figures of {{cells}} mix trials from before "
        "and after."
    ),
    "hostRestartedBetween": (
        "The host was started again between compared cells: {{cells}} against the baseline; the ratio "
        "includes it."
    ),
    "factDiffers": (
        "{{fact}} is {{own}} in one and {{other}} in the other of compared cells: {{cells}} against the "
        "baseline; the ratio includes it."
    ),
    "hostAtStart": "On the host when the run began: {{what}}; they may disturb it.",
    "studyDeparts": "The published figures were taken with {{settings}}; this run has other settings.",
    "bestTooFew": ("Not enough rounds to find the best of {{n}} cells in {{metric}} (needs n ≥ {{needed}})."),
    "bestIs": "{{cell}} is the best of {{n}} cells in {{metric}}, with 95 % confidence.",
    "bestTied": "Tied for best in {{metric}}: {{cells}}; with 95 % confidence the best is among them.",
    "tooLarge": (
        "This run is too large to be shown at once: {{parts}}. Open a cell to see all of its values; the "
        "exports hold everything."
    ),
    "tooLargeDigits": "numbers have {{n}} digits",
    "tooLargeValues": "single values are those of {{metric}} alone",
    "tooLargeLadders": "{{n}} of {{of}} hop ladders are left out",
}
