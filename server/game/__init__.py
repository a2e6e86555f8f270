"""The game itself: pure rules, values in and values out."""
