"""A published study beside the run: its figures, and its claims against this run's intervals."""
