"""The way in: where a server is, how others get to it, by SSH as well, and the phrase that brings a guest back."""
