"""Starts Plimsoll's services in order, watches them, and stops them in reverse."""
