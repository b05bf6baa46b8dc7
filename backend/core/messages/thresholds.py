"""Thresholds and claims of studies."""

from __future__ import annotations

from typing import Final

THRESHOLDS: Final = {
    "thresholdSuspect": "The threshold therefore does not pass.",
    "thresholdFamily": "Intervals hold 95 % over all {{n}} tested figures.",
    "thresholdCells_one": "{{count}} cell: {{parts}}.",
    "thresholdCells_other": "{{count}} cells: {{parts}}.",
    "thresholdFails_one": "{{count}} fails",
    "thresholdFails_other": "{{count}} fail",
    "thresholdOpen": "{{n}} without enough evidence",
    "thresholdPasses_one": "{{count}} passes",
    "thresholdPasses_other": "{{count}} pass",
    "thresholdLeftOut": "Left out, because they cannot run: {{cells}}.",
    "labelBecause": "{{label}} ({{reason}})",
    "cannotRunHere": "it cannot run here",
    "thresholdNoneRuns": "No cell that can run is concerned, so nothing is tested.",
    "thresholdNoneYields": "No cell yields {{metric}}, so nothing is tested.",
    "thresholdNoneYieldsWith": "No cell with {{levels}} yields {{metric}}, so nothing is tested.",
    "thresholdNoneRatio": "No cell has a baseline and yields {{metric}}, so nothing is tested.",
    "thresholdNoneRatioWith": (
        "No cell with {{levels}} has a baseline and yields {{metric}}, so nothing is tested."
    ),
    "testedMissing": "{{metric}} of {{cell}}: {{reason}}.",
    "testedNoInterval": (
        "{{metric}} of {{cell}} is {{value}}, without an interval: too few rounds to decide."
    ),
    "ofItsBaseline": "{{value}} of its baseline",
    "fromTimesBaseline": "{{value}} from {{times}} times its baseline",
    "testedEqual": "{{metric}} of {{cell}} is {{value}}: equal to its baseline{{counted}}.",
    "valueRange": "{{value}} ({{ci}} {{range}})",
    "valueCi": "{{value}} ({{ci}} {{low}} to {{high}})",
    "testedAtLeast": "{{metric}} of {{cell}} is {{value}}: at least {{bound}}{{counted}}.",
    "testedAbove": "{{metric}} of {{cell}} is {{value}}: above {{bound}}{{counted}}.",
    "testedAtMost": "{{metric}} of {{cell}} is {{value}}: at most {{bound}}{{counted}}.",
    "testedBelow": "{{metric}} of {{cell}} is {{value}}: below {{bound}}{{counted}}.",
    "testedNotAbove": "{{metric}} of {{cell}} is {{value}}: not above {{bound}}{{counted}}.",
    "testedNotBelow": "{{metric}} of {{cell}} is {{value}}: not below {{bound}}{{counted}}.",
    "testedOpen": (
        "{{metric}} of {{cell}} is {{value}}: {{bound}} lies within the interval, so more rounds are "
        "needed to decide{{counted}}."
    ),
    "ofTrials": " ({{n}} of {{of}} trials)",
    "ofRounds": " ({{n}} of {{of}} rounds)",
    "missingMetric": "the run has no value of it",
    "missingRatio": "there is no ratio to its baseline",
    "noTrialYielded": "no trial yielded it",
    "stateWaiting": "it is not measured yet",
    "stateCancelled": "it was cancelled before it was measured",
    "stateContradicted": "its path is contradicted",
    "stateNotProven": "its path is not proven",
    "claimNotTested": "Not tested: {{reason}}.",
    "claimTooFewRounds": (
        "Not tested: {{n}} rounds with both cells are too few for a 95 % interval among {{size}} figures "
        "of the claims."
    ),
    "claimTooFewTrials": (
        "Not tested: {{n}} trials are too few for a 95 % interval among {{size}} figures of the claims."
    ),
    "claimRatio": (
        "{{what}}, paired within {{n}} rounds: {{ratio}} (95 % CI {{low}} to {{high}}), a change "
        "of {{change}}"
    ),
    "claimDifference": "{{what}}, paired within {{n}} rounds: {{value}} (95 % CI {{range}})",
    "claimMedian": "{{what}}: median {{value}} (95 % CI {{low}} to {{high}}, {{n}} trials)",
    "claimMedianCores": "{{what}}: median {{value}} cores (95 % CI {{low}} to {{high}}, {{n}} trials)",
    "claimRatioOf": "{{metric}}, {{cell}} ÷ {{other}}",
    "claimDifferenceOf": (
        "{{metric}}, {{cell}} − {{times}} × {{other}} (a value is zero, so no ratio exists)"
    ),
    "claimCpuOf": "CPU of the {{role}} in {{cell}}",
    "claimCpuPer": "CPU of the {{role}} ÷ CPU of the {{per}} in {{cell}}",
    "claimCpuMinus": (
        "CPU of the {{role}} − {{times}} × CPU of the {{per}} in {{cell}} (a value is zero, so no ratio "
        "exists)"
    ),
    "claimBothZero": "both are 0 in every round",
    "claimSpread": "CPU of the busiest {{process}} ÷ that of an even spread in {{cell}}",
    "claimFigures": "{{figures}}. {{rules}}",
    "claimTogether": "The intervals hold together for {{n}} figures of the claims.",
    "claimRuleDirectionReproduced": "Direction reproduced: the whole interval should be {{region}}.",
    "claimRuleDirectionNotReproduced": "Direction not reproduced: the whole interval should be {{region}}.",
    "claimRuleDirectionUndecided": "Direction undecided: the whole interval should be {{region}}.",
    "claimRuleSizeReproduced": "Size reproduced: the whole interval should be {{region}}.",
    "claimRuleSizeNotReproduced": "Size not reproduced: the whole interval should be {{region}}.",
    "claimRuleSizeUndecided": "Size undecided: the whole interval should be {{region}}.",
    "regionAtMost": "at most {{high}}",
    "regionAtLeast": "at least {{low}}",
    "regionWithin": "within {{low}} to {{high}}",
    "regionDifferenceAtMost": "at most 0 for {{high}} ×",
    "regionDifferenceAtLeast": "at least 0 for {{low}} ×",
    "regionDifferenceWithin": "at least 0 for {{low}} × and at most 0 for {{high}} ×",
    "claimSuspect": "Undecided, because the A/A check is suspect. {{detail}}",
    "claimCannotTell": "{{detail}} The A/A check cannot tell.",
}
