"""Problems of requests, of the state of objects, and of the server."""

from __future__ import annotations

from typing import Final

REQUESTS: Final = {
    "bad_request": ("The request line or a parameter is not well-formed.", "Correct what the detail names."),
    "malformed": (
        "The body is not the JSON or YAML that it claims to be.",
        "Correct it at the line that the detail names.",
    ),
    "invalid": (
        "One or more fields are not allowed; errors lists each with a JSON Pointer.",
        "Correct the fields that errors lists.",
    ),
    "missing": ("A required field or parameter is missing.", "Add the field that errors names."),
    "unknown_field": (
        "The body has a field that the operation does not know.",
        "Remove it, or correct its spelling.",
    ),
    "wrong_type": (
        "A value has another type than its field.",
        'Use the type that the detail names: 8 is a number, "8" is a text.',
    ),
    "out_of_bounds": (
        "A number lies outside the allowed range.",
        "Use a value within the bounds that the detail names.",
    ),
    "too_large": (
        "A document is longer, deeper or has more values than is read.",
        "Split it, or remove what is not needed.",
    ),
    "too_long": ("A text is longer than its field allows.", "Shorten it."),
    "empty": ("A text or list that needs content is empty.", "Give at least one value."),
    "bad_form": ("A text does not have the form of its field.", "Use the form that the detail shows."),
    "unprintable": (
        "A text has control or bidirectional characters, or several lines.",
        "Write one line of printable characters.",
    ),
    "unstorable_text": (
        "A text has a character that the database cannot store, such as U+0000.",
        "Remove the character.",
    ),
    "bad_cursor": (
        "The cursor of a list is not one that the server gave.",
        "Begin without a cursor and follow next_cursor.",
    ),
    "body_too_large": (
        "The body is larger than the operation accepts.",
        "Send less at once; an import takes up to 8 MiB, a record 16 MiB and unpacked 64 MiB.",
    ),
    "body_too_slow": (
        "The body of the request did not arrive in time.",
        "Send it over a faster connection, or send less; docs/limits.md has the least rate.",
    ),
    "unsupported_media_type": (
        "The Content-Type or Content-Encoding of the body is not accepted.",
        "Send the type that the detail names, uncompressed; only a record may be packed with gzip.",
    ),
    "unrecordable": (
        "The payload of a record is not a record of this trial and fence, or the database refuses it.",
        "Keep the file and report it: the worker moves it to its quarantine folder with this reason.",
    ),
    "worker_outdated": (
        "The worker speaks a protocol that the server no longer speaks.",
        "Fetch the server's release on the worker's host and run ./scripts/join; the host stays enrolled.",
    ),
    "worker_too_new": (
        "The worker speaks a newer protocol than the server.",
        "Update the server first: it serves workers of its own release and of the one before.",
    ),
    "enrolment_used": (
        "The enrolment's secret was used; it lets one host join, once.",
        "Ask an administrator of the installation for a new enrolment.",
    ),
    "enrolment_of_another_name": (
        "The enrolment was made for a host of another name.",
        "Join with the name that the detail has, or ask for another enrolment.",
    ),
    "host_name_taken": (
        "Another host of this server has the name, in any case.",
        "Join with --name and another name; if the other host is gone, an administrator revokes it first.",
    ),
    "host_not_enrolled": (
        "The host's worker uses the server's database and has no token.",
        "Stop that worker on its host; only a host that joined with an enrolment can be revoked.",
    ),
    "method_not_allowed": (
        "The address exists, but not for this method.",
        "Use a method of the Allow field.",
    ),
    "foreign_host": (
        "The Host field names a host that this server is not known by.",
        "Use the address that Plimsoll printed at its start, or add the name to PLIMSOLL_ALLOWED_HOSTS.",
    ),
    "cross_origin": (
        "A page of another origin sent a request that changes something.",
        "Open Plimsoll's own page, or use an API token.",
    ),
    "not_found": (
        "There is no such object, or it belongs to another team; both have the same answer.",
        "Check the id in the address, and which team you act in.",
    ),
    "conflict": (
        "The state of the object does not allow the request.",
        "Do what the detail names first, for example wait for the run or cancel it.",
    ),
    "plan_changed": (
        "The plan of the run is another one than the one that the request names: the host can run other "
        "cells now, or its servers restart at other rounds.",
        "Plan again, check the plan and start with its digest.",
    ),
    "name_taken": ("Another object has this name.", "Choose another name."),
    "team_in_use": (
        "The team still has experiments or runs, or it is the team of the installation's host.",
        "Delete what the detail names first; export what is still needed.",
    ),
    "account_enabled": (
        "Only a disabled account can be deleted.",
        "Disable it first, which ends its sessions.",
    ),
    "account_disabled": (
        "The account is disabled.",
        "Ask an administrator of the installation to enable it.",
    ),
    "own_account": (
        "Administrators do not disable, delete or demote themselves: nobody could undo it.",
        "Ask another administrator of the installation.",
    ),
    "last_administrator": (
        "The account is the last administrator of the installation that can sign in.",
        "Make another account an administrator first.",
    ),
    "gone": ("The object existed and is no longer available.", "Ask its owner for a new one."),
    "share_revoked": ("The link was revoked.", "Ask the person who sent it for a new link."),
    "share_expired": ("The link has expired.", "Ask the person who sent it for a new link."),
    "email_taken": (
        "Another account has this email address.",
        "Use another address, or sign in to the account that has it.",
    ),
    "email_not_verified": (
        "Nothing shows that this email address belongs to the account.",
        "Ask for an invitation to the address, sign in by your identity provider, or ask an administrator of "
        "the installation.",
    ),
    "email_needed": (
        "Sign-in by password needs an email address.",
        "Give the account an email address, and keep it while it has a password.",
    ),
    "two_kinds": (
        "The body has fields that exclude each other.",
        "Send the fields of one kind, as the detail says.",
    ),
    "password_too_short": (
        "The new password is too short.",
        "Use at least 12 characters, for example several words; spaces are allowed.",
    ),
    "password_too_weak": (
        "The new password is a known one, or can be guessed from words, names, dates or keyboard rows.",
        "Use several words that do not belong together, or let a password manager make one.",
    ),
    "password_wrong": ("This is not the account's current password.", "Type the current password again."),
    "wrong_credentials": (
        "No account has this email address with this password; which of the two is wrong is not said.",
        "Try again, sign in another way, or ask an administrator of the server for a one-time link.",
    ),
    "second_factor_required": (
        "The password is right, and the account has a second factor.",
        "Send the same request with the code of the authenticator app, or a recovery code, in code.",
    ),
    "second_factor_wrong": (
        "The password is right, and the code is wrong, has expired or was used before.",
        "Wait for the next code, or use a recovery code; check the clock of the device.",
    ),
    "sign_in_paused": (
        "Several wrong passwords or codes were sent for this address, whether or not it has an account.",
        "Wait for the time in Retry-After, or sign in by a one-time link or by the identity provider.",
    ),
    "in_use": (
        "The same request is in progress in another connection.",
        "Send it again after Retry-After seconds.",
    ),
    "idempotency_key_reused": (
        "The Idempotency-Key was used before with another request.",
        "Use a new key for a new request.",
    ),
    "rate_limited": (
        "Too many requests came from one address, session or token, or too many with a wrong secret.",
        "Wait for Retry-After seconds. The limits are listed in docs/limits.md.",
    ),
    "quota_exceeded": (
        "A quota of the team is used up, or a plan is larger than a team may start.",
        "Do what the detail names; GET /api/v1/usage shows limits and present use.",
    ),
    "unauthenticated": (
        "The request has no valid session or token.",
        "Sign in, or send an API token in the Authorization field, after the word Bearer.",
    ),
    "target_not_allowed": (
        "The URL of a webhook leads to an address that is not public, or is not https.",
        "Use a public https URL, or ask the operator to allow the network with PLIMSOLL_WEBHOOK_ALLOW.",
    ),
    "forbidden": (
        "The caller's role in the team is too small for the operation.",
        "Ask an administrator of the team.",
    ),
    "team_requires_second_factor": (
        "The team requires a second factor, and the session or the token's owner has not proved one.",
        "Set one up at /account, or enter a code of it there.",
    ),
    "second_factor_not_proved": (
        "The account has a second factor, and this session has not proved it.",
        "Enter a code at /account, then repeat the request.",
    ),
    "sign_in_again": (
        "The operation makes or widens a credential, and the last sign-in is too long ago.",
        "Sign in again, then repeat the request within 15 minutes.",
    ),
    "wrong_code": (
        "The code of the second factor is wrong, was used before, or is of another time.",
        "Enter the next code of the app, set the clock of its device, or use a recovery code.",
    ),
    "insufficient_scope": (
        "The token lacks the scope that the operation needs.",
        "Create a token with this scope.",
    ),
    "mode_not_enabled": (
        "The experiment uses the host's own network, and an administrator has not enabled that on the host.",
        "Choose other paths, or ask an administrator of the installation to enable it.",
    ),
    "other_email": (
        "The invitation is for another email address.",
        "Leave the address out, or ask for an invitation without one.",
    ),
    "scope_not_allowed": (
        "The new token would have a scope that its owner does not have.",
        "Choose fewer scopes.",
    ),
    "expiry_required": ("The token needs an expiry.", "Give one within the bounds that the detail names."),
    "authorization_pending": (
        "Nobody has confirmed the sign-in of a command line yet.",
        "Confirm it in the browser; the client asks again after interval seconds.",
    ),
    "slow_down": (
        "A client asks too often whether its sign-in was confirmed.",
        "Keep 5 seconds more between two requests from now on.",
    ),
    "access_denied": (
        "The sign-in of a command line was denied, or who confirmed it has lost the rights.",
        "Begin again with plimsoll login.",
    ),
    "expired_token": (
        "Nobody confirmed the sign-in of a command line within ten minutes.",
        "Begin again with plimsoll login.",
    ),
    "invalid_grant": (
        "The device code of a sign-in is unknown, or its token was fetched before.",
        "Begin again with plimsoll login.",
    ),
    "csrf": (
        "A browser's request lacks the token that proves that Plimsoll's own page sent it.",
        "Reload the page; scripts use an API token.",
    ),
    "error": ("The request failed.", "See the detail."),
    "refused": ("The request was refused.", "See the detail."),
}
"""Code: cause, remedy."""

SERVER: Final = {
    "internal": (
        "An unexpected error occurred; the server's log has it under the id in instance.",
        "Repeat the request; report the id if the error stays.",
    ),
    "unexpected": ("An unexpected error occurred on the measured host.", "See the log of its worker."),
    "overloaded": (
        "Too many requests that compute are in progress.",
        "Send the request again after Retry-After seconds.",
    ),
    "unavailable": (
        "A service that the request needs does not answer.",
        "Send it again after Retry-After seconds; /readyz names what is away.",
    ),
    "statement_timeout": ("The database was too slow for the request.", "Repeat it later, or ask for less."),
    "contention": ("Two requests changed the same object.", "Send the request again."),
    "storage_full": ("The database's disk is full.", "Free space on it; no stored data is lost."),
    "too_many_connections": (
        "The database has no free connection.",
        "Repeat the request later, or raise max_connections.",
    ),
    "read_only": ("The database is a standby or was set read-only.", "Point Plimsoll to the primary."),
    "not_migrated": (
        "The database's schema is of another version of Plimsoll.",
        "Run the migrations; scripts/up does.",
    ),
    "backup_failed": ("A backup or its restoration failed.", "See the detail; nothing was changed."),
    "host_fault": ("The measured host failed, not the trial.", "See the host's page; the trial is repeated."),
    "engine_lost": ("A Docker daemon does not answer.", "See the host's page; the trial is repeated."),
    "server_lost": (
        "The measured server's process has ended.",
        "See the trial's history; the trial is repeated.",
    ),
    "host_command_failed": (
        "A tool of the host failed or is missing.",
        "Install it, or see the trial's history.",
    ),
    "process_lost": ("A measured process has ended.", "See the trial's history; the trial is repeated."),
    "host_slept": ("The host was suspended during a trial.", "Nothing: the trial is repeated."),
    "client_host_lost": (
        "The host that runs the client has stopped, or does not answer.",
        "See whether its worker runs; the trial is repeated.",
    ),
    "client_host_busy": (
        "Two hosts waited for each other's clients, and this one gave way.",
        "Nothing: the trial is repeated.",
    ),
    "store_away": (
        "The database did not answer during a trial.",
        "Nothing: the record waits on the worker's disk.",
    ),
    "already_running": ("Another worker of this installation runs on the host.", "Stop it first."),
}
