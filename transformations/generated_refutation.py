"""Seeds with a planted refutation: a run goes first, its steps are generalised to clauses, distractors follow.

A step of the run is drawn together with the clause that allows it, or applies again a clause that is there
already, as loops do. At the end a query asks for something that is true of the last fact and of as few others
as can be, so that the run is not found at its first steps. More clauses cannot take the refutation away.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chc.evaluate import evaluate
from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.refutation import Step
from chc.terms import Term
from chc.undetermined import Undetermined
from chc.value_terms import term_of_value
from chc.values import Value
from transformations.carry import prune
from transformations.generated_facets import Scope
from transformations.generated_settings import ground_term
from transformations.generated_shapes import Fact, Move, Program, Shape, parameters, unique
from transformations.known import Known

QUESTIONS = 12
"""How many questions about the last fact are drawn, of which the most telling ones are asked."""
LONGEST_LOOP = 6
"""How often at most a clause is applied again in a row."""


def planted_refutation(shape: Shape, rng: Random) -> Known:
    """An unsatisfiable instance of this shape with a refutation of it."""
    return _Planting(shape, rng).plant()


class _Planting:
    """One seed in the making."""

    def __init__(self, shape: Shape, rng: Random) -> None:
        self._shape = shape
        self._rng = rng
        self._program = Program(shape, rng)
        self._clauses: list[Clause] = []
        self._moves: dict[int, Move] = {}
        """The moves behind clauses, by the number of the clause."""
        self._steps: list[Step] = []
        self._facts: list[Fact] = []

    def plant(self) -> Known:
        predicates = self._program.predicates
        self._fact(predicates[0])
        distractors = self._shape.clauses // 4
        while len(self._clauses) + distractors + 1 < self._shape.clauses:
            self._next()
        self._loop()
        self._query()
        while len(self._clauses) < self._shape.clauses:
            self._clauses.append(self._distractor())
        return self._shuffled()

    def _shuffled(self) -> Known:
        order = list(range(len(self._clauses)))
        self._rng.shuffle(order)
        place = {old: new for new, old in enumerate(order)}
        program = self._program
        clauses = tuple(self._clauses[old] for old in order)
        steps = [Step(s.fact, place[s.clause], s.values, s.premises) for s in self._steps]
        return Known(Instance((), program.setting.datatypes, program.predicates, clauses), prune(steps))

    def _next(self) -> None:
        """A step, as long as predicates have not been reached to one of them; now and then another fact."""
        reached = {fact.predicate for fact in self._facts}
        new = [p for p in self._program.predicates if p.name not in reached]
        target = new[0] if new else self._rng.choice(self._program.predicates)
        if not new and self._rng.random() < 0.15:
            self._fact(target)
            return
        self._move(target)
        self._loop()

    # Steps -----------------------------------------------------------------------------------------------

    def _fact(self, target: Predicate) -> None:
        """Ground values, or values from a range."""
        params = parameters(target)
        values = self._program.initial(target)
        scope = dict(zip(params, values, strict=True))
        if self._rng.random() < 0.5:
            clause = make_clause([], (), Atom(target.name, self._terms(params, values)))
        else:
            range_ = [self._program.facets.draw([param], scope) for param in params]
            clause = make_clause(unique(range_), (), Atom(target.name, params), params)
        self._clauses.append(clause)
        self._derive(len(self._clauses) - 1, scope, Fact(target.name, values), ())

    def _move(self, target: Predicate) -> None:
        count = self._rng.choice((1, 2, 2)) if self._shape.nonlinear else 1
        premises = self._rng.choices(self._facts[-4:], k=count)
        move = self._program.move(premises, target)
        self._clauses.append(move.clause())
        self._moves[len(self._clauses) - 1] = move
        self._apply(len(self._clauses) - 1, premises, move.scope)

    def _apply(self, number: int, premises: Sequence[Fact], scope: Scope) -> None:
        move = self._moves[number]
        named = {var: evaluate(term, scope) for var, term in move.named}
        fact = Fact(move.predicate, move.result(scope))
        self._derive(number, {**scope, **named}, fact, premises)

    def _derive(self, clause: int, scope: Scope, fact: Fact | None, premises: Sequence[Fact]) -> None:
        variables = self._clauses[clause].variables
        values = self._terms(variables, [scope[var] for var in variables])
        atom = None if fact is None else Atom(fact.predicate, self._terms(self._variables(fact), fact.values))
        self._steps.append(Step(atom, clause, values, tuple(premise.step for premise in premises)))
        if fact is not None:
            self._facts.append(Fact(fact.predicate, fact.values, len(self._steps) - 1))

    def _variables(self, fact: Fact) -> tuple[Term, ...]:
        return next(parameters(p) for p in self._program.predicates if p.name == fact.predicate)

    def _terms(self, variables: Sequence[Term], values: Sequence[Value]) -> tuple[Term, ...]:
        groups = self._program.setting.datatypes
        return tuple(term_of_value(v, var.sort, groups) for var, v in zip(variables, values, strict=True))

    # Loops -----------------------------------------------------------------------------------------------

    def _loop(self) -> None:
        """Applies clauses again to the last facts, as long as the dice and the guards allow it."""
        for _ in range(self._rng.randint(0, LONGEST_LOOP)):
            number = self._rng.choice(list(self._moves)) if self._moves else -1
            if number >= 0:
                self._again(number)

    def _again(self, number: int) -> None:
        """The last facts of the right predicates, if the guards let them pass and something new comes out."""
        move = self._moves[number]
        premises = [self._last(atom.predicate) for atom in move.body]
        scope: dict[Term, Value] = {}
        for atom, fact in zip(move.body, premises, strict=True):
            scope.update(zip(atom.args, fact.values, strict=True))
        for var in move.inputs:
            scope[var] = evaluate(ground_term(var.sort, self._program.setting, self._rng), {})
        if _passes(move, scope) and not self._is_there(move.predicate, move.result(scope)):
            self._apply(number, premises, scope)

    def _last(self, predicate: str) -> Fact:
        return next(fact for fact in reversed(self._facts) if fact.predicate == predicate)

    def _is_there(self, predicate: str, values: tuple[Value, ...]) -> bool:
        return any(fact.predicate == predicate and fact.values == values for fact in self._facts)

    # The query and the rest ------------------------------------------------------------------------------

    def _query(self) -> None:
        """Asks for the last fact, in a nonlinear system perhaps beside another one."""
        premises = [self._facts[-1]]
        if self._shape.nonlinear and self._rng.random() < 0.5:
            premises.append(self._rng.choice(self._facts))
        atoms: list[Atom] = []
        scope: dict[Term, Value] = {}
        for mark, fact in zip(("", "_b"), premises, strict=False):
            predicate = next(p for p in self._program.predicates if p.name == fact.predicate)
            atoms.append(Atom(fact.predicate, parameters(predicate, mark)))
            scope.update(zip(atoms[-1].args, fact.values, strict=True))
        asked = self._telling(atoms[0], scope)
        self._clauses.append(make_clause(unique(asked), atoms, None, tuple(scope)))
        self._derive(len(self._clauses) - 1, scope, None, premises)

    def _telling(self, atom: Atom, scope: Scope) -> list[Term]:
        """Two true statements that exclude most of the other facts of the predicate."""
        others = [fact.values for fact in self._facts[:-1] if fact.predicate == atom.predicate]
        chosen: list[Term] = []
        own = {arg: scope[arg] for arg in atom.args}
        for _ in range(2):
            drawn = [self._program.facets.draw(atom.args, own) for _ in range(QUESTIONS)]
            left = [[v for v in others if _is_true(d, dict(zip(atom.args, v, strict=True)))] for d in drawn]
            best = min(range(len(drawn)), key=lambda n: len(left[n]))
            chosen.append(drawn[best])
            others = left[best]
        return chosen

    def _distractor(self) -> Clause:
        """A clause drawn for values that no run has reached; now and then a query."""
        source = self._rng.choice(self._program.predicates)
        imagined = [Fact(source.name, self._program.initial(source))]
        if self._shape.nonlinear:
            imagined.append(self._rng.choice(self._facts))
        clause = self._program.move(imagined, self._rng.choice(self._program.predicates)).clause()
        if self._rng.random() < 0.2:
            return make_clause(clause.constraint, clause.body, None, clause.variables)
        return clause


def _passes(move: Move, scope: Scope) -> bool:
    return all(_is_true(guard, scope) for guard in move.guards)


def _is_true(statement: Term, scope: Scope) -> bool:
    """Fields of another constructor have no value; what rests on them is not true."""
    try:
        return evaluate(statement, scope) is True
    except Undetermined:
        return False
