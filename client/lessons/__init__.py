"""The tutorial: which lessons there are, when each is due, what it says, and what it asks of its table. Pure."""
