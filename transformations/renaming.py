"""Instances and witnesses with other names for their predicates, sorts and datatypes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from chc.instance import Atom, Clause, Predicate
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.sorts import Constructor, Datatype, DatatypeGroup, Selector, Sort, make_sort
from chc.terms import Kind, Term, bound_variables, make_term, subterms, variable


class Renaming(msgspec.Struct, frozen=True):
    """New names by old ones. What is not mentioned keeps its name."""

    predicates: Mapping[str, str]
    sorts: Mapping[str, str]
    """Of sorts, datatypes and sort parameters; no two of these have the same name."""
    functions: Mapping[str, str]
    """Of constructors and selectors."""

    def sort(self, sort: Sort) -> Sort:
        """Sorts nest only a few deep, so this one recurses."""
        args = tuple(self.sort(arg) for arg in sort.args)
        return make_sort(self.sorts.get(sort.name, sort.name), args, sort.width)

    def group(self, group: DatatypeGroup) -> DatatypeGroup:
        return DatatypeGroup(tuple(self._datatype(datatype) for datatype in group.datatypes))

    def _datatype(self, datatype: Datatype) -> Datatype:
        constructors = tuple(self._constructor(constructor) for constructor in datatype.constructors)
        parameters = tuple(self.sort(parameter) for parameter in datatype.parameters)
        return Datatype(self.sorts.get(datatype.name, datatype.name), parameters, constructors)

    def _constructor(self, constructor: Constructor) -> Constructor:
        selectors = (Selector(self._function(s.name), self.sort(s.sort)) for s in constructor.selectors)
        return Constructor(self._function(constructor.name), tuple(selectors))

    def _function(self, name: str) -> str:
        return self.functions.get(name, name)

    def predicate(self, predicate: Predicate) -> Predicate:
        name = self.predicates.get(predicate.name, predicate.name)
        return Predicate(name, tuple(self.sort(sort) for sort in predicate.sorts))

    def terms(self, roots: Iterable[Term]) -> list[Term]:
        roots = list(roots)
        if not self.sorts and not self.functions:
            return roots
        done: dict[Term, Term] = {}
        for node in subterms(roots):
            done[node] = self._node(node, tuple(done[arg] for arg in node.args))
        return [done[root] for root in roots]

    def _node(self, node: Term, args: tuple[Term, ...]) -> Term:
        name, params = node.name, node.params
        if node.kind in (Kind.CONSTRUCTOR, Kind.SELECTOR, Kind.TESTER):
            name = self._function(name)
        if node.kind is Kind.SELECTOR:
            params = (self._function(str(params[0])), *params[1:])
        elif node.kind is Kind.QUANTIFIER:
            params = tuple(variable(var.name, self.sort(var.sort)) for var in bound_variables(node))
        return make_term(node.kind, name, params, args, self.sort(node.sort))

    def atom(self, atom: Atom) -> Atom:
        return Atom(self.predicates.get(atom.predicate, atom.predicate), tuple(self.terms(atom.args)))

    def clause(self, clause: Clause) -> Clause:
        body = tuple(self.atom(atom) for atom in clause.body)
        head = None if clause.head is None else self.atom(clause.head)
        return Clause(tuple(self.terms(clause.variables)), tuple(self.terms(clause.constraint)), body, head)

    def model(self, model: Model) -> Model:
        return Model({self.predicates.get(name, name): self._meaning(i) for name, i in model.interpretations.items()})

    def _meaning(self, interpretation: Interpretation) -> Interpretation:
        *params, body = self.terms([*interpretation.params, interpretation.body])
        return Interpretation(tuple(params), body)

    def refutation(self, refutation: Refutation) -> Refutation:
        return Refutation(tuple(self._step(step) for step in refutation.steps))

    def _step(self, step: Step) -> Step:
        fact = None if step.fact is None else self.atom(step.fact)
        return Step(fact, step.clause, tuple(self.terms(step.values)), step.premises)
