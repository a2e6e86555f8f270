"""The line to a server, and a server of one's own: bytes to events that are safe to show, kept up by itself."""
