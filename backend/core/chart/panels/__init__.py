"""Panels over several cells that are requested by themselves: sweeps, cost against rate, latency."""
