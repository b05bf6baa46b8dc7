"""Enrolments of hosts: made, listed and revoked by administrators of the installation, used by workers."""
