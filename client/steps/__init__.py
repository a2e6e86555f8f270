"""What each event does to the state, by where it comes from, and what several of these steps share. Pure."""
