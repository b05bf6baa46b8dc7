"""Interim analyses of a run, and the rules for a run that ends early."""
