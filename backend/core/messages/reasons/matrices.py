"""Refusals of metrics, thresholds, levels, logs, plans and pictures."""

from __future__ import annotations

from typing import Final

MATRICES: Final = {
    "noOfferedRate": (
        "no cell has an offered rate, so latency from a scheduled start is not measured; give rate a "
        "level above 0 with the tool pgbench, or remove the limit"
    ),
    "metricFromTools": (
        "{{metric}} comes from {{tools}} and not from {{others}}; remove it, or name a metric of the "
        "experiment's tools, for example {{names}}"
    ),
    "metricNeedsRate": (
        "{{metric}} counts from scheduled starts, and no cell has an offered rate; give rate a level "
        "above 0 with the tool pgbench, or remove it"
    ),
    "metricNotListed": "{{metric}} is not among the metrics of the experiment; add it to metrics",
    "noCellHasLevel": "no cell has {{level}}; {{has}}",
    "itHas": "it has {{names}}",
    "appliesToNone": "{{factor}} applies to none of its cells",
    "appliesToNoneLeave": "{{factor}} applies to none of its cells; leave it out",
    "sweepBelow": "{{to}} is not above from ({{from}}); write the lower end as from",
    "sweepZero": "0 multiplied remains 0; start at 1 or more, or use step",
    "sweepLevels": "more than {{most}} levels; use a larger step, {{wide}} or more",
    "sweepNotNumeric": "{{factor}} is not numeric and cannot be swept; list its levels",
    "sweepUnknown": "unknown field {{name}} of a sweep; {{form}}",
    "sweepNeeds": "a sweep of {{factor}} needs {{names}}; {{form}}",
    "sweepEither": "a sweep has either step or times; {{form}}",
    "sweepBy": "{{given}}: {{name}} must be a whole number of at least {{least}}",
    "thresholdLong": "{{text}} has {{n}} characters, a threshold {{most}} at most",
    "thresholdForm": "{{text}} is not a threshold; {{form}}",
    "thresholdOperator": "{{text}} is not a comparison operator; use one of >= > <= <",
    "thresholdRatio": "{{text}} is not a ratio; write ratio(METRIC, baseline)",
    "thresholdToBaseline": "{{text}}: a ratio is always to the baseline; write ratio({{metric}}, baseline)",
    "thresholdConfidence": "remove confidence: thresholds are decided by the 95 % interval",
    "thresholdNumber": (
        "{{text}} is not a number; write a finite one without unit or thousands separator, for "
        "example 0.95 or 20000"
    ),
    "thresholdRatioAbove": "{{text}}: a ratio must be above 0; 0.95 means at most 5 % less than the baseline",
    "thresholdNegative": "{{text}}: metrics are never below 0; write a number of 0 or more",
    "levelsLong": "{{text}} has {{n}} characters, the levels of a cell {{most}} at most",
    "levelsForm": "{{text}}: name levels as factor=level, for example path=published_loopback",
    "factorTwiceInCell": "{{name}} occurs twice; a cell has one level of each factor",
    "levelOneOf": "{{text}} is not a level of {{factor}}; use one of {{names}}",
    "levelWhole": "{{text}} is not a level of {{factor}}, which is a whole number from {{least}} to {{most}}",
    "levelPattern": "{{text}} is not a level of {{factor}}: {{about}}",
    "noStudy": "no study is called {{name}}; the studies are {{names}}",
    "otherSchema": "this reads documents of the schema {{schema}} only",
    "noCellTogether": "no cell of the experiment has these levels together; leave one out, or change it",
    "noCellWith": "the experiment has no cell with {{level}}: {{there}}",
    "severalCells": "{{n}} cells have these levels; add {{names}}",
    "logUnread": "{{why}}; give the complete output of one run of {{tool}}, or the levels of its cell",
    "logRound": "round {{round}} of {{cell}} is at {{at}} already; number rounds apart",
    "tooMuchPrinted": "{{tool}} printed more than {{limit}} characters",
    "lineNotPrinted": "{{tool}} printed no line '{{line}}'",
    "severalReports": "the output of {{tool}} contains {{n}} reports; give one log for each run",
    "lineNotRead": "{{tool}} printed a line that cannot be read, line {{n}}: '{{text}}'",
    "lineNotReadLocale": (
        "{{tool}} printed a line that cannot be read, line {{n}}: '{{text}}'; run it with LC_ALL=C"
    ),
    "otherLanguage": "pgbench printed its report in another language; set LC_ALL=C and run it again",
    "errorInOtherLanguage": "pgbench printed an error in another language; set LC_ALL=C and run it again",
    "clientsAborted": (
        "{{n}} of {{of}} clients of pgbench aborted, so its figures are of fewer clients; repeat the run"
    ),
    "connectionFailed": (
        "a connection of pgbench failed, so its figures are of fewer than {{of}} clients; repeat the run"
    ),
    "rateOfTransactions": (
        "pgbench reported {{rate}} transactions per second, but {{n}} transactions in {{seconds}} s"
    ),
    "iperf3MoreThanSent": "iperf3 received {{n}} bytes of {{of}} that were sent",
    "runAborted": "pgbench says that its run was aborted and its results are incomplete",
    "runAbortedEarly": "pgbench says that its run was aborted, and printed no report",
    "abAsHtml": "ab printed its report as HTML, which has no percentiles; run ab without -w",
    "isWrk2": (
        "this is the output of wrk2, which corrects for coordinated omission, so that its latencies "
        "are not those of wrk; run wrk"
    ),
    "iperf3RateOfBytes": ("iperf3 reported {{rate}} bits per second, but {{bytes}} bytes in {{seconds}} s"),
    "rateOfRequests": ("{{tool}} reported {{rate}} requests per second, but {{n}} requests in {{seconds}} s"),
    "iperf3AsText": "iperf3 printed its report as text, which is rounded; run iperf3 with -J",
    "iperf3NoJson": "iperf3 printed no JSON report; run iperf3 with -J",
    "iperf3Error": "iperf3 ended with the error: {{why}}",
    "iperf3ErrorInRun": (
        "iperf3 ended with the error: {{why}}; its figures are of a part of the run, repeat it"
    ),
    "iperf3Errors": "iperf3 ended with an error in each of {{n}} runs",
    "iperf3ErrorsLast": "iperf3 ended with an error in each of {{n}} runs, the last with: {{why}}",
    "iperf3CannotBe": "iperf3 reported what cannot be: {{why}}",
    "lostMoreThanSent": "iperf3 reported {{n}} lost packets of {{of}} sent",
    "logIdentical": (
        "it has the same figures as the log at {{at}}; give the log of each run once, or set allow_identical"
    ),
    "matrixTooLarge": "the rules include {{n}} cells, at most {{most}} are allowed; use fewer levels",
    "trialsTooMany": (
        "{{trials}}, at most {{most}} are allowed; use fewer levels or rounds: at most {{fewer}} "
        "cells in {{rounds}} rounds, A/A duplicates counted"
    ),
    "trialsMade": "{{cells}} cells × {{rounds}} rounds make {{n}} trials",
    "trialsMadeDuplicates": (
        "{{cells}} cells ({{duplicates}} of them A/A duplicates of baselines) × {{rounds}} rounds "
        "make {{n}} trials"
    ),
    "roundsOrCells": "{{rounds}} rounds of these cells, or {{cells}}",
    "planTooLong": "the plan would take about {{hours}} hours, at most 24 are allowed; {{remedy}}",
    "fewerRounds": "use fewer rounds",
    "lowerAtMost": "set a lower at_most, or a budget_minutes",
    "baselineCannotRun": "the baseline {{cell}} cannot run here: {{why}}; name another one",
    "excludesAll": "the rules exclude every cell; remove one of them",
    "includesNothing": (
        "every cell that this rule adds exists already; remove the rule, or name a level that the "
        "other cells do not have"
    ),
    "excludesNothing": "this rule matches no cell of the experiment; remove it, or name levels of one cell",
    "baselineInclude": "{{cell}} has no baseline; include {{baseline}} too, or remove this rule",
    "excludesBaseline": (
        "this rule excludes {{baseline}}, the baseline of {{cell}}; exclude that cell too, or keep both"
    ),
    "baselineLevel": "{{cell}} has no baseline; name one level of {{names}} in baseline",
    "factorDecides": "a factor that decides it",
    "noSuchCellPlan": "run {{run}} has no cell {{cell}}; its plan lists them",
    "noSuchCellNumbers": "a run has no such cell; its cells are c1, c2 … as its plan numbers them",
    "noSuchCellOf": "the run {{name}} has no such cell; its cells are c1, c2 … as its plan numbers them",
    "noCellOfRun": "this run has no cell {{cell}}",
    "noSuchCellShort": "this run has no such cell",
    "tooManyEntries": (
        "{{cells}} cells in {{runs}} runs are more than {{most}} entries: choose fewer runs, or single cells"
    ),
    "columnsBetween": "choose {{least}} to {{most}} columns; these are {{n}}",
    "cellOfEveryRun": "name a cell of every run, or of none",
    "columnsSame": "columns {{first}} and {{second}} are the same {{kind}}: remove one",
    "kindCell": "cell",
    "referenceColumn": "the reference is the number of a column, 0 to {{most}}",
    "oneRunTwice": "a and b are one run: name two of its cells by a_cell and b_cell",
    "bothCells": "name both a_cell and b_cell, or neither",
    "cellItself": "a cell cannot be compared with itself; name another one",
    "notComparable": "the two are not comparable: {{why}}",
    "noCommonMetric": "the two have no metric in common; name one that both have",
    "ladderKind": "ladder is for kind ladder",
    "ladderFirst": "ladder is the first cell of one: {{names}}; all ladders if empty",
    "forKind": "{{name}} is for kind {{names}}",
    "nothingToDraw": "this run has nothing to draw as {{kind}}: see GET /runs/{id}/panels; use kind=dots",
    "roleOfFactors": "{{role}} is one of the factors that this run varies: {{names}}; or {{nothing}}",
    "factorOneRole": "{{factor}} is already {{role}}; a factor has one role",
    "noPivot": "this run varies fewer than two factors, so it has no pivot; use kind=dots",
    "trialKinds": "{{lacking}}; this trial has pictures of kind {{names}}",
    "noRecordToDraw": "this trial has left no record to draw",
    "sweepForm": "write {from: 1000, to: 8000, step: 1000} or {from: 1, to: 64, times: 2}",
    "listAnd": "{{first}} and {{second}}",
    "listOr": "{{first}} or {{second}}",
    "noSuchCellPlain": "the run has no such cell",
    "sweepsHave": "below the rate, the sweeps of this run have {{names}}",
    "cellCpuOverTimeOf": "cell {{cell}} has CPU over time of {{names}}",
    "cellNothingOverTime": "no trial of cell {{cell}} has a rate or CPU over time; use kind=dots",
    "noTreeOfFrames": "this is no tree of frames: {{why}}",
}
