"""The groups of operations in the OpenAPI document: their order, and a one-line summary of each operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True)
class Group:
    """A tag of the document: its name, what its operations are about, and their summaries by id in order."""

    name: str
    about: str
    summaries: Mapping[str, str]


GROUPS: Final = (
    Group(
        "Experiments",
        "What is compared: factors, load, metrics and rounds.",
        {
            "listPresets": "List the experiments that come with Plimsoll",
            "listFactors": "List factors and metrics with their bounds",
            "previewPlan": "Plan an experiment without storing it",
            "createExperiment": "Store an experiment",
            "listExperiments": "List experiments, newest first",
            "getExperiment": "Read an experiment",
            "annotateExperiment": "Change note or tags of an experiment",
            "starExperiment": "Star an experiment",
            "unstarExperiment": "Remove the star of an experiment",
            "deleteExperiment": "Delete an experiment with its runs",
        },
    ),
    Group(
        "Runs",
        "Executions of an experiment on a host: start, follow, extend, cancel.",
        {
            "startRun": "Start a run",
            "startRunOfDocument": "Store an experiment and start a run of it",
            "listRuns": "List runs, newest first",
            "getRun": "Read a run, or wait for its end",
            "streamRun": "Follow a run by server-sent events",
            "getMatrix": "Read the state of every trial by cell and round",
            "cancelRun": "Cancel a run",
            "previewExtension": "Preview more rounds of an ended run",
            "extendRun": "Add rounds to an ended run",
            "listExtensions": "List the runs that add rounds to a run",
            "importRun": "Store logs measured elsewhere as a run",
            "annotateRun": "Change note or tags of a run",
            "starRun": "Star a run",
            "unstarRun": "Remove the star of a run",
            "deleteRun": "Delete an ended run",
        },
    ),
    Group(
        "Results",
        "What a run measured: ratios with intervals, verdicts, CPU by role, files.",
        {
            "getResult": "Read the result of a run",
            "readResultCell": "Read one cell of a result with every value",
            "readResultPanels": "Read rate and CPU over each numeric factor",
            "readCellSeries": "Read rate and CPU of a cell over time",
            "readCellProfile": "Read the CPU profile of a cell",
            "exportRun": "Export a run as CSV, JSON, Markdown, HTML or picture",
            "readCellCommands": "Read a script that repeats a cell",
        },
    ),
    Group(
        "Trials",
        "One cell in one round, run once: its record, raw output and exclusion.",
        {
            "listTrials": "List the trials of a run",
            "getTrial": "Read a trial with its record",
            "getTrialRaw": "Read the commands and raw output of a trial",
            "exportTrial": "Export a chart of a trial as a picture",
            "excludeTrial": "Exclude a trial from the statistics",
            "includeTrial": "Include an excluded trial again",
        },
    ),
    Group(
        "Comparisons",
        "Runs against each other, and an experiment over time.",
        {
            "compareRuns": "Compare two runs or cells",
            "exportComparison": "Export a comparison as a picture",
            "compareColumns": "Compare two to twelve runs or cells",
            "exportComparisonMatrix": "Export a comparison of several runs",
            "listHistories": "List experiments with ended runs, by host",
            "getHistory": "Read an experiment over time",
            "markHistoriesSeen": "Mark all shown changes as seen",
        },
    ),
    Group(
        "Hosts",
        "The Docker hosts that are measured: state, noise, policy and enrolment.",
        {
            "listHosts": "List hosts with what they can run",
            "getHost": "Read a host with its queue and noise",
            "getEquivalence": "Compare the host's own Docker with a lab daemon",
            "updateHost": "Open or label a host",
            "drainHost": "Drain a host",
            "resumeHost": "Resume a drained host",
            "previewHostPolicy": "Count the trials that a policy would forbid",
            "setHostPolicy": "Replace the policy of a host",
            "revokeHost": "Revoke the token of a host",
            "createEnrolment": "Let one host join",
            "listEnrolments": "List enrolments",
            "revokeEnrolment": "Revoke an unused enrolment",
        },
    ),
    Group(
        "Groups of runs",
        "One experiment on several hosts.",
        {
            "startRunGroup": "Start a run on each of several hosts",
            "listRunGroups": "List groups of runs, newest first",
            "getRunGroup": "Read a group of runs",
            "getRunGroupResult": "Compare ratios across the hosts",
            "exportRunGroup": "Export a group of runs",
            "cancelRunGroup": "Cancel a group of runs",
            "deleteRunGroup": "Delete a group of runs",
        },
    ),
    Group(
        "Schedules",
        "Runs that start by themselves at the times of a cron expression.",
        {
            "createSchedule": "Create a schedule",
            "listSchedules": "List schedules, the next ones first",
            "getSchedule": "Read a schedule",
            "previewSchedule": "Read the next five times of a cron expression",
            "listScheduleTimes": "List the due times of a schedule",
            "updateSchedule": "Change, pause or resume a schedule",
            "deleteSchedule": "Delete a schedule",
        },
    ),
    Group(
        "Library",
        "Search in the runs of the team, saved searches, stars and the home page.",
        {
            "searchLibrary": "Search the runs of the team",
            "listLibraryTerms": "Complete a term of a search",
            "changeLibraryRuns": "Archive, star or tag several runs",
            "listLibraryViews": "List saved searches",
            "createLibraryView": "Save a search",
            "updateLibraryView": "Replace a saved search",
            "deleteLibraryView": "Delete a saved search",
            "listStars": "List stars",
            "getHome": "Read what runs, and the newest results",
            "recordHomeVisit": "Record a visit of the home page",
        },
    ),
    Group(
        "Links",
        "Links that show a result to people without an account.",
        {
            "createShare": "Create a link to a result",
            "listShares": "List the links of a run",
            "listAllShares": "List the links of the team",
            "revokeShare": "Revoke a link",
            "openShare": "Read the result of a link",
            "openShareSeries": "Read a cell of a link's result over time",
        },
    ),
    Group(
        "Webhooks",
        "Signed messages about ended runs to a URL of yours.",
        {
            "createWebhook": "Create a webhook",
            "listWebhooks": "List webhooks",
            "updateWebhook": "Change, pause or enable a webhook",
            "testWebhook": "Send a test message",
            "listDeliveries": "List the messages of a webhook",
            "redeliver": "Send a message again",
            "deleteWebhook": "Delete a webhook",
        },
    ),
    Group(
        "Tokens",
        "Tokens of scripts, and the sign-in of a command line (RFC 8628).",
        {
            "createToken": "Create an API token",
            "listTokens": "List API tokens",
            "revokeToken": "Revoke an API token",
            "endToken": "Revoke the token of this request",
            "startDeviceAuthorization": "Begin the sign-in of a command line",
            "findDeviceAuthorization": "Read which command line waits",
            "approveDeviceAuthorization": "Approve a command line",
            "denyDeviceAuthorization": "Refuse a command line",
            "pollDeviceAuthorization": "Fetch the token of a command line",
        },
    ),
    Group(
        "Sign-in",
        "Sessions of browsers.",
        {
            "getSession": "Read who calls, and what they may do",
            "listSignInMethods": "List the ways to sign in",
            "createSession": "Sign a browser in",
            "updateSession": "Work in another team",
            "endSession": "Sign out",
            "listSessions": "List signed-in browsers",
            "endOtherSession": "Sign another browser out",
            "startProviderSignIn": "Open the identity provider",
            "finishProviderSignIn": "Return from the identity provider",
        },
    ),
    Group(
        "Account",
        "The caller's own account: password, identities, second factor.",
        {
            "getAccount": "Read the own account",
            "updateAccount": "Change name or email address",
            "setPassword": "Set the password",
            "listIdentities": "List linked identities",
            "linkIdentity": "Link an identity",
            "unlinkIdentity": "Unlink an identity",
            "getSecondFactor": "Read the state of the second factor",
            "beginSecondFactor": "Begin to set up a second factor",
            "confirmSecondFactor": "Confirm a second factor",
            "verifySecondFactor": "Prove the second factor",
            "renewRecoveryCodes": "Replace the recovery codes",
            "removeSecondFactor": "Remove the second factor",
        },
    ),
    Group(
        "Team",
        "Members, invitations, audit log, quotas and retention of a team.",
        {
            "getTeam": "Read the settings of the team",
            "changeTeam": "Change the settings of the team",
            "listMembers": "List members",
            "updateMember": "Change the role of a member",
            "removeMember": "Remove a member",
            "listInvitations": "List open invitations",
            "createInvitation": "Invite somebody",
            "revokeInvitation": "Revoke an invitation",
            "acceptInvitation": "Accept an invitation",
            "listAudit": "List the audit log of the team",
            "getUsage": "Read quotas and present use",
            "listLargestRuns": "List the runs that store most",
            "getRetention": "Read after how many days runs are deleted",
            "previewRetention": "Preview which runs would be deleted",
            "setRetention": "Set after how many days runs are deleted",
        },
    ),
    Group(
        "Installation",
        "Teams, accounts and storage of the whole server, for its administrators.",
        {
            "listTeams": "List teams",
            "createTeam": "Create a team",
            "updateTeam": "Rename a team",
            "deleteTeam": "Delete an empty team",
            "createTeamInvitation": "Invite somebody into any team",
            "setTeamMember": "Set the role of an account in any team",
            "removeTeamMember": "Remove a member of any team",
            "getTeamQuotas": "Read the quotas of a team",
            "setTeamQuotas": "Replace the quotas of a team",
            "listAccounts": "List accounts",
            "setAccountAccess": "Disable, enable or promote an account",
            "resetSecondFactor": "Remove the second factor of an account",
            "createSignInLink": "Create a sign-in link for an account",
            "deleteAccount": "Delete a disabled account",
            "listInstallationAudit": "List the audit log of all teams",
            "getStorage": "Read what the database stores",
        },
    ),
    Group(
        "Workers",
        "The protocol between this server and the worker of a host; no API of scripts.",
        {
            "enrolHost": "Join with an enrolment",
            "leaveServer": "Revoke the host's own token",
            "announceHost": "Announce what the host can run",
            "reportHost": "Report that the worker runs",
            "takeOverTrials": "End the leases of earlier workers",
            "claimTrial": "Claim the next trial",
            "beatTrial": "Extend the lease of a trial",
            "recordTrial": "Store a finished trial",
            "endTrial": "End an attempt without a record",
            "listServedCells": "List the cells that still have trials",
            "addRunEnvironment": "Add facts of the host to a run",
            "analyseRun": "Make the next interim analysis",
            "nextClientRequest": "Read the session that waits for this client",
            "moveClientSession": "Enter or read a phase of a client session",
            "claimProfile": "Claim the next CPU profile",
            "beatProfile": "Read whether a profile goes on",
            "endProfile": "Store the profile of a cell",
        },
    ),
)
_PLACES: Final = {
    identity: (place, group.name, summary)
    for place, (group, identity, summary) in enumerate(
        (group, identity, summary) for group in GROUPS for identity, summary in group.summaries.items()
    )
}


def group_operations(document: dict[str, Any]) -> None:
    """Give each operation its tag and summary, and order paths and tags. LookupError: one has no group."""
    first: dict[str, int] = {}
    for path, operations in document["paths"].items():
        for operation in operations.values():
            place, tag, summary = _PLACES[operation["operationId"]]
            operation.update(tags=[tag], summary=summary)
            first[path] = min(place, first.get(path, place))
    document["paths"] = {path: document["paths"][path] for path in sorted(first, key=first.__getitem__)}
    document["tags"] = [{"name": group.name, "description": group.about} for group in GROUPS]
