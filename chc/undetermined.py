"""The one thing that evaluation raises."""

from __future__ import annotations


class Undetermined(Exception):
    """SMT-LIB leaves the value of the term open, or the assignment does, or nobody would wait for it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
