"""Comparisons: a weaker one beside them, or both of their sides changed alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Final

from chc.build import apply, conjunction, negation
from chc.instance import Clause, Instance
from chc.sorts import BOOL, INT, NUMERIC, Sort, is_bitvec
from chc.terms import Term, bits, integer, real
from transformations.known import Inapplicable
from transformations.preserving_base import (
    ClauseChoice,
    InPlace,
    body_nodes,
    body_terms,
    is_operation,
    node_of_clause,
    replace_nodes,
    with_body_terms,
)
from transformations.transformation import Parents, Site
from transformations.written import item

ORDER: Final = ("<", "<=", ">", ">=")
UNSIGNED: Final = ("bvult", "bvule", "bvugt", "bvuge")
SIGNED: Final = ("bvslt", "bvsle", "bvsgt", "bvsge")
EQUALITY: Final = ("=", "distinct")
COMPARISONS: Final = (*ORDER, *UNSIGNED, *SIGNED, *EQUALITY)


def is_comparison(term: Term) -> bool:
    """Whether the term compares numbers or bit-vectors."""
    return is_operation(term, *COMPARISONS) and (term.args[0].sort in NUMERIC or is_bitvec(term.args[0].sort))


def _places(clause: Clause) -> list[int]:
    return [number for number, node in enumerate(body_nodes(clause)) if is_comparison(node)]


def _replaced(clause: Clause, node: Term, new: Term) -> Clause:
    return with_body_terms(clause, replace_nodes(body_terms(clause), {node: new}))


# Weaker comparisons ----------------------------------------------------------------------------------------


class WeakerChoice(ClauseChoice, frozen=True):
    """A comparison, which of the weaker ones is added, and by how much it is weaker where that can be said."""

    node: int
    way: int
    amount: int


class AddInequality(InPlace[WeakerChoice]):
    """Conjoins, to a comparison anywhere in a body, one that follows from it: x < c becomes x < c ∧ x < c + 1.

    A formula is equivalent to its conjunction with a consequence, so this may be done at any depth.
    """

    name = "add-inequality"
    choice = WeakerChoice

    def offers(self, clause: Clause) -> bool:
        return bool(_places(clause))

    def draw(self, parents: Parents, site: Site, rng: Random) -> WeakerChoice | None:
        clause = item(parents[0].instance.clauses, site[0])
        place = rng.choice(_places(clause))
        amount = rng.choice((0, 1, 1, 1, 2, 10, rng.randrange(1, 1 << 16)))
        way = rng.randrange(len(weaker(body_nodes(clause)[place], amount)))
        return self.confirmed(parents, WeakerChoice(site[0], place, way, amount))

    def rewrite(self, instance: Instance, clause: Clause, choice: WeakerChoice) -> Clause:
        node = node_of_clause(clause, choice.node, is_comparison)
        if choice.amount < 0:
            raise Inapplicable("a negative amount would make the comparison stronger")
        return _replaced(clause, node, conjunction([node, item(weaker(node, choice.amount), choice.way)]))


def weaker(node: Term, amount: int) -> list[Term]:
    """Comparisons that follow from this one; between numbers, with so much more room."""
    name, sort = node.name, node.args[0].sort
    if name == "distinct":
        left, right = node.args[:2]
        less, more = ("bvult", "bvugt") if is_bitvec(sort) else ("<", ">")
        return [
            apply("or", (apply(less, (left, right)), apply(more, (left, right)))),
            negation(apply("=", (left, right))),
        ]
    pairs = list(pairwise(node.args))
    return [found for left, right in pairs for found in _weaker_pair(name, left, right, amount)]


def _weaker_pair(name: str, left: Term, right: Term, amount: int) -> Iterator[Term]:
    if name == "=":
        names = (*UNSIGNED[1::2], *SIGNED[1::2]) if is_bitvec(left.sort) else ORDER[1::2]
        for bound in names:
            yield from _weaker_pair(bound, left, right, amount)
    elif name in ORDER:
        room = _number(Fraction(amount if name in ORDER[:2] else -amount), left.sort)
        yield apply(name, (left, apply("+", (right, room))))
        yield apply(f"{name[0]}=", (left, apply("+", (right, room))))
    else:
        relaxed = f"{name[:3]}{name[3]}e"
        shift = "bvlshr" if name in UNSIGNED else "bvashr"
        by = bits(1, left.sort.width)
        yield apply(relaxed, (left, right))
        yield apply(relaxed, (apply(shift, (left, by)), apply(shift, (right, by))))


def _number(value: Fraction, sort: Sort) -> Term:
    if sort is not INT:
        return real(value)
    if value.denominator != 1:
        raise Inapplicable("an integer is compared with a fraction")
    return integer(int(value))


# Equivalent comparisons ------------------------------------------------------------------------------------


class BothSidesChoice(ClauseChoice, frozen=True):
    """A comparison, what is done to all of its sides, and with which number (a fraction as `1/2`)."""

    node: int
    way: str
    amount: str


Change = Callable[[Term, Fraction], Term]


def _with_number(operation: str) -> Change:
    return lambda side, amount: apply(operation, (side, _number(amount, side.sort)))


def _with_bits(operation: str) -> Change:
    return lambda side, amount: apply(operation, (side, bits(int(amount), side.sort.width)))


def _extended(operation: str) -> Change:
    return lambda side, amount: apply(operation, (side,), (int(amount),))


NUMBER_WAYS: Final[dict[str, Change]] = {"add": _with_number("+"), "subtract": _with_number("-")}
SCALE: Final[dict[str, Change]] = {
    "multiply": lambda side, amount: apply("*", (_number(amount, side.sort), side)),
}
BIT_WAYS: Final[dict[str, Change]] = {
    "bvadd": _with_bits("bvadd"),
    "bvsub": _with_bits("bvsub"),
    "bvxor": _with_bits("bvxor"),
    "bvmul": lambda side, amount: apply("bvmul", (side, bits(2 * int(amount) + 1, side.sort.width))),
    "bvnot": lambda side, amount: apply("bvnot", (side,)),
    "bvneg": lambda side, amount: apply("bvneg", (side,)),
}
WIDER: Final[dict[str, Change]] = {"zero_extend": _extended("zero_extend"), "sign_extend": _extended("sign_extend")}


class EquivalentComparison(InPlace[BothSidesChoice]):
    """Does the same to all sides of a comparison anywhere in a body, something that keeps what it says.

    Numbers: adding and subtracting anything, multiplying by a positive number, or by any but zero for equality.
    Bit-vectors: bijections (addition, exclusive or, odd factors, complement) for equality; extensions, which keep
    the order that their kind is of, for the rest.
    """

    name = "equivalent-comparison"
    choice = BothSidesChoice

    def offers(self, clause: Clause) -> bool:
        return bool(_places(clause))

    def draw(self, parents: Parents, site: Site, rng: Random) -> BothSidesChoice | None:
        clause = item(parents[0].instance.clauses, site[0])
        place = rng.choice(_places(clause))
        node = body_nodes(clause)[place]
        way = rng.choice(sorted(both_sides(node)))
        amount = Fraction(rng.choice((1, 2, 3, 7, 100, rng.randrange(1, 1 << 16))))
        if way in ("zero_extend", "sign_extend"):
            amount = Fraction(rng.randint(1, 8))
        elif node.name in EQUALITY and rng.random() < 0.4:
            amount = -amount
        if node.args[0].sort not in (INT, BOOL) and not is_bitvec(node.args[0].sort) and rng.random() < 0.5:
            amount /= rng.choice((2, 3, 10))
        return self.confirmed(parents, BothSidesChoice(site[0], place, way, str(amount)))

    def rewrite(self, instance: Instance, clause: Clause, choice: BothSidesChoice) -> Clause:
        node = node_of_clause(clause, choice.node, is_comparison)
        change, amount = both_sides(node).get(choice.way), Fraction(choice.amount)
        if change is None or (choice.way in SCALE and (amount == 0 or (amount < 0 and node.name in ORDER))):
            raise Inapplicable("that does not keep the comparison")
        if choice.way in WIDER and amount <= 0:
            raise Inapplicable("a bit-vector is not extended by nothing")
        return _replaced(clause, node, apply(node.name, tuple(change(side, amount) for side in node.args)))


def both_sides(node: Term) -> dict[str, Change]:
    """What may be done to both sides of this comparison."""
    if not is_bitvec(node.args[0].sort):
        return {**NUMBER_WAYS, **SCALE}
    if node.name in EQUALITY:
        return {**BIT_WAYS, **WIDER}
    way = "zero_extend" if node.name in UNSIGNED else "sign_extend"
    return {way: WIDER[way]}
