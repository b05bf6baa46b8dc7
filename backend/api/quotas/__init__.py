"""Quotas of a team: what it may have queued, running, planned and stored."""
