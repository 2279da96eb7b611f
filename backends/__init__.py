"""Solvers and checkers as subprocesses: the only place that starts processes.

A solver's misbehaviour (silence, a crash, a flood of output, a tree of children that will not die) is data,
never an exception. May import `chc` only; the order of dependencies is
daemon > knowledge_base > backends > transformations > chc.
"""
