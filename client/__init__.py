"""The screen: what one player sees and the keys they press."""
