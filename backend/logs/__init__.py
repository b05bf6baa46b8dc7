"""Structured logs of API and worker: JSON lines for machines, text for a terminal; no secret in either."""
