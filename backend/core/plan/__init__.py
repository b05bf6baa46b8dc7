"""Cells, blocks, schedule and estimate: pure in the experiment and what the host can run."""
