"""The second factor of the caller's account: enrolment, recovery codes, removal."""
