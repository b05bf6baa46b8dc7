"""Groups of runs: one experiment on several hosts."""
