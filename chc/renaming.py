"""Other names for the predicates of an instance."""

from __future__ import annotations

from collections.abc import Mapping

from chc.instance import Atom, Clause, Instance, Predicate


def rename_predicates(instance: Instance, names: Mapping[str, str]) -> Instance:
    """The instance with predicates renamed; those not mentioned keep their names."""

    def rename(atom: Atom) -> Atom:
        return Atom(names.get(atom.predicate, atom.predicate), atom.args)

    return instance.replace(
        predicates=(Predicate(names.get(p.name, p.name), p.sorts) for p in instance.predicates),
        clauses=(
            Clause(c.variables, c.constraint, tuple(map(rename, c.body)), c.head and rename(c.head))
            for c in instance.clauses
        ),
    )
