"""Limits on the rate of requests, per client address and per caller, in the memory of this process."""
