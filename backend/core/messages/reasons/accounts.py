"""Refusals of accounts, sessions and tokens, and the kinds of objects."""

from __future__ import annotations

from typing import Final

ACCOUNTS: Final = {
    "fieldDetail": "{{field}}: {{detail}}",
    "noMemberOfHeaderTeam": "you are no member of the team in the header Plimsoll-Team",
    "csrfToken": "send the csrf_token of GET /api/v1/session in the header {{header}}",
    "noValidToken": "the Authorization header has no valid token: send Bearer plm_…",
    "tokenUnknown": "this token is unknown, was revoked or has expired",
    "signedOut": "you are signed out: sign in again",
    "hostTokenNeeded": "send the token of an enrolled host in the Authorization header",
    "hostTokenUnknown": "this host's token is unknown or was revoked: enrol the host again",
    "noSuch": "there is no such {{kind}}",
    "kindExperiment": "experiment",
    "kindRun": "run",
    "kindGroup": "group of runs",
    "kindSchedule": "schedule",
    "kindTrial": "trial",
    "kindShare": "share link",
    "kindToken": "token",
    "kindWebhook": "webhook",
    "kindView": "view",
    "kindInvitation": "invitation",
    "kindOpenInvitation": "open invitation",
    "kindAccount": "account",
    "kindTeam": "team",
    "kindIdentity": "identity",
    "kindMember": "member",
    "kindSession": "session",
    "kindEntry": "entry",
    "kindRow": "row",
    "kindDelivery": "delivery",
    "kindEnrolment": "unused enrolment",
    "kindClientSession": "client session",
    "noSuchAccountFactor": "there is no such account, or it has no second factor",
    "noSuchMetricNear": "there is no such metric; there is {{names}}",
    "metricNotThere": "the experiment has no such metric; it has {{names}}",
    "tokenMayNot": "a token may not do this: sign in with a browser",
    "tokenLacksScope": "the token lacks the scope {{scope}}",
    "needsRole": "this needs the role {{role}} in the team: ask its administrator",
    "roleViewer": "viewer",
    "roleRunner": "runner",
    "roleAdmin": "admin",
    "noTeam": "you are no member of any team: ask for an invitation",
    "teamNeedsFactor": (
        "this team requires a second factor: set it up at /account, or enter a code of it there"
    ),
    "signInFirst": "sign in, or send an API token in the Authorization header",
    "emailIsSignIn": "you sign in with this address and your password",
    "emailOfPassword": "the account signs in with this address and its password",
    "emailTaken": "another account has this address",
    "emailNotVerified": (
        "an address comes from an invitation to it, from your identity provider, or from an administrator of "
        "the installation, who knows you: on the page Administration, or with plimsoll admin email on the "
        "server"
    ),
    "emailFirst": "give your account an email address first: you sign in with it and the password",
    "passwordChanged": "the password was changed in another browser meanwhile",
    "currentPassword": "your current password",
    "notCurrentPassword": "this is not your current password",
    "ownAccount": "this is your own account: ask another administrator",
    "accountDisabledFirst": "the account is disabled: enable it first",
    "accountGone": "this account is disabled or does not exist; ask an administrator",
    "accountDisabled": "this account is disabled: ask an administrator",
    "noteTooLong": "a note has at most {{most}} bytes",
    "contains": "contains {{found}}; remove it",
    "containsOneLine": "contains {{found}}; write one line",
    "giveReason": "give a reason",
    "writeOneCharacter": "write at least one character",
}
