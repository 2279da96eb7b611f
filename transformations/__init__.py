"""From known instances to trick instances.

Here live the transformations: each makes, from one or more certified parents, an instance whose verdict is
known beforehand, and carries the parents' witnesses over to it. The embedded corpus of seeds lives here as
well, in `corpus/`.

This package may import from `chc`, and from nothing else of the house. It is pure: it takes parents and a
random generator and returns a trick. It starts no process, asks no solver, reads no clock and keeps no
random state.
"""
