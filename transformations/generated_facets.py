"""Facets: simple statements that are true of given values, from which models, guards and questions are made.

They keep to a few forms, which `transformations.generated_obvious` knows how to follow through a step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from chc.build import apply, conjunction, equation, negation
from chc.evaluate import evaluate
from chc.evaluate_bits import signed
from chc.sorts import BOOL, INT, REAL, is_bitvec
from chc.terms import Term, bits, integer, literal, selector_term, tester_term
from chc.value_terms import term_of_value
from chc.values import ArrayValue, DataValue, Value
from transformations.generated_settings import Setting, ground_term

Scope = Mapping[Term, Value]
"""The variables that may be spoken of, with their values."""


class Facets:
    """The dice that say something true about values."""

    def __init__(self, setting: Setting, rng: Random) -> None:
        self._setting = setting
        self._rng = rng

    def draw(self, subjects: Sequence[Term], scope: Scope) -> Term:
        """A true statement about one of the subjects."""
        return self._about(self._rng.choice(subjects), scope, depth=2)

    def _about(self, subject: Term, scope: Scope, depth: int) -> Term:
        value = evaluate(subject, scope)
        if subject.sort is BOOL:
            return self._truth(subject, value is True, scope, depth)
        if isinstance(value, ArrayValue):
            return self._cell(subject, value, scope, depth)
        if isinstance(value, DataValue):
            return self._data(subject, value, scope, depth)
        if is_bitvec(subject.sort):
            assert isinstance(value, int)
            return self._bits(subject, value)
        assert isinstance(value, int | Fraction)
        return self._number(subject, value, scope)

    # Numbers ---------------------------------------------------------------------------------------------

    def _number(self, subject: Term, value: int | Fraction, scope: Scope) -> Term:
        others = [var for var in scope if var.sort is subject.sort and var is not subject]
        match self._rng.randrange(6):
            case 0 | 1:
                return self._bound(subject, value, ">=")
            case 2 | 3:
                return self._bound(subject, value, "<=")
            case 4 if subject.sort is INT:
                assert isinstance(value, int)
                modulus = self._rng.choice((2, 2, 3, 4, 5))
                return equation(apply("mod", (subject, integer(modulus))), integer(value % modulus))
            case 5 if others:
                return self._difference(subject, value, self._rng.choice(others), scope)
        return self._bound(subject, value, self._rng.choice((">=", "<=")))

    def _bound(self, subject: Term, value: int | Fraction, operator: str) -> Term:
        slack = self._rng.choice((0, 0, 1, 3, 7))
        return apply(operator, (subject, literal(value - slack if operator == ">=" else value + slack, subject.sort)))

    def _difference(self, subject: Term, value: int | Fraction, other: Term, scope: Scope) -> Term:
        taken = evaluate(other, scope)
        assert isinstance(taken, int | Fraction)
        difference = apply("-", (subject, other))
        if self._rng.random() < 0.4:
            return equation(difference, literal(value - taken, subject.sort))
        return self._bound(difference, value - taken, self._rng.choice((">=", "<=")))

    # Booleans and bit-vectors ----------------------------------------------------------------------------

    def _truth(self, subject: Term, value: bool, scope: Scope, depth: int) -> Term:
        """Itself, or how it goes together with something else."""
        plain = subject if value else negation(subject)
        others = [var for var in scope if var is not subject]
        if not others or depth <= 0 or self._rng.random() < 0.4:
            return plain
        other = self._rng.choice(others)
        statement = other if other.sort is BOOL else self._about(other, scope, depth=0)
        if self._rng.random() < 0.5:
            agrees = value == evaluate(statement, scope)
            return equation(subject, statement if agrees else negation(statement))
        return apply("or", (plain, statement if self._rng.random() < 0.5 else negation(statement)))

    def _bits(self, subject: Term, value: int) -> Term:
        width = subject.sort.width
        match self._rng.randrange(4):
            case 0:
                mask = self._rng.getrandbits(width) | 1 << self._rng.randrange(width)
                return equation(apply("bvand", (subject, bits(mask, width))), bits(value & mask, width))
            case 1:
                low = self._rng.randrange(width)
                high = self._rng.randrange(low, min(width, low + 3))
                part = value >> low & ((1 << high - low + 1) - 1)
                return equation(apply("extract", (subject,), (high, low)), bits(part, high - low + 1))
            case 2:
                bound = min((1 << width) - 1, value + self._rng.choice((0, 1, 4)))
                return apply("bvule", (subject, bits(bound, width)))
            case _:
                bound = max(-(1 << width - 1), signed(width, value) - self._rng.choice((0, 1, 4)))
                return apply("bvsge", (subject, bits(bound, width)))

    # Arrays and datatypes --------------------------------------------------------------------------------

    def _cell(self, subject: Term, value: ArrayValue, scope: Scope, depth: int) -> Term:
        """Something about one element: at a variable, where something was stored, or anywhere."""
        index_sort = subject.sort.args[0]
        indices = [var for var in scope if var.sort is index_sort]
        indices += [term_of_value(index, index_sort, self._setting.datatypes) for index in value.exceptions]
        if not indices or self._rng.random() < 0.3:
            indices = [ground_term(index_sort, self._setting, self._rng)]
        return self._about(apply("select", (subject, self._rng.choice(indices))), scope, depth)

    def _data(self, subject: Term, value: DataValue, scope: Scope, depth: int) -> Term:
        test = tester_term(value.constructor, subject)
        constructor = next(c for c in self._setting.constructors(subject.sort) if c.name == value.constructor)
        if not constructor.selectors or depth <= 0 or self._rng.random() < 0.2:
            return self._which(subject, test)
        position = self._rng.randrange(len(constructor.selectors))
        field = selector_term(constructor.selectors[position], constructor.name, position, subject)
        return conjunction([test, self._about(field, scope, depth - 1)])

    def _which(self, subject: Term, test: Term) -> Term:
        """Which constructor it is, or which one it is not; a lone constructor tests nothing."""
        others = [c.name for c in self._setting.constructors(subject.sort) if c.name != test.name]
        if not others or self._rng.random() < 0.6:
            return test
        return negation(tester_term(self._rng.choice(others), subject))


def is_numeric(term: Term) -> bool:
    return term.sort is INT or term.sort is REAL
