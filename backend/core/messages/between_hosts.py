"""Groups of runs: whether hosts disagree, and what qualifies the figures of several hosts."""

from __future__ import annotations

from typing import Final

BETWEEN_HOSTS: Final = {
    "hostsRunToRun": (
        "Each host was measured in one run: a difference between hosts contains whatever differs between two "
        "runs of one host. Start the group again to see whether it repeats."
    ),
    "hostsDifferIn": (
        "The hosts differ in {{facts}}. Values of different hosts are not comparable; where hosts disagree "
        "about a ratio, any of these, or anything that was not recorded, can be the reason."
    ),
    "hostsOnOne": "Measured on one host: {{parts}}. Of these no other host says anything.",
    "hostsOnlyOn": "{{cells}} on {{host}} only",
    "hostsConfounded": (
        "{{factor}}: {{a}} ran on {{hostsA}} only and {{b}} on {{hostsB}} only. Their difference cannot be "
        "separated from that of the hosts, so no comparison is drawn between them."
    ),
    "hostsConfoundedMore": "So have {{n}} more pairs of its levels.",
    "hostsDeleted": "The run on {{hosts}} was deleted: the group is judged without it.",
    "hostsCancelled": "The run on {{hosts}} was cancelled before its last round.",
    "hostsIncomplete": "The run on {{hosts}} ended with failed trials.",
    "hostsWaiting": "Not finished on {{hosts}}: figures and sentences are provisional.",
    "hostsInterim": (
        "The runs have planned interim analyses: disagreement between hosts is judged by the rounds up to "
        "the first one, because a ratio that ended its own measurement is too far from 1 on average."
    ),
    "hostsFewValues": "{{n}} independent values, at least {{needed}} are needed",
    "hostsEqualRatios": "all of its ratios are equal, so that its noise is not known",
    "hostsEqualDifferences": "all of its differences are equal, so that its noise is not known",
    "hostsHigherBy": (
        "the difference to the baseline on {{high}} is {{size}} higher than on {{low}} ({{ci}} {{range}})"
    ),
    "hostsCannotTellNone": ("Cannot tell whether hosts disagree. No host has enough values ({{why}})."),
    "hostsCannotTellOne": ("Cannot tell whether hosts disagree. Only {{host}} has enough values ({{why}})."),
    "hostsWithout": "Without {{hosts}}.",
    "hostsWithoutSoFar": "So far without {{hosts}}.",
    "hostsReason": "{{host}} ({{reason}})",
    "hostsDisagree": "Hosts disagree: {{apart}}.",
    "hostsPairsDiffer": "{{n}} of {{of}} pairs of hosts differ.",
    "hostsTimes": "the ratio on {{high}} is {{size}} times that on {{low}} ({{ci}} {{range}})",
    "hostsHigher": "the ratio on {{high}} is {{size}} higher than on {{low}} ({{ci}} {{range}})",
    "hostsFar": ("between two of {{n}} hosts, differences of up to {{size}} remain possible ({{ci}})"),
    "hostsMissed": (
        "Cannot tell whether hosts disagree: a difference as large as the {{margin}} margin could have been "
        "missed; {{far}}."
    ),
    "hostsNoneShown": "No disagreement shown; {{far}}.",
    "hostsOnlyBaselines": "Nothing to compare: the only cells are baselines.",
    "hostsUndecided": "Undecided whether hosts disagree about any cell of {{n}}.",
    "hostsDisagreeAbout_one": "Hosts disagree about {{n}} of {{count}} cell{{rest}}.",
    "hostsDisagreeAbout_other": "Hosts disagree about {{n}} of {{count}} cells{{rest}}.",
    "hostsNoneShownAbout_one": "No disagreement shown about {{n}} of {{count}} cell{{rest}}.",
    "hostsNoneShownAbout_other": "No disagreement shown about {{n}} of {{count}} cells{{rest}}.",
    "hostsRest": "; {{text}}",
    "hostsRestNoneShown": "no disagreement is shown about {{n}}",
    "hostsRestUndecided": "undecided about {{n}}",
    "hostsOnlyBaselinesSoFar": "So far: nothing to compare: the only cells are baselines.",
    "hostsUndecidedSoFar": "So far: undecided whether hosts disagree about any cell of {{n}}.",
    "hostsDisagreeAboutSoFar_one": "So far: hosts disagree about {{n}} of {{count}} cell{{rest}}.",
    "hostsDisagreeAboutSoFar_other": "So far: hosts disagree about {{n}} of {{count}} cells{{rest}}.",
    "hostsNoneShownAboutSoFar_one": "So far: no disagreement shown about {{n}} of {{count}} cell{{rest}}.",
    "hostsNoneShownAboutSoFar_other": "So far: no disagreement shown about {{n}} of {{count}} cells{{rest}}.",
    "hostsRunDeleted": "its run was deleted",
    "hostLabel": "{{cell}} on {{host}}",
}
