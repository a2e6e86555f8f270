"""Pictures of the client: its own pages, drawn as SVG."""
