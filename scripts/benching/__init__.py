"""What scripts/bench measures, each module one part of it; nothing here is in the package."""
