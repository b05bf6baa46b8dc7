"""Histories of experiments on hosts, and the changes that they show."""
