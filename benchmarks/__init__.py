"""Measurements of Hornblower itself, started by `make bench`.

They may import from every package of the house; no package may import from them.
"""
