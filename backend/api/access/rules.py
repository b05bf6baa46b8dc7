"""What each operation needs: one row per operation of the API; one without a row stops the application."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from backend.api.access.actor import NEEDED_SCOPE, Permission, Scope
from backend.store.ids import Prefix


@dataclass(frozen=True)
class Rule:
    """The permission of an operation, and its query parameters that name an object.

    `changes`: whether it may change anything, if its method may; of one that does not, only refusals are
    audited. `ends_access`: it may end somebody's access, so that open event streams are checked at once.
    `scope`: what a token needs, where that is not the scope of the permission. `only_session`: no token may
    do it, because it makes or changes a way to get in, which would outlive the token. `recent`: it makes or
    widens a credential, which would outlive the session too, and needs a sign-in of the last minutes.
    """

    permission: Permission
    query: tuple[tuple[str, Prefix], ...] = ()
    changes: bool = True
    ends_access: bool = False
    scope: Scope | None = None
    only_session: bool = False
    recent: bool = False

    @property
    def admits_tokens(self) -> bool:
        """Whether a token with the right scope may do this."""
        return not self.only_session and self.permission not in ("account", "installation", "worker")

    @property
    def needed_scope(self) -> Scope | None:
        """The scope that a token needs; None where it needs none, or where no token may do this."""
        return (self.scope or NEEDED_SCOPE.get(self.permission)) if self.admits_tokens else None


PUBLIC: Final = Rule("public")
SIGNED_IN: Final = Rule("signed_in")
READ: Final = Rule("read")
OWN: Final = Rule("read", scope="run:write")
"""What every member keeps for itself, such as stars: a token that may only read changes none of it."""
VISIT: Final = Rule("read", changes=False, scope="run:write")
WRITE: Final = Rule("write")
SHARE: Final = Rule("share")
ADMIN: Final = Rule("admin")
ACCOUNT: Final = Rule("account")
INSTALLATION: Final = Rule("installation")
FIND: Final = Rule("account", changes=False)
END_THIS: Final = Rule("signed_in", ends_access=True)
END_OWN: Final = Rule("account", ends_access=True)
LET_IN: Final = Rule("admin", only_session=True, recent=True)
LET_IN_OR_OUT: Final = Rule("admin", ends_access=True, only_session=True, recent=True)
LET_OUT: Final = Rule("admin", ends_access=True, only_session=True)
"""Members of a team and how they get in: a token would make an account that outlives it."""
END_ANY: Final = Rule("installation", ends_access=True)
CREDENTIAL: Final = Rule("account", recent=True)
CREDENTIAL_ENDS: Final = Rule("account", ends_access=True, recent=True)
"""Credentials of the own account."""
ADMIT: Final = Rule("installation", recent=True)
ADMIT_OR_END: Final = Rule("installation", ends_access=True, recent=True)
"""Accounts, members and hosts of the installation."""
OPEN_LINK: Final = Rule("public", changes=False)
PREVIEW: Final = Rule("read", changes=False)
ASSESS: Final = Rule("installation", changes=False)
WORKER: Final = Rule("worker", changes=False)
"""A worker changes a trial several times a minute, and every attempt is logged: only refusals are audited."""
LEAVE: Final = Rule("worker")
TWO_RUNS: Final = Rule("read", (("a", "run"), ("b", "run")))
RUNS: Final = Rule("read", (("run", "run"),))

RULES: Final[dict[str, Rule]] = {
    "listPresets": READ,
    "listFactors": READ,
    "listHosts": READ,
    "getHost": READ,
    "updateHost": INSTALLATION,
    "drainHost": INSTALLATION,
    "resumeHost": INSTALLATION,
    "setHostPolicy": INSTALLATION,
    "previewHostPolicy": ASSESS,
    "createEnrolment": ADMIT,
    "listEnrolments": INSTALLATION,
    "revokeEnrolment": INSTALLATION,
    "revokeHost": INSTALLATION,
    "enrolHost": PUBLIC,
    "announceHost": WORKER,
    "leaveServer": LEAVE,
    "reportHost": WORKER,
    "takeOverTrials": WORKER,
    "claimTrial": WORKER,
    "addRunEnvironment": WORKER,
    "analyseRun": WORKER,
    "listServedCells": WORKER,
    "beatTrial": WORKER,
    "recordTrial": WORKER,
    "endTrial": WORKER,
    "nextClientRequest": WORKER,
    "moveClientSession": WORKER,
    "claimProfile": WORKER,
    "beatProfile": WORKER,
    "endProfile": WORKER,
    "getEquivalence": READ,
    "previewPlan": PREVIEW,
    "createExperiment": WRITE,
    "listExperiments": READ,
    "getExperiment": READ,
    "startRun": WRITE,
    "startRunOfDocument": WRITE,
    "startRunGroup": WRITE,
    "listRunGroups": READ,
    "getRunGroup": READ,
    "cancelRunGroup": WRITE,
    "getRunGroupResult": READ,
    "exportRunGroup": READ,
    "deleteRunGroup": WRITE,
    "getHome": READ,
    "recordHomeVisit": VISIT,
    "searchLibrary": READ,
    "listLibraryTerms": READ,
    "changeLibraryRuns": WRITE,
    "listLibraryViews": READ,
    "createLibraryView": OWN,
    "updateLibraryView": OWN,
    "deleteLibraryView": OWN,
    "listRuns": READ,
    "getRun": READ,
    "cancelRun": WRITE,
    "extendRun": WRITE,
    "previewExtension": PREVIEW,
    "listExtensions": READ,
    "deleteRun": WRITE,
    "deleteExperiment": WRITE,
    "annotateRun": WRITE,
    "annotateExperiment": WRITE,
    "listStars": READ,
    "starRun": OWN,
    "unstarRun": OWN,
    "starExperiment": OWN,
    "unstarExperiment": OWN,
    "getUsage": READ,
    "listLargestRuns": READ,
    "getStorage": INSTALLATION,
    "getRetention": READ,
    "previewRetention": READ,
    "setRetention": ADMIN,
    "getResult": READ,
    "getMatrix": READ,
    "readResultCell": READ,
    "readResultPanels": READ,
    "readCellSeries": READ,
    "readCellProfile": READ,
    "streamRun": READ,
    "listTrials": READ,
    "getTrial": READ,
    "getTrialRaw": READ,
    "exportTrial": READ,
    "excludeTrial": WRITE,
    "includeTrial": WRITE,
    "exportRun": READ,
    "readCellCommands": READ,
    "compareRuns": TWO_RUNS,
    "exportComparison": TWO_RUNS,
    "listHistories": READ,
    "getHistory": READ,
    "markHistoriesSeen": OWN,
    "createSchedule": WRITE,
    "listSchedules": READ,
    "getSchedule": READ,
    "updateSchedule": WRITE,
    "deleteSchedule": WRITE,
    "listScheduleTimes": READ,
    "previewSchedule": PREVIEW,
    "compareColumns": RUNS,
    "exportComparisonMatrix": RUNS,
    "importRun": WRITE,
    "createShare": SHARE,
    "listShares": READ,
    "listAllShares": READ,
    "revokeShare": SHARE,
    "openShare": OPEN_LINK,
    "openShareSeries": OPEN_LINK,
    "createSession": PUBLIC,
    "getSession": SIGNED_IN,
    "updateSession": ACCOUNT,
    "endSession": END_OWN,
    "listSessions": ACCOUNT,
    "endOtherSession": END_OWN,
    "getAccount": ACCOUNT,
    "updateAccount": CREDENTIAL,
    "setPassword": END_OWN,
    "createToken": CREDENTIAL,
    "listTokens": ACCOUNT,
    "endToken": END_THIS,
    "startDeviceAuthorization": PUBLIC,
    "pollDeviceAuthorization": PUBLIC,
    "findDeviceAuthorization": FIND,
    "approveDeviceAuthorization": CREDENTIAL,
    "denyDeviceAuthorization": ACCOUNT,
    "revokeToken": END_OWN,
    "listSignInMethods": PUBLIC,
    "startProviderSignIn": PUBLIC,
    "finishProviderSignIn": PUBLIC,
    "listIdentities": ACCOUNT,
    "linkIdentity": CREDENTIAL,
    "unlinkIdentity": CREDENTIAL,
    "getSecondFactor": ACCOUNT,
    "beginSecondFactor": CREDENTIAL,
    "confirmSecondFactor": CREDENTIAL_ENDS,
    "verifySecondFactor": ACCOUNT,
    "renewRecoveryCodes": CREDENTIAL,
    "removeSecondFactor": CREDENTIAL_ENDS,
    "resetSecondFactor": ADMIT_OR_END,
    "getTeam": READ,
    "changeTeam": LET_IN_OR_OUT,
    "listMembers": READ,
    "updateMember": LET_IN,
    "removeMember": LET_OUT,
    "createInvitation": LET_IN,
    "listInvitations": ADMIN,
    "revokeInvitation": ADMIN,
    "acceptInvitation": PUBLIC,
    "listAudit": ADMIN,
    "listTeams": INSTALLATION,
    "createTeam": ADMIT,
    "updateTeam": INSTALLATION,
    "deleteTeam": END_ANY,
    "createTeamInvitation": ADMIT,
    "setTeamMember": ADMIT,
    "removeTeamMember": END_ANY,
    "getTeamQuotas": INSTALLATION,
    "setTeamQuotas": INSTALLATION,
    "listInstallationAudit": INSTALLATION,
    "listAccounts": INSTALLATION,
    "setAccountAccess": ADMIT_OR_END,
    "deleteAccount": END_ANY,
    "createSignInLink": ADMIT,
    "listWebhooks": ADMIN,
    "createWebhook": ADMIN,
    "updateWebhook": ADMIN,
    "deleteWebhook": ADMIN,
    "testWebhook": ADMIN,
    "listDeliveries": ADMIN,
    "redeliver": ADMIN,
}
"""By operation id."""

OBJECTS: Final[dict[str, Prefix]] = {
    "experiment_id": "exp",
    "run_id": "run",
    "group_id": "grp",
    "schedule_id": "sch",
    "trial_id": "trl",
    "share_id": "shr",
    "token_id": "tok",
    "webhook_id": "whk",
    "view_id": "viw",
    "invitation_id": "lnk",
}
"""Path parameters that name an object of a team; of a worker's operation, an object of its host."""
SUBJECTS: Final[dict[str, Prefix]] = {
    "session_id": "ses",
    "team_id": "tem",
    "identity_id": "idn",
    "account_id": "acc",
    "enrolment_id": "enr",
}
"""Path parameters that name an object that belongs to no single team; the operation decides on each."""
OTHER_PARAMETERS: Final = frozenset({"cell_id", "delivery_id", "format", "host"})
"""Path parameters that name no object of a team, or one below an object that the same path names."""


def check(operations: Iterable[tuple[str, Iterable[str]]]) -> None:
    """Raise LookupError unless the rules fit these operations (id, names of their path parameters)."""
    known = dict(operations)
    missing, unused = known.keys() - RULES.keys(), RULES.keys() - known.keys()
    if missing or unused:
        raise LookupError(
            f"backend/api/access/rules.py: no rule for {sorted(missing)}, no operation for {sorted(unused)}"
        )
    parameters = {name for names in known.values() for name in names}
    strange = parameters - OBJECTS.keys() - SUBJECTS.keys() - OTHER_PARAMETERS
    if strange:
        raise LookupError(
            f"backend/api/access/rules.py: say whether {sorted(strange)} name objects of a team"
        )
