"""What schedules and people want to know of an instance. Pure."""

from __future__ import annotations

from chc.fragment import fragment_of
from chc.instance import Instance
from knowledge_base.records import Features


def features_of(instance: Instance) -> Features:
    fragment = fragment_of(instance)
    return Features(
        fragment=fragment.label,
        clauses=fragment.clauses,
        predicates=fragment.predicates,
        nodes=fragment.nodes,
        shape=f"{fragment.label}/{fragment.predicates}/{fragment.clauses}",
    )
