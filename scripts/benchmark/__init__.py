"""Figures of Plimsoll itself: reported by scripts/bench, never a test that passes or fails on time."""
