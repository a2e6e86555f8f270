"""What each event does to the state, by where it comes from. Pure steps of `store`."""
