"""The Facedown server: trio, lobbies, tables and the rules. It knows no screen."""
