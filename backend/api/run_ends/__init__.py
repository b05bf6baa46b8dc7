"""What is made of a run when it ends."""
