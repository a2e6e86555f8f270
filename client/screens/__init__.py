"""The pages of the full-screen client: state and size in, lines of styled text out, nothing else."""
