"""Which keys and clicks there are on each page, and from one of them to its act. Pure."""
