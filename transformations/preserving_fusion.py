"""Semantic fusion: two terms of a body become one new variable, and are then read off it again."""

from __future__ import annotations

from random import Random
from typing import Final

from chc.build import apply, equation
from chc.instance import Atom, Clause, Instance, make_clause
from chc.refutation import Refutation, Step
from chc.sorts import INT, NUMERIC
from chc.terms import Term, integer, real, variable
from transformations.carry import Values, renumber
from transformations.known import Inapplicable, Known
from transformations.preserving_base import (
    ClauseChoice,
    InPlace,
    body_nodes,
    check_new,
    closed_nodes,
    declared_names,
    names_in_clause,
    new_name,
    node_of_clause,
    replace_nodes,
)
from transformations.preserving_steps import ground
from transformations.transformation import Parents, Site
from transformations.written import item

WEIGHTS: Final = (-7, -3, -2, -1, 1, 2, 3, 5, 10)


class FusionChoice(ClauseChoice, frozen=True):
    """Two numeric nodes s and t, the new variable v, weights a and b of v = a·s + b·t, and where s and t give way.

    The units of a body are its atoms and then its conjuncts; `first` are those in which s is replaced, `second`
    those in which t is. Weights 1 and 1 make a sum, 1 and -1 a difference, which are written as such.
    """

    nodes: tuple[int, int]
    variable: str
    weights: tuple[int, int]
    first: tuple[int, ...]
    second: tuple[int, ...]


class SemanticFusion(InPlace[FusionChoice]):
    """Adds v = a·s + b·t for a fresh v, and replaces some s by (v - b·t) / a and some t by (v - a·s) / b.

    For all values of the other variables there is exactly one of v that satisfies the equation, and with it the
    inverses give s and t again; over integers the division is exact, because v - b·t is a multiple of a. So the
    clause says the same. A refutation needs the value of v, which is that of a·s + b·t.
    """

    name = "semantic-fusion"
    choice = FusionChoice

    def offers(self, clause: Clause) -> bool:
        return bool(_numeric_places(clause))

    def draw(self, parents: Parents, site: Site, rng: Random) -> FusionChoice | None:
        instance = parents[0].instance
        clause = item(instance.clauses, site[0])
        places, nodes = _numeric_places(clause), body_nodes(clause)
        first = rng.choice(places)
        second = rng.choice([place for place in places if nodes[place].sort is nodes[first].sort])
        weights = rng.choice(((1, 1), (1, -1), (rng.choice(WEIGHTS), rng.choice(WEIGHTS))))
        name = new_name(rng.choice(("v", "mix", "sum")), declared_names(instance) | names_in_clause(clause))
        chosen = [_some_units(clause, nodes[place], rng) for place in (first, second)]
        return self.confirmed(
            parents, FusionChoice(site[0], (first, second), name, weights, tuple(chosen[0]), tuple(chosen[1]))
        )

    def rewrite(self, instance: Instance, clause: Clause, choice: FusionChoice) -> Clause:
        check_new(choice.variable, declared_names(instance) | names_in_clause(clause))
        fused = _Fusion(clause, choice)
        units = [
            replace_nodes(unit, fused.replacements(number in choice.first, number in choice.second))
            for number, unit in enumerate(_units(clause))
        ]
        body = [Atom(atom.predicate, tuple(units[number])) for number, atom in enumerate(clause.body)]
        constraint = [part for unit in units[len(body) :] for part in unit]
        defined = equation(fused.variable, fused.value)
        return make_clause([defined, *constraint], body, clause.head, (*clause.variables, fused.variable))

    def carry_refutation(self, parent: Known, choice: FusionChoice, child: Instance) -> Refutation | None:
        fused = _Fusion(parent.instance.clauses[choice.clause], choice)

        def more(step: Step, values: Values) -> Values:
            value = ground(fused.value, values, child) if step.clause == choice.clause else None
            return values if value is None else {**values, fused.variable: value}

        return renumber(parent.refutation, parent.instance, child, lambda number: number, more)


def _numeric_places(clause: Clause) -> list[int]:
    closed = closed_nodes(clause)
    return [number for number, node in enumerate(body_nodes(clause)) if node.sort in NUMERIC and node in closed]


def _units(clause: Clause) -> list[list[Term]]:
    return [*(list(atom.args) for atom in clause.body), *([part] for part in clause.constraint)]


def _some_units(clause: Clause, node: Term, rng: Random) -> list[int]:
    """Some of the units in which the node occurs, mostly one at least."""
    marker = variable(f"{node.name} replaced", node.sort)
    units = _units(clause)
    found = [number for number, unit in enumerate(units) if replace_nodes(unit, {node: marker}) != unit]
    return sorted(rng.sample(found, rng.randint(0 if rng.random() < 0.3 else 1, len(found))))


class _Fusion:
    """The terms that a choice speaks of."""

    def __init__(self, clause: Clause, choice: FusionChoice) -> None:
        closed = closed_nodes(clause)
        self._terms = [
            node_of_clause(clause, number, lambda node: node.sort in NUMERIC and node in closed)
            for number in choice.nodes
        ]
        if self._terms[0].sort is not self._terms[1].sort or 0 in choice.weights:
            raise Inapplicable("the two terms cannot be fused so")
        self._weights = choice.weights
        self.variable = variable(choice.variable, self._terms[0].sort)
        self.value = _combination(self._terms[0], self._terms[1], choice.weights)

    def replacements(self, first: bool, second: bool) -> dict[Term, Term]:
        chosen = [number for number, wanted in enumerate((first, second)) if wanted]
        return {self._terms[number]: self._inverse(number) for number in chosen}

    def _inverse(self, number: int) -> Term:
        """The term of this number, from the new variable and the other term."""
        weight, other_weight = self._weights[number], self._weights[1 - number]
        rest = _combination(self.variable, self._terms[1 - number], (1, -other_weight))
        if weight == 1:
            return rest
        if weight == -1:
            return apply("-", (rest,))
        return apply("div", (rest, integer(weight))) if rest.sort is INT else apply("/", (rest, real(weight)))


def _combination(left: Term, right: Term, weights: tuple[int, int]) -> Term:
    if weights == (1, -1):
        return apply("-", (left, right))
    return apply("+", (_weighted(left, weights[0]), _weighted(right, weights[1])))


def _weighted(term: Term, weight: int) -> Term:
    factor = integer(weight) if term.sort is INT else real(weight)
    return term if weight == 1 else apply("*", (factor, term))
