"""`scripts/bench server`: a server's answers with accounts, 10,000 runs and 1,000,000 trials."""
