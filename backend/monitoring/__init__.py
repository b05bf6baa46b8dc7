"""The private port of a process: metrics for Prometheus, and readiness in full."""
