"""What is known, and what to ask next.

Here live the instances, answers, certificates, lineage and bugs that a campaign has gathered, the schedules
that choose the next question, and the migrations of stored data. Nothing outside this package touches the
database.

The way in is `store.open_knowledge_base`. What can be written and read are the functions of `instances`, `answers`,
`truths`, `findings`, `faults`, `counters` and `standings`; what to ask next is decided in `schedules`, on a `view`.

This package may import from `backends`, `transformations` and `chc`, but not from `daemon`. It runs no
solver: it records answers that are handed to it.
"""
