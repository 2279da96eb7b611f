"""The service: event loop, interrogator, detector, triage, socket, command line and log.

The core of this package decides without input or output: a state and an event give the next state and
commands. A thin shell around it carries the commands out.

This package is the top of the house: it may import from `knowledge_base`, `backends`, `transformations` and
`chc`, and none of these may import from it. It reaches solvers only through `backends`, and the database
only through `knowledge_base`.
"""
