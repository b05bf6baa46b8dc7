"""Refusals of limits, schedules, links, webhooks and stored objects."""

from __future__ import annotations

from typing import Final

OBJECTS: Final = {
    "minutesBounds": "{{given}}: must be a whole number of minutes from {{least}} to {{most}}",
    "effectBounds": "{{given}}: must be a number from {{least}} to {{most}}; 0.03 is 3 %",
    "notJson": "not JSON at character {{at}}: {{why}}",
    "methodNotAllowed": "{{method}} is not allowed here; allowed: {{methods}}",
    "quotaHasMore": (
        "the team may have {{limit}} {{what}} and has {{has}}, and this request adds {{adds}}: "
        "{{remedy}} ({{quota}})"
    ),
    "quotaHas": "the team may have {{limit}} {{what}} and has {{has}}: {{remedy}} ({{quota}})",
    "quotaQueued": "queued trials",
    "quotaRuns": "runs that have not ended",
    "quotaSeconds": "seconds of host time in 24 h, used and planned",
    "quotaBytes": "stored bytes",
    "quotaStreams": "open event streams",
    "quotaQueuedRemedy": "wait until trials have run, cancel a run, or start a smaller one",
    "quotaRunsRemedy": "wait until a run has ended, or cancel one",
    "quotaSecondsRemedy": "wait until earlier runs are 24 h ago, cancel a run, or start a shorter one",
    "quotaBytesRemedy": "delete runs or experiments, or revoke links, that are no longer needed",
    "quotaStreamsRemedy": "close pages or clients that follow a run",
    "quotaCells": "{{n}} cells, at most {{most}} are allowed here; use fewer levels",
    "quotaTrialSeconds": "{{seconds}} s with the warm-up, at most {{most}} s are allowed here",
    "tooManyOf": "too many {{what}}: send the request again in {{seconds}} s",
    "rateAddressReads": "requests from this address",
    "rateAddressWrites": "changing requests from this address",
    "rateCallerReads": "requests with these credentials",
    "rateCallerWrites": "changing requests with these credentials",
    "rateWorker": "requests of this worker or address",
    "rateGuesses": "failed attempts from this address",
    "rateRefusals": "refusals",
    "pageNotBuilt": "the page is not built",
    "diskLow": "only {{n}} MiB are free on the database's volume",
    "hostsOrLabel": "name either the hosts or a host_label, and not both",
    "nameHost": "name at least one host; the known hosts are: {{names}}",
    "hostTwice": "{{name}} is named twice: one run a host; name it once",
    "noHostLabel": (
        "no host has the label {{label}}; {{given}}. An administrator gives labels on the hosts page"
    ),
    "tooManyHosts": "{{n}} hosts, at most {{most}} are allowed; {{remedy}}",
    "resumeOrLeave": "resume it, or leave it out",
    "resumeOrName": "resume it, take the label from it, or name the other hosts",
    "hostDrained": "{{host}} is drained and starts no new trial: {{remedy}}",
    "clientIsOfGroup": (
        "{{name}} is one of the group's hosts: leave it out there, or choose another client host"
    ),
    "clientIsOfHosts": "{{name}} is one of the hosts: leave it out there, or choose another client host",
    "groupEnded": "every run of the group has already ended",
    "groupActive": "{{n}} runs of the group have not ended: cancel them, or wait: {{run}}",
    "noCellOfResult": "the run has no cell {{cell}}; its result lists them",
    "cellCouldNotRun": "{{cell}} could not run: {{why}}; leave it out",
    "cellCannotAnyMore": "{{cell}} cannot run on the host any more: {{why}}; leave it out",
    "otherRelease": "the run was planned by another release with other cells: start its experiment",
    "usesHostNetwork": "{{cell}} uses the host's network or its own Docker daemon",
    "hostNetworkScope": "{{what}}: the token needs the scope run:host-network",
    "hostNetworkClosed": "{{what}}, and {{host}} is closed to that: ask an administrator of the installation",
    "planChangedOn": "the plan for {{host}} has changed since it was shown: plan again",
    "tooManySchedules": "a team has at most {{most}} schedules: delete one first",
    "scheduleNoRights": (
        "who changed this schedule last may start no runs in the team any more: save it again"
    ),
    "badCron": "{{why}}; an example is 0 2 * * mon-fri",
    "cronTerm": "{{field}}: {{term}} is no number, range, list or step",
    "cronStep": "{{field}}: a step is at least 1",
    "cronRange": "{{field}}: {{term}} ends before it begins",
    "cronBounds": "{{field}}: {{term}} is not between {{low}} and {{high}}",
    "cronFields": "write five fields: minute, hour, day of the month, month, day of the week",
    "noZone": "no such time zone; write one as Europe/Berlin or UTC",
    "noZoneNamed": "{{name}}: no such time zone; write one as Europe/Berlin or UTC",
    "zoneGonePaused": ("this server knows no time zone {{zone}}: choose another one; the schedule is paused"),
    "zoneUnreadable": "{{name}}: no time zone that can be read",
    "dateNever": "this date never comes; choose another day or month",
    "startsTooClose": "two starts are less than 15 minutes apart; choose fewer",
    "dayTwice": "a day occurs twice",
    "opensCloses": "opens and closes at {{at}}; a whole day is 00:00 to 24:00",
    "removeOwnFactor": "remove your own second factor at /account, by a code",
    "noFactor": "this account has no second factor",
    "codeWrongClock": (
        "this code is wrong, was used before, or the clock of the app is wrong: enter the next one"
    ),
    "tooManyCodes": "too many wrong codes: none is read for five minutes",
    "tooManyCodesHere": "too many wrong codes in this browser: try again in {{seconds}} s",
    "factorAlready": "this account already has a second factor: remove it first",
    "factorNotWaiting": "no second factor waits for a code: begin with a new one",
    "otherServerName": (
        "this server has another name: use the one of its links; an administrator adds names with "
        "PLIMSOLL_PUBLIC_URL or PLIMSOLL_ALLOWED_HOSTS"
    ),
    "otherOrigin": (
        "requests of another origin must not change anything; if this page is Plimsoll's own, set "
        "PLIMSOLL_PUBLIC_URL to its scheme, host and port"
    ),
    "bodyLengthOnce": "send the length of the body either by Content-Length or by Transfer-Encoding",
    "oneHost": "send one Host header",
    "noResource": "no resource has this URL",
    "noResourceSegments": (
        "no resource has this URL; write its path without dot segments and escaped letters or slashes"
    ),
    "nulInQuery": "a query parameter contains U+0000; remove it",
    "noEncoding": "send the body without a Content-Encoding",
    "bodyTooLarge": "the body is too large",
    "bodyTooSlow": "the body arrived too slowly: after {{seconds}} s it needs {{rate}} bytes a second",
    "bodiesArriving": "bodies of {{bytes}} bytes from this account are arriving; try again later",
    "bodyLimit": "the body is larger than {{limit}} bytes",
    "signInAgain": "sign in again: this needs a sign-in of the last {{minutes}} minutes",
    "liveLinkOnly": "only a live link can show a run that has not ended: wait, cancel it, or make one",
    "tooManyLinks": "{{n}} links to this run are open: revoke one that is no longer needed",
    "tooManyInvitations": "{{n}} invitations into this team are open: revoke one that is no longer needed",
    "tooManyTokens": "you have {{n}} tokens in this team: revoke one that is no longer needed",
    "tooManyEnrolments": "{{n}} enrolments are open: revoke one that is no longer needed",
    "factorBeforeRule": "set up your own second factor first, or enter a code of it, at /account",
    "roleLacksScopes": "your role {{role}} does not have {{scopes}}",
    "tokenDays": "1 to {{most}} days; left out, it is {{days}}: no token works for ever",
    "noTokenOfRequest": "this request has no token: DELETE /api/v1/session signs a browser out",
    "noOutput": "this trial has no output",
    "urlWrite": "write a URL of at most {{most}} printable characters",
    "urlNot": "this is not a URL: {{why}}",
    "urlForm": "write https://HOST/PATH",
    "urlPort": "the port is a number between 1 and 65535",
    "urlSecret": "the URL may have no user, password or fragment: put a secret into its path or query",
    "urlNotPublic": (
        "{{host}} has no public address; an operator can allow other networks with PLIMSOLL_WEBHOOK_ALLOW"
    ),
    "urlHttps": "use https: plain http is sent to networks of PLIMSOLL_WEBHOOK_ALLOW only",
    "urlLate": "the name was not resolved in time",
    "webhookDisabled": "the webhook is disabled ({{reason}}): enable it first",
    "tooManyWebhooks": "a team has at most {{most}} webhooks: delete one first",
    "notGzip": "the body is not gzip: {{why}}",
    "gzipMember": "the body is not exactly one complete gzip member",
    "workerHeader": "send the header {{header}}: RELEASE/PROTOCOL, such as 1.0.0/1",
    "textNotStorable": "a text has a character that cannot be stored, such as U+0000",
    "databaseClosed": "the database closed the connection",
    "databaseAway": "the database does not answer",
    "databaseOlder": "the database has revision {{revision}}, older than {{head}}: run the migration",
    "databaseNewer": (
        "the database has revision {{revision}}, which this version does not know: install the newer version"
    ),
    "linkUsed": "this link was used before, has expired, or never existed; ask for a new one",
    "disableFirst": "disable the account first: that ends its sessions",
    "lastAdministrator": "this is the installation's last administrator: make another account one first",
    "lastOfTeam": "this is the team's last administrator: give the role to somebody else first",
    "runNotEnded": "the run has not ended: cancel it, or wait until it has",
    "experimentActive": "{{n}} runs of the experiment have not ended: cancel them, or wait: {{run}}",
    "startedMeanwhile": "a run of the experiment was started meanwhile: delete the experiment again",
    "enrolmentOther": "this enrolment is for the host {{host}}: join with that name",
    "enrolmentUsed": (
        "this enrolment was used: each lets one host join, once; ask an administrator for a new one"
    ),
    "hostNameTaken": "another host of this server has the name {{name}}: join with another name",
    "hostNameEnrolled": "an enrolled host has the name {{name}}: set PLIMSOLL_HOST_NAME to another one",
    "excludeLater": "the run has not ended: trials can be excluded afterwards",
    "nothingToExclude": "the trial has no result that could be excluded",
    "sameDeleted": "the same experiment was deleted meanwhile; try again",
    "experimentDeleted": "the experiment was deleted meanwhile; try again",
    "extendedDeleted": "the run that this one extends was deleted: start the experiment again",
    "importedNoHost": "an imported run has no host that could measure more rounds: start its experiment",
    "extendLater": "the run is {{state}}: add rounds when it has ended, or cancel it first",
    "runEnded": "the run has already ended: {{state}}",
    "stateQueued": "queued",
    "stateRunning": "running",
    "stateDone": "done",
    "stateCancelled": "cancelled",
    "stateIncomplete": "incomplete",
    "noRunEnded": "no run of this experiment has ended: a history begins with the first one",
    "noRunEndedOn": "no run of this experiment has ended on {{host}}: a history begins with the first one",
    "hostNoToken": "this host did not join with an enrolment: its worker has no token that could be revoked",
    "noCellRuns": "no cell of this plan can run on this host",
    "firstTeam": "the installation's first team stays: the command line of its host uses it",
    "teamHas": (
        "the team still has experiments ({{experiments}}) and runs ({{runs}}): delete its experiments "
        "first, which deletes their runs"
    ),
    "teamNameTaken": "another team has this name: choose another one",
    "mostFacts": "a run has at most {{most}} characters of facts",
    "mostNamed": "a URL names at most {{most}} objects",
    "readAsOther": "contains {{character}}, which is read as another letter",
    "unexpectedError": "an unexpected error occurred; the server's log has the details",
}
