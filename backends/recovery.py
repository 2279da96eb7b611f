"""From the bare facts that a solver printed to a refutation: for each step its clause and the values in it.

Most values can be read off by matching the arguments of the clause against the facts and by following equations;
what is left is solved for by a checker. Whatever is found is checked afterwards like any refutation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations

import msgspec

from backends.smt_checker import Satisfiability, SmtChecker
from chc.build import equation
from chc.default_terms import DefaultTerms
from chc.evaluate import evaluate
from chc.instance import Atom, Clause, Instance
from chc.printer import show_atom
from chc.refutation import Derivation, DerivedFact, Refutation, Step
from chc.terms import Kind, Term, substitute
from chc.undetermined import Undetermined
from chc.value_terms import term_of_value
from chc.values import Value

MOST_ORDERS = 120
"""How many orders of the premises are tried for one clause."""


class Gap(msgspec.Struct, frozen=True):
    """A step for which no clause and values were found; `certain` if there are none."""

    step: int
    reason: str
    certain: bool


async def recover(instance: Instance, derivation: Derivation, solver: SmtChecker) -> Refutation | Gap:
    """The refutation behind a derivation, or the first step that no clause of the instance justifies."""
    recovery = _Recovery(instance, derivation, solver)
    steps: list[Step] = []
    for number in range(len(derivation.facts)):
        step = await recovery.justify(number)
        if isinstance(step, Gap):
            return step
        steps.append(step)
    return Refutation(tuple(steps))


class _Recovery:
    def __init__(self, instance: Instance, derivation: Derivation, solver: SmtChecker) -> None:
        self._instance, self._derivation, self._solver = instance, derivation, solver
        self._defaults = DefaultTerms(instance.datatypes)

    async def justify(self, number: int) -> Step | Gap:
        """The step behind a fact: the first clause and order of premises for which there are values."""
        derived = self._derivation.facts[number]
        certain = True
        for index, order in self._candidates(derived):
            clause = self._instance.clauses[index]
            premises = [self._derivation.facts[premise].fact for premise in order]
            values = await self._values(clause, _demands(clause, derived.fact, premises))
            if isinstance(values, dict):
                return Step(derived.fact, index, tuple(values[var] for var in clause.variables), order)
            certain = certain and values
        return Gap(number, self._no_clause(number), certain)

    async def _values(self, clause: Clause, demands: list[Term]) -> dict[Term, Term] | bool:
        """Values for all variables of the clause; else whether it is certain that there are none."""
        matched = match(demands)
        if matched is None:
            return True
        values = {var: term_of_value(matched[var], var.sort, self._instance.datatypes) for var in matched}
        if any(var not in values for var in clause.variables) or not _surely_hold(demands, matched):
            decision = await self._solver.solve(self._instance, substitute(demands, values))
            if decision.outcome is not Satisfiability.sat:
                return decision.outcome is Satisfiability.unsat
            if decision.values is None:
                return False
            values.update((var, value) for var, value in decision.values.items() if var not in values)
        return self._complete(clause, values)

    def _complete(self, clause: Clause, values: dict[Term, Term]) -> dict[Term, Term] | bool:
        """With any value for the variables that nothing demands anything of."""
        for var in clause.variables:
            value = values.get(var) or self._defaults.of(var.sort)
            if value is None:
                return False
            values[var] = value
        return values

    def _candidates(self, derived: DerivedFact) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Clauses with this head and these body predicates, with the orders in which the premises fit them."""
        head = _name(derived.fact)
        names = {p: _name(self._derivation.facts[p].fact) for p in derived.premises}
        wanted = sorted(names[p] for p in derived.premises)
        for index, clause in enumerate(self._instance.clauses):
            body = [atom.predicate for atom in clause.body]
            if _name(clause.head) == head and sorted(body) == wanted:
                for order in islice(_orders(derived.premises, names, body), MOST_ORDERS):
                    yield index, order

    def _no_clause(self, number: int) -> str:
        derived = self._derivation.facts[number]
        premises = ", ".join(show_atom(self._derivation.facts[p].fact) for p in derived.premises) or "no premise"
        return f"step {number + 1}: no clause of the instance derives {show_atom(derived.fact)} from {premises}"


def _orders(premises: Sequence[int], names: dict[int, str], body: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The orders of the premises in which their predicates are those of the body, the given order first."""
    places: dict[str, list[int]] = {}
    for premise in premises:
        places.setdefault(names[premise], []).append(premise)
    yield from _interleave(body, places)


def _interleave(body: Sequence[str], places: dict[str, list[int]]) -> Iterator[tuple[int, ...]]:
    kinds = list(places)

    def choose(at: int, chosen: dict[str, tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
        if at == len(kinds):
            queues = {name: iter(order) for name, order in chosen.items()}
            yield tuple(next(queues[name]) for name in body)
            return
        for order in permutations(places[kinds[at]]):
            yield from choose(at + 1, {**chosen, kinds[at]: order})

    return choose(0, {})


def _name(fact: Atom | None) -> str:
    return "" if fact is None else fact.predicate


def _demands(clause: Clause, head: Atom | None, premises: Sequence[Atom | None]) -> list[Term]:
    """What has to hold for the clause to derive the head from the premises."""
    pairs = [
        pair
        for atom, fact in zip(clause.body, premises, strict=True)
        if fact is not None
        for pair in zip(atom.args, fact.args, strict=True)
    ]
    if clause.head is not None and head is not None:
        pairs.extend(zip(clause.head.args, head.args, strict=True))
    return [*(equation(pattern, value) for pattern, value in pairs), *clause.constraint]


def _surely_hold(demands: Sequence[Term], values: dict[Term, Value]) -> bool:
    try:
        return all(evaluate(demand, values) is True for demand in demands)
    except Undetermined:
        return False


def match(demands: Sequence[Term]) -> dict[Term, Value] | None:
    """Values of variables that the demands determine at once; None where they contradict one another."""
    values: dict[Term, Value] = {}
    pending = list(demands)
    progress = True
    while progress:
        progress = False
        left = []
        for demand in pending:
            outcome = _use(demand, values)
            if outcome is False:
                return None
            progress = progress or outcome is True
            if outcome is None:
                left.append(demand)
        pending = left
    return values


def _use(demand: Term, values: dict[Term, Value]) -> bool | None:
    """True if the demand holds or gave a value, False if it fails, None if it says nothing yet."""
    try:
        return evaluate(demand, values) is True
    except Undetermined:
        return True if _determine(demand, values) else None


def _determine(demand: Term, values: dict[Term, Value]) -> bool:
    """Whether the demand gives a variable its value: `x`, `(not x)`, `(= x t)` or `(= t x)` with t known."""
    if demand.kind is Kind.VARIABLE:
        values[demand] = True
        return True
    if demand.kind is not Kind.BUILTIN:
        return False
    if demand.name == "not" and demand.args[0].kind is Kind.VARIABLE:
        values[demand.args[0]] = False
        return True
    if demand.name != "=" or len(demand.args) != 2:
        return False
    return any(_assign(*pair, values) for pair in (demand.args, demand.args[::-1]))


def _assign(unknown: Term, known: Term, values: dict[Term, Value]) -> bool:
    if unknown.kind is not Kind.VARIABLE or unknown in values:
        return False
    try:
        values[unknown] = evaluate(known, values)
    except Undetermined:
        return False
    return True
