"""What this person has on disk between two runs: settings, secrets, servers, and what is left of a crash."""
