"""What the one-time services of compose.yaml do."""
