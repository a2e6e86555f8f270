"""Computer players. Each sees the view of its own seat and nothing else."""
