"""Verdicts, intervals and headlines."""

from __future__ import annotations

from typing import Final

COMPARISONS: Final = {
    "joined": "{{first}} {{second}}",
    "ci": "95 % CI",
    "ciOfComparisons": "95 % simultaneous CI of {{n}} comparisons",
    "ciOfSteps": "95 % simultaneous CI of {{n}} steps",
    "ciOfLevels": "95 % simultaneous CI of {{n}} levels",
    "ciOfTestedFigures": "95 % simultaneous CI of {{n}} tested figures",
    "range": "{{low}} to {{high}}",
    "rangeTimes": "{{low}} to {{high}} times",
    "rounds_one": "{{count}} round",
    "rounds_other": "{{count}} rounds",
    "detailsCi": " ({{ci}} {{range}})",
    "detailsN": " ({{n}})",
    "detailsCiN": " ({{ci}} {{range}}, {{n}})",
    "changeFaster": "{{size}} faster{{details}}",
    "changeSlower": "{{size}} slower{{details}}",
    "changeHigher": "{{size}} higher{{details}}",
    "changeLower": "{{size}} lower{{details}}",
    "changeFasterThan": "{{size}} faster than {{than}}{{details}}",
    "changeSlowerThan": "{{size}} slower than {{than}}{{details}}",
    "changeHigherThan": "{{size}} higher than {{than}}{{details}}",
    "changeLowerThan": "{{size}} lower than {{than}}{{details}}",
    "timesFaster": "{{size}} times as fast{{details}}",
    "timesHigher": "{{size}} times as high{{details}}",
    "timesFasterThan": "{{size}} times as fast as {{than}}{{details}}",
    "timesHigherThan": "{{size}} times as high as {{than}}{{details}}",
    "trialsLackIt": "not judged: {{n}} of {{of}} trials have no value of it, which may depend on it{{why}}",
    "lackingBecause": " ({{reason}})",
    "amount": "{{value}} {{unit}}",
    "amountPoints": "{{value}} percentage points",
    "thatOf": "that of {{label}}",
    "thoseOf": "those of {{label}}",
    "verdictUndefined": "No answer ({{reason}})",
    "verdictTooFewRounds": "No answer: too few rounds (needs n ≥ {{needed}})",
    "verdictWithinMargin": "Equal: the difference is smaller than your {{margin}} margin{{family}}",
    "verdictChange": "{{label}} is {{change}}",
    "verdictEquivalent": "Equal within {{margin}}{{family}}",
    "verdictNoInterval": "No answer: no interval can be given",
    "verdictRemains": "No answer: differences between {{low}} and {{high}} remain possible{{family}}",
    "familySimultaneous": " (simultaneous, of {{n}} comparisons)",
    "inBrackets": " ({{text}})",
    "noRatio": "no ratio exists",
    "notAgainstLab": "the run does not compare it with the lab daemon",
    "noRoundOfBoth": "no round has a value of both",
    "ratioOutOfRange": "the ratio is out of range",
    "valueNotFinite": "a value is not a finite number",
    "medianIsZero": "a median is zero",
    "valueIsZero": "a value is zero",
    "signChanges": "the sign changes",
    "ofTheBaseline": "the baseline: {{reason}}",
    "headlineRate": "{{cell}} is {{change}}.",
    "headlineRateCost": "{{cell}} is {{change}}, and {{cost}}.",
    "headlineRateSoFar": "So far {{cell}} is {{change}}.",
    "headlineRateCostSoFar": "So far {{cell}} is {{change}}, and {{cost}}.",
    "headlineMetric": "{{metric}} of {{cell}} is {{change}}.",
    "headlineMetricCost": "{{metric}} of {{cell}} is {{change}}, and {{cell}} {{cost}}.",
    "headlineMetricSoFar": "So far {{metric}} of {{cell}} is {{change}}.",
    "headlineMetricCostSoFar": "So far {{metric}} of {{cell}} is {{change}}, and {{cell}} {{cost}}.",
    "headlineMetrics": "{{metric}} of {{cell}} are {{change}}.",
    "headlineMetricsCost": "{{metric}} of {{cell}} are {{change}}, and {{cell}} {{cost}}.",
    "headlineMetricsSoFar": "So far {{metric}} of {{cell}} are {{change}}.",
    "headlineMetricsCostSoFar": "So far {{metric}} of {{cell}} are {{change}}, and {{cell}} {{cost}}.",
    "cpuPerTransaction": "takes {{size}} times the CPU per transaction{{details}}",
    "cpuPerRequest": "takes {{size}} times the CPU per request{{details}}",
    "cpuPerMb": "takes {{size}} times the CPU per MB{{details}}",
    "headlineNoResult": "No result yet: {{done}} of {{planned}} trials are done.",
    "headlineNoComparison": (
        "No comparison in {{metric}} could be made: {{done}} of {{planned}} trials are done."
    ),
    "headlineNoComparisonWhy": (
        "No comparison in {{metric}} could be made: {{done}} of {{planned}} trials are done; {{reason}}."
    ),
    "headlineTooFewRounds": "Not enough rounds: no difference in {{metric}} could be significant.",
    "headlineNoneDiffers_one": (
        "No cell differs from its baseline in {{metric}} by more than the margin, the only comparison."
    ),
    "headlineNoneDiffers_other": (
        "No cell differs from its baseline in {{metric}} by more than the margin, of {{n}} comparisons."
    ),
    "headlineNoneShown_one": (
        "No difference in {{metric}} is shown between any cell and its baseline beyond the margin, the "
        "only comparison."
    ),
    "headlineNoneShown_other": (
        "No difference in {{metric}} is shown between any cell and its baseline beyond the margin, of "
        "{{n}} comparisons."
    ),
    "headlineTooFewRoundsLost": (
        "No answer in {{metric}}: {{lost}} of {{of}} comparisons are lost, and no difference could be "
        "significant in the rounds that are left."
    ),
    "headlineNoneDiffersLost": (
        "No answer in {{metric}}: {{lost}} of {{of}} comparisons are lost; no other cell differs from its "
        "baseline by more than the margin."
    ),
    "headlineNoneShownLost": (
        "No answer in {{metric}}: {{lost}} of {{of}} comparisons are lost; no difference beyond the margin "
        "is shown in the others."
    ),
    "answerProxyCosts": "{{proxy}} costs {{size}} of the throughput on {{where}}",
    "answerProxyGains": "{{proxy}} raises the throughput on {{where}} by {{size}}",
    "answerMetric": "{{metric}} of {{label}} is {{change}}",
    "answerWhere": "{{sentence}} ({{where}})",
    "answerEqual_one": "{{metric}}: equal within {{margin}}",
    "answerEqual_other": "{{metric}}: equal within {{margin}} in all {{count}} comparisons",
    "answerNotYet": "No answer yet: {{done}} of {{planned}} trials are done",
    "answerNothing": "Nothing is compared: {{done}} of {{planned}} trials are done",
    "answerLost": "No answer: {{lost}} of {{of}} comparisons are lost",
    "answerAllFailed": "No answer: every trial failed",
    "answerAllInvalid": "No answer: no trial has possible figures",
    "answerAllContaminated": "No answer: the host disturbed every trial",
    "answerAllExcluded": "No answer: every trial was excluded by hand",
    "answerTooFew": "No answer: too few rounds for a difference in {{metric}}",
    "answerNone_one": "No answer: no difference in {{metric}} is shown",
    "answerNone_other": "No answer: no difference in {{metric}} is shown in {{n}} of {{count}} comparisons",
    "answerCountWorse": "{{n}} worse",
    "answerCountBetter": "{{n}} better",
    "answerCountEqual": "{{n}} equal",
    "answerCountNone": "{{n}} without an answer",
    "andMore": "{{names}} and {{n}} more",
    "andLast": "{{names}} and {{last}}",
    "ciOfPairs": "95 % simultaneous CI of {{n}} pairs of hosts",
    "semicolon": "{{first}}; {{second}}",
    "comma": "{{first}}, {{second}}",
    "noTrialsContradicted": "the path is contradicted",
    "noTrialsNotProven": "the path is not proven",
    "noTrialsInvalid": "its figures break physical bounds",
    "noTrialsContaminated": "the host disturbed every trial",
    "noTrialsExcluded": "every trial was excluded by hand",
    "noTrialsFailed": "no trial succeeded",
    "noTrialsCancelled": "cancelled before it was measured",
    "noTrialsWaiting": "not measured yet",
    "noTrialCounts": "no trial counts",
    "settingsApart": (
        "the logs of the two cells differ in what the experiment does not vary between them ({{kinds}}), so "
        "that a difference is not judged"
    ),
}
