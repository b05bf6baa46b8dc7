"""One experiment on several hosts: ratios to each host's own baseline side by side."""
