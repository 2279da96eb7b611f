"""Seeds with a planted model: where each predicate holds is chosen first, then clauses that agree with it.

A run of the program goes beside: a predicate is interpreted by facets of the values with which the run first
reaches it, so that no interpretation is empty. Every clause is repaired: what of the head's interpretation does
not obviously follow from the body becomes a guard, said in other words.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chc.build import apply, conjunction, conjuncts
from chc.evaluate import evaluate
from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.model import Interpretation, Model
from chc.terms import FALSE, Kind, Term
from chc.value_terms import term_of_value
from chc.values import Value
from transformations.generated_disguise import disguise, refuse
from transformations.generated_facets import is_numeric
from transformations.generated_obvious import obvious, tidy
from transformations.generated_shapes import Fact, Move, Program, Shape, at, parameters, unique
from transformations.known import Known

ATTEMPTS = 6
"""How many moves are drawn to find one whose result the model of its head allows."""


def planted_model(shape: Shape, rng: Random) -> Known:
    """A satisfiable instance of this shape with a model of it."""
    return _Planting(shape, rng).plant()


class _Planting:
    """One seed in the making."""

    def __init__(self, shape: Shape, rng: Random) -> None:
        self._shape = shape
        self._rng = rng
        self._program = Program(shape, rng)
        self._facets: dict[str, tuple[Term, ...]] = {}
        """For each predicate that has been reached what holds of its parameters, one by one."""
        self._reached: list[Fact] = []

    def plant(self) -> Known:
        queries = 1 + self._shape.clauses // 8
        clauses = [self._fact(self._program.predicates[0])]
        while len(clauses) + queries < self._shape.clauses:
            clauses.append(self._next())
        clauses.extend(self._query() for _ in range(max(1, queries)))
        program = self._program
        instance = Instance((), program.setting.datatypes, program.predicates, tuple(clauses))
        return Known(instance, self._model())

    def _model(self) -> Model:
        found = {}
        for predicate in self._program.predicates:
            body = conjunction([*self._facets[predicate.name]]) if predicate.name in self._facets else FALSE
            found[predicate.name] = Interpretation(parameters(predicate), body)
        return Model(found)

    def _next(self) -> Clause:
        """A step, as long as predicates have not been reached to one of them; now and then another fact."""
        new = [p for p in self._program.predicates if p.name not in self._facets]
        target = new[0] if new else self._rng.choice(self._program.predicates)
        if not new and self._rng.random() < 0.15:
            return self._fact(target)
        return self._step(target)

    # Facts -----------------------------------------------------------------------------------------------

    def _fact(self, target: Predicate) -> Clause:
        """Ground values, or everything that the interpretation allows and a little luck narrows down."""
        params = parameters(target)
        values = self._program.initial(target)
        if target.name not in self._facets:
            self._interpret(target, values)
        elif not self._allowed(target, values):
            values = next(fact.values for fact in self._reached if fact.predicate == target.name)
        self._reached.append(Fact(target.name, values))
        if self._rng.random() < 0.5:
            groups = self._program.setting.datatypes
            terms = [term_of_value(v, p.sort, groups) for p, v in zip(params, values, strict=True)]
            return make_clause([], (), Atom(target.name, tuple(terms)))
        scope = dict(zip(params, values, strict=True))
        narrowing = [self._program.facets.draw(params, scope) for _ in range(self._rng.randint(0, 2))]
        allowed = [disguise(facet, self._rng) for facet in self._facets[target.name]]
        return make_clause(unique([*narrowing, *allowed]), (), Atom(target.name, params), params)

    def _interpret(self, predicate: Predicate, values: Sequence[Value]) -> None:
        params = parameters(predicate)
        scope = dict(zip(params, values, strict=True))
        drawn = [self._facet(params, scope) for _ in range(self._rng.randint(1, 3))]
        self._facets[predicate.name] = tuple(dict.fromkeys(drawn))

    def _facet(self, params: Sequence[Term], scope: dict[Term, Value]) -> Term:
        """A true statement; with luck one of two alternatives, of which the other need not be true."""
        facet = self._program.facets.draw(params, scope)
        if self._rng.random() > 0.1:
            return facet
        elsewhere = dict(zip(scope, self._program.initial(Predicate("", tuple(p.sort for p in params))), strict=True))
        return apply("or", (facet, self._program.facets.draw(params, elsewhere)))

    def _allowed(self, predicate: Predicate, values: Sequence[Value]) -> bool:
        scope = dict(zip(parameters(predicate), values, strict=True))
        return all(evaluate(facet, scope) is True for facet in self._facets[predicate.name])

    # Steps -----------------------------------------------------------------------------------------------

    def _step(self, target: Predicate) -> Clause:
        move = self._fitting_move(target)
        result = move.result(move.scope)
        if target.name not in self._facets:
            self._interpret(target, result)
        if self._allowed(target, result):
            self._reached.append(Fact(target.name, result))
        return self._repaired(move, target)

    def _fitting_move(self, target: Predicate) -> Move:
        """A move whose result the model allows, if the dice find one soon."""
        for _ in range(ATTEMPTS):
            move = self._program.move(self._premises(), target)
            if target.name not in self._facets or self._allowed(target, move.result(move.scope)):
                break
        return move

    def _premises(self) -> list[Fact]:
        count = self._rng.choice((1, 2, 2)) if self._shape.nonlinear else 1
        return self._rng.choices(self._reached[-6:], k=count)

    def _repaired(self, move: Move, target: Predicate) -> Clause:
        clause = move.clause()
        assert clause.head is not None
        known = {part for atom in move.body for part in self._parts(atom)}
        known.update(part for guard in move.guards for part in conjuncts(guard))
        missing = [n for n, facet in enumerate(self._facets[target.name]) if not self._kept(facet, move, target, known)]
        params = parameters(target)
        args = clause.head.args if self._rng.random() < 0.5 else move.args
        repairs = [tidy(at(self._facets[target.name][n], params, args)) for n in missing]
        guards = [*clause.constraint, *(disguise(repair, self._rng) for repair in repairs)]
        return make_clause(unique(guards), clause.body, clause.head, clause.variables)

    def _kept(self, facet: Term, move: Move, target: Predicate, known: set[Term]) -> bool:
        after = tidy(at(facet, parameters(target), move.args))
        return all(obvious(part, known) for part in conjuncts(after))

    def _parts(self, atom: Atom) -> list[Term]:
        """What the model says of an atom."""
        predicate = next(p for p in self._program.predicates if p.name == atom.predicate)
        facets = self._facets[atom.predicate]
        return [part for facet in facets for part in conjuncts(at(facet, parameters(predicate), atom.args))]

    # Queries ---------------------------------------------------------------------------------------------

    def _query(self) -> Clause:
        """Asks for what the model excludes: the contrary of a facet, or a sum below its bounds."""
        atoms = self._asked_atoms()
        asked = self._sum_below_bounds(atoms)
        if asked is None or self._rng.random() < 0.4:
            atom = self._rng.choice(atoms)
            predicate = next(p for p in self._program.predicates if p.name == atom.predicate)
            facet = self._rng.choice(self._facets[atom.predicate])
            asked = refuse(at(facet, parameters(predicate), atom.args), self._rng)
        return make_clause([asked], atoms, None, [arg for atom in atoms for arg in atom.args])

    def _asked_atoms(self) -> list[Atom]:
        """The predicates that were reached last are asked for most."""
        count = self._rng.choice((1, 1, 2)) if self._shape.nonlinear else 1
        reached = [p for p in self._program.predicates if p.name in self._facets]
        chosen = self._rng.choices(reached, weights=range(1, len(reached) + 1), k=count)
        return [Atom(p.name, parameters(p, mark)) for p, mark in zip(chosen, ("", "_b"), strict=False)]

    def _sum_below_bounds(self, atoms: Sequence[Atom]) -> Term | None:
        """For two bounds from below on numbers: that their sum is less than the sum of the bounds."""
        bounds = [part for atom in atoms for part in self._parts(atom) if _is_lower_bound(part)]
        if len(bounds) < 2:
            return None
        one, other = self._rng.sample(bounds, 2)
        if one.args[0].sort is not other.args[0].sort:
            return None
        return apply("<", tuple(apply("+", pair) for pair in zip(one.args, other.args, strict=True)))


def _is_lower_bound(part: Term) -> bool:
    """`variable ≥ literal`: of a field or a cell one would have to know first that it is there."""
    return part.name == ">=" and is_numeric(part.args[0]) and part.args[0].kind is Kind.VARIABLE
