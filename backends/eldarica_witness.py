"""Eldarica's models and refutations, which are almost SMT-LIB.

Models: `-ssol` prints definitions without `let`. Where the theory solver below thinks of bit-vectors as integers, so
does the model: `(<= A 17)` may stand there with a bit-vector `A`. `_size` is the number of constructors in a value of
a datatype; what is compared with a small number can be said without it, and another model that has it is not decided.

Refutations: `-scex` prints a graph from the root on, whose facts follow from facts with larger numbers:

    0: false -> 1
    1: (Fib 3 2) -> 2, 4
"""

from __future__ import annotations

import re
from typing import Final

from backends.eldarica_sizes import Sizes
from backends.model_reader import read_model
from backends.numbered import numbered_lines, read_fact
from backends.unreadable import Malformed, Unreadable, check_length
from chc.build import apply as apply_builtin
from chc.evaluate import value_of_ground
from chc.instance import Instance
from chc.model import Model
from chc.refutation import Derivation, DerivedFact
from chc.sexpr import Expression
from chc.sorts import INT, is_bitvec
from chc.symbols import Symbols
from chc.terms import Term, free_variables, variable
from chc.vocabulary import symbols_of

_NUMBER: Final = re.compile(r"(\d+): ")
_PREMISE: Final = re.compile(r"(\d+),?")
_ARROW: Final = "->"
_SIZE: Final = "_size"
_MIRRORED: Final = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "="}
_OF_INTEGERS: Final = frozenset(("<=", "<", ">=", ">", "+", "-", "*", "div", "mod", "abs"))
_OF_EITHER: Final = frozenset(("=", "distinct", "ite"))


def model_in(text: str, asked: Instance) -> Model:
    return read_model(text, asked, may_omit=True, dialect=_Dialect())


def has_own_words(text: str, asked: Instance) -> bool:
    """Whether a model says something whose meaning is guessed, so that a wrong guess may be what makes it wrong."""
    dialect = _Dialect()
    read_model(text, asked, may_omit=True, dialect=dialect)
    return dialect.has_guessed


class _Dialect(Symbols):
    """Bit-vectors count as the integers that they stand for, and sizes are compared with numbers only."""

    def __init__(self) -> None:
        super().__init__()
        self._sized: dict[Term, Term] = {}
        self.has_guessed = False

    def apply(self, name: str, args: tuple[Term, ...], params: tuple[object, ...] = ()) -> Term:
        if name == _SIZE and name not in self.selectors and len(args) == 1:
            size = variable(f"{_SIZE}!{len(self._sized)}", INT)
            self._sized[size] = args[0]
            self.has_guessed = True
            return size
        if not self._sized.keys().isdisjoint(args):
            return self._compared(name, args)
        has_integer = name in _OF_INTEGERS or (name in _OF_EITHER and any(arg.sort is INT for arg in args))
        if has_integer and any(is_bitvec(arg.sort) for arg in args):
            args = tuple(apply_builtin("ubv_to_int", (arg,)) if is_bitvec(arg.sort) else arg for arg in args)
            self.has_guessed = True
        return super().apply(name, args, params)

    def _compared(self, name: str, args: tuple[Term, ...]) -> Term:
        """A size against a number as a formula about constructors."""
        if name in _MIRRORED and len(args) == 2:
            if args[0] not in self._sized:
                name, args = _MIRRORED[name], args[::-1]
            size, bound = args
            number = None if free_variables([bound]) else value_of_ground(bound)
            if size in self._sized and isinstance(number, int):
                return Sizes(self).compare(name, self._sized[size], number)
        raise Unreadable(f"the model computes with `{_SIZE}`, which SMT-LIB does not know")


def derivation_in(text: str, asked: Instance) -> Derivation:
    """The derivation in the text. Raises `Malformed` or `Unreadable`, which say why there is none."""
    check_length(text)
    symbols = symbols_of(asked)
    lines = numbered_lines(text, _NUMBER)
    last = len(lines) - 1
    facts: list[DerivedFact] = []
    for number, (fact, *rest) in reversed([*enumerate(lines)]):
        premises = _premises(number, rest, last)
        facts.append(DerivedFact(read_fact(fact, symbols), tuple(last - premise for premise in premises)))
    if facts[-1].fact is not None:
        raise Malformed("the root of the refutation is not false")
    return Derivation(tuple(facts))


def _premises(number: int, words: list[Expression], last: int) -> list[int]:
    if not words:
        return []
    found = [_PREMISE.fullmatch(word) if isinstance(word, str) else None for word in words[1:]]
    premises = [int(each[1]) for each in found if each is not None]
    if words[0] != _ARROW or len(premises) < len(found) or not all(number < each <= last for each in premises):
        raise Malformed(f"line {number} of the refutation names no lines below it as its premises")
    return premises
