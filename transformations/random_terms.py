"""Random well-sorted terms and constraints over given variables, for whatever sorts these have.

What comes out is built as the reader builds it, so that it is the same after printing and reading. Arithmetic is
linear, and divisors are literals other than zero. Unless `partial` is asked for, every term has a value that
SMT-LIB determines: a selector is applied only beside the test that its constructor is the right one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Final

from chc.build import apply, conjunction, constant_array, disjunction, negation
from chc.default_terms import DefaultTerms
from chc.sorts import BOOL, INT, REAL, Datatype, DatatypeGroup, Sort, is_array, is_bitvec
from chc.terms import FALSE, TRUE, Term, bits, constructor_term, integer, literal, real, selector_term, tester_term

SMALL: Final = (-2, -1, 0, 1, 2, 3, 5, 10)
LARGE: Final = (-1000, 255, 256, 4095, 65536, 2**31 - 1, -(2**31), 2**32, 2**63, 10**20)
COMPARISONS: Final = ("<", "<=", ">", ">=", "=", "distinct")
BIT_COMPARISONS: Final = ("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "=", "distinct")
BIT_OPERATIONS: Final = (
    *("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvudiv", "bvurem", "bvsdiv", "bvsrem"),
    *("bvshl", "bvlshr", "bvashr"),
)


def random_term(
    sort: Sort, variables: Sequence[Term], datatypes: Iterable[DatatypeGroup], rng: Random, depth: int = 2
) -> Term | None:
    """A term of the sort; None where there is none, as for an uninterpreted sort without a variable."""
    return RandomTerms(variables, datatypes, rng).term(sort, depth)


def random_constraint(
    variables: Sequence[Term], datatypes: Iterable[DatatypeGroup], rng: Random, depth: int = 2
) -> Term:
    """A formula over the variables, with operations of the theories of their sorts."""
    return RandomTerms(variables, datatypes, rng).constraint(depth)


class RandomTerms:
    """The dice, with the variables and datatypes that terms may speak of."""

    def __init__(
        self, variables: Sequence[Term], datatypes: Iterable[DatatypeGroup], rng: Random, partial: bool = False
    ) -> None:
        groups = tuple(datatypes)
        self._variables = tuple(variables)
        self._declared = {datatype.name: datatype for group in groups for datatype in group.datatypes}
        self._defaults = DefaultTerms(groups)
        self._rng = rng
        self._partial = partial

    # Formulas --------------------------------------------------------------------------------------------

    def constraint(self, depth: int = 2) -> Term:
        """A comparison or a test; with luck several of them, joined."""
        if depth <= 0 or self._rng.random() < 0.6:
            return self.atomic(depth)
        parts = [self.constraint(depth - 1) for _ in range(2)]
        match self._rng.randrange(5):
            case 0:
                return conjunction(parts)
            case 1:
                return disjunction(parts)
            case 2:
                return negation(parts[0])
            case 3:
                return apply("=>", tuple(parts))
            case _:
                return apply("=", tuple(parts))

    def atomic(self, depth: int = 2) -> Term:
        """A formula about one of the variables, or about literals where there is no variable."""
        if not self._variables:
            return self._compare(INT, self._number(INT), depth)
        subject = self._rng.choice(self._variables)
        return self._about(subject, depth)

    def _about(self, subject: Term, depth: int) -> Term:
        sort = subject.sort
        if sort is BOOL:
            return self._rng.choice((subject, negation(subject), self._compare(BOOL, subject, 0)))
        if sort.name in self._declared and self._rng.random() < 0.6:
            return self._test(subject, self._declared[sort.name], depth)
        if is_array(sort) and self._rng.random() < 0.7:
            element = self._read(subject, depth)
            if element is not None:
                return self._about(element, depth - 1) if depth > 0 else self._compare(element.sort, element, 0)
        return self._compare(sort, subject, depth)

    def _compare(self, sort: Sort, left: Term, depth: int) -> Term:
        right = self.term(sort, depth)
        if right is left:  # the dice may fall so again, but a variable beside itself should be rare
            right = self.term(sort, depth)
        operators: Sequence[str] = ("=", "distinct")
        if sort is INT or sort is REAL:
            operators = COMPARISONS
        elif is_bitvec(sort):
            operators = BIT_COMPARISONS
        if sort is INT and self._rng.random() < 0.2:
            left = apply(self._rng.choice(("mod", "div")), (left, integer(self._rng.choice((2, 3, 4, 7, -2)))))
        return apply(self._rng.choice(operators), (left, left if right is None else right))

    def _test(self, subject: Term, datatype: Datatype, depth: int) -> Term:
        """Which constructor it is, and perhaps something about one of its fields."""
        constructor = self._rng.choice(datatype.instantiate(subject.sort))
        test = tester_term(constructor.name, subject)
        if not constructor.selectors or depth <= 0 or self._rng.random() < 0.4:
            return self._rng.choice((test, negation(test)))
        position = self._rng.randrange(len(constructor.selectors))
        field = selector_term(constructor.selectors[position], constructor.name, position, subject)
        about = self._about(field, depth - 1)
        return about if self._partial and self._rng.random() < 0.3 else conjunction([test, about])

    # Terms -----------------------------------------------------------------------------------------------

    def term(self, sort: Sort, depth: int = 2) -> Term | None:
        """A term of the sort; None where there is none."""
        leaves = [var for var in self._variables if var.sort is sort]
        if leaves and (depth <= 0 or self._rng.random() < 0.4):
            return self._rng.choice(leaves)
        if depth <= 0 or self._rng.random() < 0.3:
            return self._constant(sort) or (self._rng.choice(leaves) if leaves else None)
        makers = [self._composed, self._composed, self._read_somewhere, self._chosen]
        made = self._rng.choice(makers)(sort, depth - 1)
        return made or self._constant(sort) or (self._rng.choice(leaves) if leaves else None)

    def _composed(self, sort: Sort, depth: int) -> Term | None:
        maker: Callable[[Sort, int], Term | None]
        if sort is BOOL:
            return self.constraint(depth)
        if sort is INT or sort is REAL:
            maker = self._sum
        elif is_bitvec(sort):
            maker = self._bits
        elif is_array(sort):
            maker = self._stored
        elif sort.name in self._declared:
            maker = self._constructed
        else:
            return None
        return maker(sort, depth)

    def _sum(self, sort: Sort, depth: int) -> Term | None:
        left, right = self.term(sort, depth), self.term(sort, depth)
        if left is None or right is None:
            return None
        factor = literal(self._rng.choice((2, 3, -1)) if sort is INT else Fraction(self._rng.choice((2, -1))), sort)
        match self._rng.randrange(4 if sort is REAL else 6):
            case 0:
                return apply("+", (left, right))
            case 1:
                return apply("-", (left, right))
            case 2:
                return apply("*", (factor, left))
            case 3:
                return apply("-", (left,))
            case 4:
                return apply("abs", (left,))
            case _:
                return apply(self._rng.choice(("mod", "div")), (left, integer(self._rng.choice((2, 3, 5, -3)))))

    def _bits(self, sort: Sort, depth: int) -> Term | None:
        left, right = self.term(sort, depth), self.term(sort, depth)
        if left is None or right is None:
            return None
        match self._rng.randrange(5):
            case 0:
                return apply(self._rng.choice(("bvnot", "bvneg")), (left,))
            case 1 if sort.width > 1:
                return self._cut(left, right)
            case _:
                return apply(self._rng.choice(BIT_OPERATIONS), (left, right))

    def _cut(self, left: Term, right: Term) -> Term:
        """Some high bits of one beside some low bits of the other, or low bits widened."""
        width = left.sort.width
        low = self._rng.randrange(1, width)
        bottom = apply("extract", (right,), (low - 1, 0))
        if self._rng.random() < 0.5:
            return apply("concat", (apply("extract", (left,), (width - 1, low)), bottom))
        return apply(self._rng.choice(("zero_extend", "sign_extend")), (bottom,), (width - low,))

    def _stored(self, sort: Sort, depth: int) -> Term | None:
        target = self.term(sort, depth)
        index, element = self.term(sort.args[0], depth), self.term(sort.args[1], depth)
        if target is None or index is None or element is None:
            return target
        return apply("store", (target, index, element))

    def _constructed(self, sort: Sort, depth: int) -> Term | None:
        constructor = self._rng.choice(self._declared[sort.name].instantiate(sort))
        fields = [self.term(selector.sort, depth) for selector in constructor.selectors]
        args = tuple(field for field in fields if field is not None)
        return constructor_term(constructor.name, args, sort) if len(args) == len(fields) else None

    def _chosen(self, sort: Sort, depth: int) -> Term | None:
        then, other = self.term(sort, depth), self.term(sort, depth)
        if then is None or other is None:
            return None
        return apply("ite", (self.constraint(depth), then, other))

    def _read_somewhere(self, sort: Sort, depth: int) -> Term | None:
        """An element of an array among the variables; with `partial`, also a field."""
        arrays = [var for var in self._variables if is_array(var.sort) and var.sort.args[1] is sort]
        if arrays:
            return self._read(self._rng.choice(arrays), depth)
        fields = list(self._fields(sort)) if self._partial else []
        return self._rng.choice(fields) if fields else None

    def _fields(self, sort: Sort) -> Iterable[Term]:
        for var in self._variables:
            if var.sort.name in self._declared:
                for constructor in self._declared[var.sort.name].instantiate(var.sort):
                    for position, selector in enumerate(constructor.selectors):
                        if selector.sort is sort:
                            yield selector_term(selector, constructor.name, position, var)

    def _read(self, array: Term, depth: int) -> Term | None:
        index = self.term(array.sort.args[0], depth - 1)
        return None if index is None else apply("select", (array, index))

    def _constant(self, sort: Sort) -> Term | None:
        if sort is BOOL:
            return self._rng.choice((TRUE, FALSE))
        if sort is INT or sort is REAL:
            return self._number(sort)
        if is_bitvec(sort):
            return bits(self._rng.choice((0, 1, -1, self._rng.getrandbits(sort.width))), sort.width)
        if is_array(sort):
            element = self._constant(sort.args[1])
            return None if element is None else constant_array(sort, element)
        return self._defaults.of(sort)

    def _number(self, sort: Sort) -> Term:
        value = self._rng.choice(SMALL if self._rng.random() < 0.8 else LARGE)
        if sort is INT:
            return integer(value)
        return real(Fraction(value, self._rng.choice((1, 1, 2, 3))))
