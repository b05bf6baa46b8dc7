"""What a plan says of its rounds, budget, quiet rule and spread."""

from __future__ import annotations

from typing import Final

PLANS: Final = {
    "cellsCannotRun": "{{n}} of {{of}} cells cannot run on this host and are left out.",
    "nothingToCompare": "There is nothing to compare: the only cells that can run are baselines.",
    "noWarmUp": "Without a warm-up the windows include cold caches and the first connections.",
    "tooFewRounds": (
        "Too few rounds: with {{rounds}} rounds {{effect}}. The plan has {{n}} comparisons with the "
        "baseline, and {{of}} rounds are certain to be able to decide {{able}}; {{remedy}}."
    ),
    "tooFewRoundsAnalyses": (
        "Too few rounds: with {{rounds}} rounds and {{analyses}} interim analyses {{effect}}. The "
        "plan has {{n}} comparisons with the baseline, and {{of}} rounds are certain to be able to "
        "decide {{able}}; {{remedy}}."
    ),
    "notCertain": "it is not certain that any result could be significant",
    "notCertainIn": "it is not certain that any result in {{metrics}} could be significant",
    "noneSignificant": "no result could be significant",
    "noneSignificantIn": "no result in {{metrics}} could be significant",
    "ableNone": "none",
    "roundsEnough": "{{n}} rounds are enough",
    "fewerCells": "use fewer cells, or fewer interim analyses",
    "earlyAnalysis": (
        "The first interim analysis, after {{n}} rounds, is too early to find a significant "
        "difference among {{comparisons}} comparisons, and makes the {{others}} others stricter; set "
        "rounds to {{needed}} or more."
    ),
    "analysisAfterBudget": (
        "The first interim analysis, after {{rounds}}, comes after about {{minutes}} minutes, later "
        "than the budget of {{budget}}: no further round begins after it."
    ),
    "budgetFits": (
        "The budget of {{budget}} fits about {{n}} of {{of}} rounds if no cell is decided early; "
        "cells decided early leave more rounds to the others."
    ),
    "countMinute": "{{n}} minute",
    "countMinutes": "{{n}} minutes",
    "countRound": "{{n}} round",
    "countRounds": "{{n}} rounds",
    "oneRound": "round",
    "countRun": "{{n}} run",
    "countRuns": "{{n}} runs",
    "countPair": "{{n}} A/A pair",
    "countPairs": "{{n}} A/A pairs",
    "countComparison": "{{n}} comparison",
    "countComparisons": "{{n}} comparisons",
    "budgetNothing": "{{minutes}} hold {{n}} rounds of {{cells}} cells; there is nothing to compare.",
    "budgetNothingOne": "{{minutes}} holds {{n}} rounds of {{cells}} cells; there is nothing to compare.",
    "budgetShows": (
        "{{minutes}} hold {{n}} rounds of {{cells}} cells, which show {{shown}} (80 % power, "
        "{{comparisons}})."
    ),
    "budgetShowsOne": (
        "{{minutes}} holds {{n}} rounds of {{cells}} cells, which show {{shown}} (80 % power, "
        "{{comparisons}})."
    ),
    "budgetShowsInterim": (
        "{{minutes}} hold {{n}} rounds of {{cells}} cells, which show {{shown}} (80 % power, "
        "{{comparisons}}). Or with interim analyses after {{first}} rounds and then every {{every}}: "
        "decided cells leave their time to the others, up to {{most}} rounds."
    ),
    "noDifference": "no difference reliably",
    "differencesOf": "differences of {{effect}} or more",
    "budgetNeeds": (
        "{{minutes}} hold {{held}} of {{cells}} cells, and {{needed}} are needed {{what}}. {{would}}"
    ),
    "budgetNeedsOne": (
        "{{minutes}} holds {{held}} of {{cells}} cells, and {{needed}} are needed {{what}}. {{would}}"
    ),
    "noRounds": "no rounds",
    "toDecide": "to decide {{comparisons}}",
    "toDecideAllowed": "to decide {{comparisons}}; {{trials}} trials allow {{most}}",
    "forInterval": "for an interval",
    "wouldFit": "This would fit: {{would}}.",
    "shorterWindows": "Use shorter windows and fewer levels.",
    "orElse": "{{first}}, or {{second}}",
    "cellsInstead": "about {{n}} instead of {{of}} cells",
    "windowsInstead": "windows of {{n}} s instead of {{of}} s",
    "windowsUpTo": "windows of up to {{n}} s instead of {{of}} s",
    "noQuietRule": "No limit is set on other processes and steal: they contaminate no trial.",
    "quietRule": (
        "Each trial {{wait}} {{limits}}. A trial during which that happens, or whose window is far "
        "too long, is contaminated: it is {{again}}, and excluded from all statistics if it stays "
        "contaminated. The rule uses no metric."
    ),
    "quietWaits": "waits up to {{seconds}} s while",
    "quietNoWait": "does not wait if",
    "quietOther": "other processes use {{cores}} cores more than on the quiet host",
    "quietSteal": "the hypervisor takes more than {{share}} % of the CPU",
    "quietOnce": "repeated at most once",
    "quietTimes": "repeated at most {{n}} times",
    "quietNever": "not repeated",
    "assumedNoHost": "assumed: no host is named",
    "assumedNoPair": "assumed: no A/A pair has been measured on this host",
    "assumedFewPairs": "assumed: only {{pairs}} measured on this host, {{needed}} are needed",
    "spreadMeasured": (
        "{{pairs}} of {{runs}} on this host, {{loads}}; their spread is {{spread}}, planned is with "
        "its upper 80 % confidence bound"
    ),
    "loadOf": "{{tool}} on {{service}}",
    "hostSpreadNone": "Too few: no A/A pair with a proven path was measured here.",
    "hostSpreadFew": (
        "Too few: {{pairs}} of {{runs}} leave {{n}} degrees of freedom, {{needed}} are needed; six "
        "rounds on the same servers give them."
    ),
    "hostSpreadFewOne": (
        "Too few: {{pairs}} of {{runs}} leave {{n}} degree of freedom, {{needed}} are needed; six "
        "rounds on the same servers give them."
    ),
    "hostSpread": (
        "The rate of one trial varies by {{spread}} here (standard deviation; 95 % interval {{low}} "
        "to {{high}}), from {{pairs}} of {{runs}}."
    ),
    "restartFresh": "Every trial starts its own server (fresh_server).",
    "restartAssumed": (
        "Servers restart every round: assumed, too few server starts were measured on this host."
    ),
    "restartMeasured": (
        "Servers restart every {{rounds}}: between-start spread {{between}} (at most {{upper}}), "
        "within {{within}} (this host, {{runs}})."
    ),
    "restartMeasuredFewer": (
        "Servers restart every {{rounds}}: between-start spread {{between}} (at most {{upper}}), "
        "within {{within}} (this host, {{runs}}); {{wanted}} would take least time, but {{all}} "
        "rounds need enough starts."
    ),
    "noProfileOnHost": "No CPU profile can be taken on this host: {{why}}. The run measures everything else.",
    "profilesOfSome": "CPU profiles are taken of {{n}} of {{of}} cells, the baselines first.",
    "perfMissing": "perf is not installed; install the package linux-perf (Debian) or linux-tools (Ubuntu)",
    "perfCannot": (
        "perf cannot sample all CPUs ({{why}}); the worker needs CAP_PERFMON, or "
        "kernel.perf_event_paranoid of -1 (it is {{level}})"
    ),
    "profileTwoHosts": "the client of this cell runs on another host, and a profile is of one host",
    "profileLost": "the worker ended {{n}} times while it took the profile",
    "profileCancelled": "cancelled after the run had ended",
    "profileNoneTaken": "the run was cancelled, or ended before this release could take profiles",
    "profileNotChosen": (
        "the cell has no recorded trial, is an A/A duplicate, or is not one of the {{n}} chosen cells"
    ),
}
