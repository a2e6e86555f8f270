"""Simulations of the whole server, each made from one seed. How to read and use them: README.md."""
