"""What comes of each key and menu item, page by page. Pure."""
