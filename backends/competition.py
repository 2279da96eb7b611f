"""Instances in the narrow form of the solver competition, which some solvers insist on.

Atoms are over variables, those of a head over distinct ones; a body lists atoms before formulas; every clause binds
variables; and exactly one clause, the last, concludes false. Several queries become one by a predicate of its own, so
that a model may speak of one predicate more.
"""

from __future__ import annotations

from collections.abc import Sequence

from chc.build import equation
from chc.instance import Atom, Clause, Instance, Predicate
from chc.printer import show_atom, show_declarations, show_term
from chc.sorts import BOOL, quote_symbol, show_sort
from chc.terms import Kind, Term, fresh_name, variable

_UNUSED = variable("unused", BOOL)


def competition_text(instance: Instance) -> str:
    """The whole script."""
    queries = [clause for clause in instance.clauses if clause.is_query]
    rest = [clause for clause in instance.clauses if not clause.is_query]
    if len(queries) != 1:
        failed = Atom(fresh_name("failed", instance.signature.__contains__), ())
        rest.extend(Clause(each.variables, each.constraint, each.body, failed) for each in queries)
        queries = [Clause((), (), (failed,), None)]
        instance = instance.replace(predicates=(*instance.predicates, Predicate(failed.predicate, ())))
    lines = ["(set-logic HORN)", *show_declarations(instance)]
    lines.extend(f"(assert {_narrow(clause)})" for clause in (*rest, *queries))
    return "\n".join([*lines, "(check-sat)", ""])


def _narrow(clause: Clause) -> str:
    names = _Names(clause)
    body = [names.over_variables(atom, ()) for atom in clause.body]
    head = None if clause.head is None else names.over_variables(clause.head, clause.head.args)
    parts = [show_atom(atom) for atom in body]
    parts.extend(show_term(formula) for formula in (*clause.constraint, *names.equations))
    variables = [*clause.variables, *names.fresh] or [_UNUSED]
    bound = " ".join(f"({quote_symbol(var.name)} {show_sort(var.sort)})" for var in variables)
    return f"(forall ({bound}) (=> (and {' '.join(parts) or 'true'}) {show_atom(head)}))"


class _Names:
    """New variables for what is no variable in an atom, with the equations that say so."""

    def __init__(self, clause: Clause) -> None:
        self._taken = {var.name for var in clause.variables}
        self.fresh: list[Term] = []
        self.equations: list[Term] = []

    def over_variables(self, atom: Atom, distinct: Sequence[Term]) -> Atom:
        """The atom over variables; those among `distinct` may occur in it but once."""
        seen: set[Term] = set()
        args = []
        for arg in atom.args:
            is_plain = arg.kind is Kind.VARIABLE and not (arg in seen and arg in distinct)
            args.append(arg if is_plain else self._named(arg))
            seen.add(arg)
        return Atom(atom.predicate, tuple(args))

    def _named(self, term: Term) -> Term:
        var = variable(fresh_name("value", self._taken.__contains__), term.sort)
        self._taken.add(var.name)
        self.fresh.append(var)
        self.equations.append(equation(var, term))
        return var
