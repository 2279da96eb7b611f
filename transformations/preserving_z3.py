"""Bodies rewritten by z3's simplifier, with one of its parameters turned on or off."""

from __future__ import annotations

from random import Random
from typing import Final

from chc.build import conjunction
from chc.instance import Clause, Instance
from chc.refutation import Refutation, Step
from chc.terms import Term
from transformations.carry import Values, values_of
from transformations.known import Inapplicable, Known
from transformations.preserving_base import ClauseChoice, InPlace, body_terms, with_body_terms
from transformations.preserving_steps import Derivation, completed, rewrite_steps
from transformations.transformation import Parents, Site
from transformations.via_z3 import NotRewritten, simplify

NONE: Final = "none"
PARAMETERS: Final = (
    NONE,
    "algebraic_number_evaluator",
    "arith_ineq_lhs",
    "arith_lhs",
    "blast_distinct",
    "blast_select_store",
    "elim_and",
    "elim_ite",
    "elim_rem",
    "elim_sign_ext",
    "elim_to_real",
    "eq2ineq",
    "expand_power",
    "expand_select_ite",
    "expand_select_store",
    "expand_store_eq",
    "expand_tan",
    "flat",
    "gcd_rounding",
    "hoist_ite",
    "hoist_mul",
    "ignore_patterns_on_ground_qbody",
    "ite_extra_rules",
    "local_ctx",
    "mul2concat",
    "mul_to_power",
    "pull_cheap_ite",
    "push_ite_arith",
    "push_to_real",
    "rewrite_patterns",
    "som",
    "sort_store",
    "sort_sums",
    "split_concat_eq",
)
ON_BY_DEFAULT: Final = frozenset(
    (
        "algebraic_number_evaluator",
        "elim_ite",
        "elim_sign_ext",
        "flat",
        "ignore_patterns_on_ground_qbody",
        "ite_extra_rules",
        "push_to_real",
    )
)


class SimplifyChoice(ClauseChoice, frozen=True):
    """A parameter of z3's simplifier, or `none`, and its value."""

    parameter: str
    value: bool


class Z3Rewrite(InPlace[SimplifyChoice]):
    """Replaces the constraint of a body, and the arguments of its atoms, by what z3's simplifier makes of them.

    The simplifier gives equivalent terms, so the clause says the same. A refutation needs values where an
    existential has come to the top and become a variable of the clause. Where the result uses something that our
    language does not have, nothing is done.
    """

    name = "z3-rewrite"
    choice = SimplifyChoice

    def offers(self, clause: Clause) -> bool:
        return any(term.args for term in body_terms(clause))

    def draw(self, parents: Parents, site: Site, rng: Random) -> SimplifyChoice | None:
        parameter = rng.choice(PARAMETERS)
        value = rng.random() < 0.9 if parameter not in ON_BY_DEFAULT else rng.random() < 0.1
        return self.confirmed(parents, SimplifyChoice(site[0], parameter, value))

    def rewrite(self, instance: Instance, clause: Clause, choice: SimplifyChoice) -> Clause:
        if choice.parameter not in PARAMETERS:
            raise Inapplicable(f"`{choice.parameter}` is no parameter of the simplifier")
        args = body_terms(clause)[: -len(clause.constraint)] if clause.constraint else body_terms(clause)
        terms = [*args, conjunction(clause.constraint)]
        return with_body_terms(clause, _simplified(terms, instance, choice))

    def carry_refutation(self, parent: Known, choice: SimplifyChoice, child: Instance) -> Refutation | None:
        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            values: Values | None = values_of(parent.instance.clauses[step.clause], step)
            if step.clause == choice.clause and values is not None:
                values = completed(child.clauses[step.clause], values, child)
            return None if values is None else made.add(step.clause, values, premises, step.fact)

        return rewrite_steps(parent.refutation, child, expand)


def _simplified(terms: list[Term], instance: Instance, choice: SimplifyChoice) -> list[Term]:
    try:
        return simplify(terms, instance, None if choice.parameter == NONE else choice.parameter, choice.value)
    except NotRewritten as problem:
        raise Inapplicable(f"z3 does not rewrite the body: {problem}") from None
