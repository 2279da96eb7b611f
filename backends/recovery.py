"""From the bare facts that a solver printed to a refutation: for each step its clause and the values in it.

Most values can be read off by matching the arguments of the clause against the facts and by following equations;
what is left is solved for by a checker. Whatever is found is checked afterwards like any refutation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import anyio
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

MOST_CHOICES = 120
"""How many choices of premises are tried for one clause."""
MOST_ATTEMPTS = 500
"""How many steps the search for such choices may take."""


MOST_SECONDS = 5.0
"""How long the search for all steps of a derivation may take: nothing else is done meanwhile."""


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
        self._deadline = anyio.current_time() + MOST_SECONDS
        self._by_head: dict[str | None, list[int]] = {}
        for index, clause in enumerate(instance.clauses):
            self._by_head.setdefault(_name(clause.head), []).append(index)

    async def justify(self, number: int) -> Step | Gap:
        """The step behind a fact: the first clause and choice of premises for which there are values."""
        derived = self._derivation.facts[number]
        certain = True
        for index in self._by_head.get(_name(derived.fact), ()):
            clause = self._instance.clauses[index]
            found = await self._apply(clause, derived)
            if isinstance(found, bool):
                certain = certain and found
            else:
                values, premises = found
                return Step(derived.fact, index, tuple(values[var] for var in clause.variables), premises)
        return Gap(number, self._no_clause(number), certain)

    async def _apply(self, clause: Clause, derived: DerivedFact) -> tuple[dict[Term, Term], tuple[int, ...]] | bool:
        """Values and premises with which the clause derives the fact; else whether it is certain that none do."""
        certain = True
        for tries, premises in enumerate(self._choices(clause, derived)):
            if premises is None or tries >= MOST_CHOICES:
                return False
            values = await self._values(clause, _demands(clause, derived.fact, self._facts(premises)))
            if not isinstance(values, bool):
                return values, premises
            certain = certain and values
        return certain

    def _choices(self, clause: Clause, derived: DerivedFact) -> Iterator[tuple[int, ...] | None]:
        """Premises for the atoms of the body, the given order first, as far as they can be told apart at once.

        One premise may serve several atoms, because z3 drops an atom that it finds to be equal to another. None
        says that there are too many choices to go through.
        """
        stack: list[tuple[int, ...]] = [()]
        for _ in range(MOST_ATTEMPTS):
            if not stack:
                return
            if anyio.current_time() > self._deadline:
                break
            chosen = stack.pop()
            if len(chosen) == len(clause.body):
                yield chosen
            else:
                stack.extend(reversed(self._extensions(clause, derived, chosen)))
        yield None

    def _extensions(self, clause: Clause, derived: DerivedFact, chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
        wanted = clause.body[len(chosen)].predicate
        fitting = [p for p in dict.fromkeys(derived.premises) if _name(self._derivation.facts[p].fact) == wanted]
        fitting.sort(key=chosen.__contains__)
        longer = [(*chosen, premise) for premise in fitting]
        if len(longer) < 2:
            return longer
        return [each for each in longer if match(_equations(clause, derived.fact, self._facts(each))) is not None]

    def _facts(self, premises: Sequence[int]) -> list[Atom | None]:
        return [self._derivation.facts[premise].fact for premise in premises]

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

    def _no_clause(self, number: int) -> str:
        derived = self._derivation.facts[number]
        premises = ", ".join(show_atom(self._derivation.facts[p].fact) for p in derived.premises) or "no premise"
        return f"step {number + 1}: no clause of the instance derives {show_atom(derived.fact)} from {premises}"


def _name(fact: Atom | None) -> str | None:
    return None if fact is None else fact.predicate


def _demands(clause: Clause, head: Atom | None, premises: Sequence[Atom | None]) -> list[Term]:
    """What has to hold for the clause to derive the head from the premises."""
    return [*_equations(clause, head, premises), *clause.constraint]


def _equations(clause: Clause, head: Atom | None, premises: Sequence[Atom | None]) -> list[Term]:
    """What the facts say about the variables; there may be fewer premises than atoms in the body."""
    pairs = [
        pair
        for atom, fact in zip(clause.body, premises, strict=False)
        if fact is not None
        for pair in zip(atom.args, fact.args, strict=True)
    ]
    if clause.head is not None and head is not None:
        pairs.extend(zip(clause.head.args, head.args, strict=True))
    return [equation(pattern, value) for pattern, value in pairs]


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
