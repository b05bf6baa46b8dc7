"""Refusals of hosts, identities, invitations, logs and queries."""

from __future__ import annotations

from typing import Final

CHOICES: Final = {
    "requestsWaiting": "{{n}} CPU-bound requests are already waiting; try again later",
    "bodiesWaiting": "{{n}} requests of this host with a body are waiting; try again later",
    "noSlot": "no slot became free within {{seconds}} s; try again later",
    "cellsPerRun": "name one cell for each run, in the same order: {{runs}} runs, {{cells}} cells",
    "formatIsOne": "format is one of {{names}}",
    "languageIsOne": "language is one of {{names}}",
    "themeIsOne": "theme is one of {{names}}",
    "kindIsOne": "kind is one of {{names}}",
    "unitIsOne": "unit is one of {{names}}",
    "scaleIsOne": "scale is one of {{names}}",
    "signInsOfAddress": (
        "{{n}} sign-ins of this address wait already: send the request again in {{seconds}} s"
    ),
    "noMemberOfTeam": "you are no member of this team",
    "clientDoesNotWant": "the client does not want {{scopes}}",
    "noDeviceWaits": "no command line waits with this code: it is mistyped, was used, or has expired",
    "deviceUnknown": "this device code is unknown, was used, or is too old",
    "deviceDenied": "the sign-in was denied in the browser",
    "deviceLate": "nobody confirmed the sign-in in time; begin again",
    "deviceNoRights": "the account that confirmed the sign-in has no such rights any more",
    "deviceSlow": "ask at most every {{seconds}} seconds",
    "devicePending": "nobody has confirmed it yet",
    "noEquivalenceRun": (
        "no finished run compares this host's own Docker daemon with a lab daemon; run lab-equals-host"
    ),
    "sendMedia": "send {{allowed}}, not {{given}}",
    "noContentType": "a body without a Content-Type",
    "credentialsWrong": "email address or password is wrong",
    "codeInField": "send the code of your authenticator app, or a recovery code, in the field code",
    "codeWrongWait": "this code is wrong, has expired or was used before; wait for the next one",
    "signInPaused": "paused after several {{after}} for this address: try again in {{seconds}} s",
    "wrongPasswords": "wrong passwords",
    "wrongCodes": "wrong codes",
    "invitationAttempts": "attempts with this invitation",
    "valueIsOne": "{{name}} is one of {{names}}",
    "noHostKnown": "no host is known yet: start a worker on the Docker host to be measured",
    "noHostKnownEach": "no host is known yet: start a worker on each Docker host to be measured",
    "severalHosts": "several hosts are known, choose one of: {{names}}",
    "unknownHost": "unknown host; the known hosts are: {{names}}",
    "unknownHostNamed": "unknown host {{name}}; the known hosts are: {{names}}",
    "hostLeft": (
        "{{name}} left, or its token was revoked, and takes no trial: let it join again, or leave it out"
    ),
    "policyChanged": (
        "somebody changed the policy of {{name}} since it was read: read it again, and change what is "
        "still to be changed"
    ),
    "keyReused": "this Idempotency-Key was used for another request; use a new key",
    "keyManyInProgress": "{{n}} requests with this Idempotency-Key are already in progress",
    "keyInProgress": "another request with this Idempotency-Key is still in progress",
    "keyInProgressLater": (
        "another request with this Idempotency-Key is still in progress; send it again later"
    ),
    "providerAway": "the identity provider does not answer: try again later",
    "noProvider": "this server has no identity provider",
    "codeFirst": "enter a code of your second factor at /account first",
    "onlySignIn": "this is the only way to sign in to your account: set a password first",
    "giveLog": "give at least one log",
    "noLogHasMetrics": (
        "no log has any of these metrics; choose one that the tools print, for example {{names}}"
    ),
    "nameOrSignIn": "give a name for a new account, or sign in first",
    "memberAlready": "you are a member of this team already",
    "otherAddress": "the invitation is for another address",
    "addressHasAccount": "an account has this address: sign in with it, then open the invitation again",
    "addressHasAccountSignIn": "an account has this address: sign in with it",
    "accountStays": "your account stays as it is when it joins a team",
    "signInWithEmail": "you sign in with an email address and the password",
    "noValueOfKey": '"{{value}}" is no value of {{key}}',
    "writeDate": "write a date such as 2026-05-01, or an age such as 12h, 7d or 4w",
    "tooManyTerms": "a query has at most {{most}} terms; this one and those after it are left out",
    "openQuote": 'the text has no closing quotation mark: add "',
    "valueMissing": "a value is missing",
    "noSuchKey": 'there is no key "{{key}}"; for text with a colon, use quotation marks',
    "tooManyTags": "{{run}} would have more than {{most}} tags: remove some first; nothing was changed",
    "noRunInTeam": "there is no run {{run}} in this team; nothing was changed",
    "notEndedUnchanged": "{{run}} has not ended: cancel it, or wait until it has; nothing was changed",
    "tooManyViews": "the team has {{most}} saved searches: delete one first",
    "viewNeedsRunner": "a search of the team needs the role runner; save it for yourself",
    "workerSilent": "no sign of the worker for a minute",
    "useCursor": "query parameter cursor: use the next_cursor of the previous page",
    "passwordShort": "at least {{n}} characters; a few words are easier to remember than signs",
    "passwordEasy": "too easy to guess. {{advice}}",
    "passwordRest": "Besides words of your name or address there is little in it.",
    "passwordSeveral": "Use several words that do not belong together.",
    "sameHost": "the client host is another one than the run's own; leave it out to run clients there",
    "noClientCell": "no cell of the plan runs its client on {{host}}",
    "noClientCellWhy": "no cell of the plan runs its client on {{host}}: {{why}}",
    "hostClosed": "{{host}} is closed to host networking: ask an administrator of the installation",
    "giveHost": "name the run's own host too: give host",
}
