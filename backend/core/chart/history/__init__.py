"""The same experiment over time on one host."""
