"""What a solver can do, read off from its adapter: it is shown a small instance of each kind, and may refuse."""

from __future__ import annotations

import functools
from typing import Final

import msgspec

from backends.adapter import Adapter
from backends.options import Fairness
from chc.fragment import Theory
from chc.instance import Instance
from chc.script import read_instance

_PROBE: Final = """(set-logic HORN)
{declarations}
(declare-fun P ({sort}) Bool)
(assert (forall ((x {sort}) (y {sort})) (=> {constraint} (P x))))
(assert (forall ((x {sort})) (=> (P x) false)))
(check-sat)
"""
_LIST: Final = "(declare-datatypes ((L 0)) (((nil) (cons (tail L)))))"
_PAIR: Final = "(declare-datatypes ((Pair 1)) ((par (T) ((pair (first T))))))"
_KINDS: Final = {
    Theory.booleans: ("", "Bool", "(or x y)"),
    Theory.integers: ("", "Int", "(< x y)"),
    Theory.reals: ("", "Real", "(< x y)"),
    Theory.mixed: ("", "Int", "(< (to_real x) 0.5)"),
    Theory.nonlinear: ("", "Int", "(= x (* y y))"),
    Theory.bit_vectors: ("", "(_ BitVec 8)", "(bvult x y)"),
    Theory.arrays: ("", "(Array Int Int)", "(= (select x 0) 1)"),
    Theory.nested_arrays: ("", "(Array Int (Array Int Int))", "(= (select (select x 0) 0) 1)"),
    Theory.datatypes: (_LIST, "L", "(= x (cons y))"),
    Theory.parametric: (_PAIR, "(Pair Int)", "(= (first x) 1)"),
    Theory.uninterpreted: ("(declare-sort S 0)", "S", "(= x y)"),
    Theory.quantifiers: ("", "Int", "(forall ((z Int)) (or (< z x) (> z y)))"),
}
_SEVERAL_ATOMS: Final = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))
(assert (forall ((x Int)) (=> (P x) false)))
(check-sat)
"""


class Abilities(msgspec.Struct, frozen=True):
    theories: tuple[Theory, ...]
    """What may occur in an instance."""
    nonlinear_clauses: bool
    """Whether a body may have several atoms."""
    models: bool
    """Whether its models are read, and so its answer `sat` can be certified by itself."""
    refutations: bool
    """The same for `unsat`."""
    warm: bool
    """Whether one process serves many queries."""
    trace: bool
    """Whether it logs what it does."""
    fair_options: int
    """How many of its options are varied in a hunt."""
    never_tried: bool
    """Whether what is known of it comes from its documentation alone."""


def abilities_of(adapter: Adapter, version: str) -> Abilities:
    space = adapter.option_space(version)
    return Abilities(
        theories=tuple(theory for theory, probe in probes().items() if adapter.refusal(probe) is None),
        nonlinear_clauses=adapter.refusal(read_instance(_SEVERAL_ATOMS)) is None,
        models=adapter.reads_models,
        refutations=adapter.reads_refutations,
        warm=_has(adapter, "warm"),
        trace=_has(adapter, "logging"),
        fair_options=len({each.name for each in space if each.fairness is Fairness.fair}),
        never_tried=adapter.never_tried,
    )


@functools.cache
def probes() -> dict[Theory, Instance]:
    """A small instance of each theory."""
    return {
        theory: read_instance(_PROBE.format(declarations=declarations, sort=sort, constraint=constraint), theory)
        for theory, (declarations, sort, constraint) in _KINDS.items()
    }


def _has(adapter: Adapter, method: str) -> bool:
    """Whether it is more than what holds for a solver without peculiarities."""
    return getattr(type(adapter), method) is not getattr(Adapter, method)
