"""Real processes, real connections, real keys."""
