"""Retention: a team's old runs are deleted after a number of days."""
