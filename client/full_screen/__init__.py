"""The full-screen client at work: it asks pure functions and does what they say."""
