"""Checks of a run: A/A duplicates, drift, host noise, environment changes, thresholds."""
