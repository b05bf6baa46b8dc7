"""Command lines of the tools: one file a tool, and the registry that finds it."""
