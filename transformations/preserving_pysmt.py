"""Bodies put into normal forms by pysmt; a disjunction may split its clause."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from chc.build import conjunction
from chc.instance import Clause, Instance, make_clause
from chc.refutation import Refutation, Step
from chc.terms import Kind, Term, subterms
from transformations.carry import values_of
from transformations.known import Inapplicable, Known
from transformations.preserving_base import ClauseChoice, Preserving, declared_names, names_in_clause, new_name, splice
from transformations.preserving_steps import Derivation, completed, rewrite_steps
from transformations.transformation import Parents, Site
from transformations.via_pysmt import and_inverter, conjunctive_normal, negation_normal, partition, prenex
from transformations.written import item

ALL: Final = -1
"""Instead of the number of a conjunct: the whole constraint."""
CNF: Final = "cnf"
PARTITION: Final = "partition"
EQUIVALENT: Final[dict[str, Callable[[Term, Callable[[str], str]], Term]]] = {
    "nnf": negation_normal,
    "aig": and_inverter,
    "prenex": prenex,
}
MOST_CASES: Final = 16
ATTEMPTS: Final = 4
"""So often another normal form is tried where a constraint is in one already."""
MOST_NODES: Final = 20_000
"""Larger constraints are left alone: pysmt takes its time, and equivalences double their size."""


class NormalFormChoice(ClauseChoice, frozen=True):
    """A conjunct, or all of them, and the normal form."""

    conjunct: int
    way: str


class Reformulate(Preserving[NormalFormChoice]):
    """Puts a constraint into negation, conjunctive, and-inverter or prenex form, or splits its clause by disjuncts.

    All but the conjunctive form are equivalent formulas. That one has new variables, for which exactly one choice
    of values makes it true where the constraint is, and none elsewhere. The clauses for the disjuncts together say
    what the clause says. A refutation takes the values of new variables from their definitions, and the case that
    holds.
    """

    name = "reformulate"
    choice = NormalFormChoice

    def sites(self, parents: Parents) -> list[Site]:
        clauses = parents[0].instance.clauses
        return [(number,) for number, clause in enumerate(clauses) if any(part.args for part in clause.constraint)]

    def draw(self, parents: Parents, site: Site, rng: Random) -> NormalFormChoice | None:
        clause = item(parents[0].instance.clauses, site[0])
        ways = [*EQUIVALENT, CNF, PARTITION] if _quantified(clause) else ["nnf", "aig", CNF, PARTITION]
        conjuncts = [*range(len(clause.constraint)), ALL]
        for _ in range(ATTEMPTS):
            choice = NormalFormChoice(site[0], rng.choice(conjuncts), rng.choice(ways))
            if self.confirmed(parents, choice) is not None:
                return choice
        return None

    def apply(self, parents: Parents, choice: NormalFormChoice) -> Instance:
        instance = parents[0].instance
        return splice(instance, choice.clause, _Reformulated(instance, choice).clauses)

    def carry_refutation(self, parent: Known, choice: NormalFormChoice, child: Instance) -> Refutation | None:
        reformulated = _Reformulated(parent.instance, choice)
        more = len(reformulated.clauses) - 1

        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            values = values_of(parent.instance.clauses[step.clause], step)
            if step.clause != choice.clause:
                return made.add(step.clause + more * (step.clause > choice.clause), values, premises, step.fact)
            for number in range(choice.clause, choice.clause + more + 1):
                complete = completed(child.clauses[number], values, child, reformulated.definitions)
                if complete is not None:
                    return made.add(number, complete, premises, step.fact)
            return None

        return rewrite_steps(parent.refutation, child, expand)


def _quantified(clause: Clause) -> bool:
    return any(node.kind is Kind.QUANTIFIER for node in subterms(clause.constraint))


class _Reformulated:
    """What becomes of a clause: others, and definitions of variables that they have beside those of the clause."""

    def __init__(self, instance: Instance, choice: NormalFormChoice) -> None:
        clause = item(instance.clauses, choice.clause)
        if sum(1 for _ in subterms(clause.constraint)) > MOST_NODES:
            raise Inapplicable("the constraint is too large for pysmt")
        taken = declared_names(instance) | names_in_clause(clause)
        alternatives, self.definitions = _normal_form(clause, choice, lambda wish: new_name(wish, taken))
        self.clauses = [make_clause(parts, clause.body, clause.head, clause.variables) for parts in alternatives]


def _normal_form(
    clause: Clause, choice: NormalFormChoice, name: Callable[[str], str]
) -> tuple[list[list[Term]], dict[Term, Term]]:
    """The constraints of the new clauses, and definitions of the variables that are new in them."""
    parts = list(clause.constraint)
    at, end = (0, len(parts)) if choice.conjunct == ALL else (choice.conjunct, choice.conjunct + 1)
    if choice.conjunct != ALL:
        item(parts, choice.conjunct)
    chosen = conjunction(parts[at:end])
    definitions: dict[Term, Term] = {}
    if choice.way == CNF:
        conjuncts, definitions = conjunctive_normal(chosen, name)
        alternatives = [conjunction(conjuncts)]
    elif choice.way == PARTITION:
        alternatives = partition(chosen, name)
    elif choice.way in EQUIVALENT:
        alternatives = [EQUIVALENT[choice.way](chosen, name)]
    else:
        raise Inapplicable(f"`{choice.way}` is no normal form")
    if len(alternatives) > MOST_CASES:
        raise Inapplicable(f"{len(alternatives)} cases are more than {MOST_CASES}")
    return [[*parts[:at], alternative, *parts[end:]] for alternative in alternatives], definitions
