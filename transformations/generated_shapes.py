"""What is asked of a generated seed, and the programs behind one: its predicates and the moves between them.

A program is made together with a run of it: every move is drawn from facts that the run has reached, and fits
their values. So its loops and guards make sense, and what it can reach is known as far as the run went.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

import msgspec

from chc.build import apply, conjuncts, equation, negation
from chc.evaluate import evaluate
from chc.instance import Atom, Clause, Predicate, make_clause
from chc.sorts import BOOL, INT, REAL, Sort, is_array, is_bitvec
from chc.terms import Kind, Term, substitute, variable
from chc.undetermined import Undetermined
from chc.values import Value
from transformations.generated_facets import Facets, Scope
from transformations.generated_settings import Setting, draw_setting, ground_term
from transformations.generated_updates import Updates
from transformations.random_terms import random_constraint


class Shape(msgspec.Struct, frozen=True):
    """What is asked for. A nonlinear system has bodies with several atoms."""

    theory: str = "int"
    predicates: int = 3
    clauses: int = 8
    nonlinear: bool = False


class Fact(msgspec.Struct, frozen=True):
    """A ground fact that a run has reached, and the number of the step that derived it."""

    predicate: str
    values: tuple[Value, ...]
    step: int = -1


class Move(msgspec.Struct, frozen=True):
    """A clause in the making, with values under which it applies. The head's arguments may be named anew."""

    body: tuple[Atom, ...]
    guards: tuple[Term, ...]
    predicate: str
    args: tuple[Term, ...]
    scope: dict[Term, Value]
    inputs: tuple[Term, ...] = ()
    """Variables that no atom of the body binds."""
    named: tuple[tuple[Term, Term], ...] = ()
    """Variables that stand for arguments of the head, with the terms that they equal."""

    def clause(self) -> Clause:
        """The clause: equations for what was named, the guards, the atoms."""
        equations = [equation(var, term) for var, term in self.named]
        names = {term: var for var, term in self.named}
        args = tuple(names.get(arg, arg) for arg in self.args)
        return make_clause(unique([*self.guards, *equations]), self.body, Atom(self.predicate, args), tuple(self.scope))

    def result(self, scope: Scope) -> tuple[Value, ...]:
        """The arguments of the head under these values."""
        return tuple(evaluate(arg, scope) for arg in self.args)


def letter(sort: Sort) -> str:
    """The letter with which variables of the sort begin."""
    if sort is INT:
        return "n"
    if sort is REAL:
        return "x"
    if sort is BOOL:
        return "b"
    if is_bitvec(sort):
        return "v"
    return "a" if is_array(sort) else "d"


def parameters(predicate: Predicate, mark: str = "") -> tuple[Term, ...]:
    """Variables for the arguments of the predicate; different marks give different ones."""
    return tuple(variable(f"{letter(sort)}{n}{mark}", sort) for n, sort in enumerate(predicate.sorts))


class Program:
    """Predicates over the sorts of a setting, and the dice that draw moves between them."""

    def __init__(self, shape: Shape, rng: Random) -> None:
        self.shape = shape
        self.rng = rng
        self.setting: Setting = draw_setting(shape.theory, rng)
        self.predicates = tuple(self._predicate(number) for number in range(max(1, shape.predicates)))
        self.facets = Facets(self.setting, rng)
        self._updates = Updates(self.setting, self.facets, rng)

    def _predicate(self, number: int) -> Predicate:
        """The main sort of the theory comes first. Booleans are so small that there is one more of them."""
        others = self.rng.randint(0, 2) + (self.shape.theory == "bool")
        sorts = (self.setting.sorts[0], *self.rng.choices(self.setting.sorts, k=others))
        return Predicate(f"p{number}", sorts)

    def initial(self, predicate: Predicate) -> tuple[Value, ...]:
        """Values for a fact from which nothing else follows yet."""
        return tuple(evaluate(ground_term(sort, self.setting, self.rng), {}) for sort in predicate.sorts)

    def move(self, premises: Sequence[Fact], target: Predicate) -> Move:
        """A move from these facts, which applies to their values."""
        signature = {predicate.name: predicate for predicate in self.predicates}
        marks = ("", "_b", "_c")
        body: list[Atom] = []
        scope: dict[Term, Value] = {}
        for mark, fact in zip(marks, premises, strict=False):
            variables = parameters(signature[fact.predicate], mark)
            body.append(Atom(fact.predicate, variables))
            scope.update(zip(variables, fact.values, strict=True))
        inputs = self._inputs(scope)
        args, guards = self._targets(target, body, scope)
        if Atom(target.name, args) in body:  # going nowhere is worth a second try
            args, guards = self._targets(target, body, scope)
        guards = [*self._joints(body, scope), *guards, *self._guards(scope), *self._about_inputs(inputs, scope)]
        named = self._names(args, target)
        return Move(tuple(body), tuple(guards), target.name, args, scope, inputs, named)

    def _inputs(self, scope: dict[Term, Value]) -> tuple[Term, ...]:
        """With luck a variable that comes from outside, with a value."""
        if self.rng.random() > 0.2:
            return ()
        sort = self.rng.choice(self.setting.sorts)
        var = variable(f"{letter(sort)}_in", sort)
        scope[var] = evaluate(ground_term(sort, self.setting, self.rng), {})
        return (var,)

    def _targets(self, target: Predicate, body: list[Atom], scope: Scope) -> tuple[tuple[Term, ...], list[Term]]:
        args: list[Term] = []
        guards: list[Term] = []
        nearest = [arg for atom in body[:1] for arg in atom.args]
        for position, sort in enumerate(target.sorts):
            wish = nearest[position] if position < len(nearest) else None
            update = self._updates.draw(sort, wish, scope)
            args.append(update.term)
            guards.extend(update.guards)
        return tuple(args), guards

    def _joints(self, body: list[Atom], scope: Scope) -> list[Term]:
        """What two atoms of the body have to do with one another."""
        pairs = [
            (one, other)
            for one in body[0].args
            for atom in body[1:]
            for other in atom.args
            if one.sort is other.sort and self.rng.random() < 0.5
        ]
        return [self._joint(one, other, scope) for one, other in pairs[:2]]

    def _joint(self, one: Term, other: Term, scope: Scope) -> Term:
        if evaluate(equation(one, other), scope) is True:
            return equation(one, other)
        if one.sort is INT or one.sort is REAL:
            smaller = apply("<=", (one, other))
            return smaller if evaluate(smaller, scope) is True else apply(">", (one, other))
        return apply("distinct", (one, other))

    def _guards(self, scope: Scope) -> list[Term]:
        """Tests that the values pass."""
        variables = list(scope)
        found = []
        for _ in range(self.rng.choice((0, 1, 1, 2)) if variables else 0):
            if self.rng.random() < 0.8:
                found.append(self.facets.draw(variables, scope))
            else:
                found.extend(self._odd_guard(variables, scope))
        return found

    def _odd_guard(self, variables: Sequence[Term], scope: Scope) -> list[Term]:
        statement = random_constraint(variables, self.setting.datatypes, self.rng, depth=1)
        try:
            return [statement if evaluate(statement, scope) is True else negation(statement)]
        except Undetermined:
            return []

    def _about_inputs(self, inputs: Sequence[Term], scope: Scope) -> list[Term]:
        return [self.facets.draw([var], scope) for var in inputs]

    def _names(self, args: Iterable[Term], target: Predicate) -> tuple[tuple[Term, Term], ...]:
        """New names for some computed arguments, as programs name the next state."""
        named: dict[Term, Term] = {}
        for position, arg in enumerate(args):
            if arg.args and arg.kind is not Kind.CONSTRUCTOR and self.rng.random() < 0.5:
                named.setdefault(arg, variable(f"{letter(arg.sort)}{position}_next", arg.sort))
        return tuple((var, arg) for arg, var in named.items())


def at(statement: Term, params: Sequence[Term], args: Sequence[Term]) -> Term:
    """The statement about other arguments."""
    return substitute([statement], dict(zip(params, args, strict=True)))[0]


def unique(statements: Iterable[Term]) -> list[Term]:
    """The conjuncts of the statements, each once."""
    return list(dict.fromkeys(part for statement in statements for part in conjuncts(statement)))
