"""What is known, and what to ask next.

Here live the instances, answers, certificates, lineage and bugs that a campaign has gathered, the schedules
that choose the next question, and the migrations of stored data. Nothing outside this package touches the
database.

This package may import from `backends`, `transformations` and `chc`, but not from `daemon`. It runs no
solver: it records answers that are handed to it.
"""
