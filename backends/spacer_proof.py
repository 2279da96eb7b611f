"""Spacer's hyper-resolution certificates: a graph of ground facts, read as a derivation of false.

    proof ::= (mp step (asserted (=> QUERY false)) false)
    step  ::= ((_ hyper-res …) (asserted CLAUSE) step… FACT)

Everything may be shared by `let`. The clauses are those of z3 after its preprocessing and are not looked at: which
clause of the instance a step applies is found out afterwards (see `backends.recovery`). Facts of z3's own goal
predicates `query!0`, `query!1`, … stand for false.
"""

from __future__ import annotations

import re
from typing import Final

from backends.ground_text import beginning, text_of_fact
from backends.unreadable import Malformed, Unreadable, check_length
from chc.instance import Atom, Instance
from chc.lexer import ReadError
from chc.refutation import Derivation, DerivedFact
from chc.sexpr import Expression, Node, plain_symbol, read_expressions
from chc.vocabulary import read_atom, symbols_of

_GOAL: Final = re.compile(r"query!\d+")


def is_goal_name(name: str) -> bool:
    """Whether z3 could take a predicate of this name for its own goal; such predicates are renamed beforehand."""
    return _GOAL.fullmatch(name) is not None


def read_derivation(text: str, instance: Instance) -> Derivation:
    """The derivation in the text. Raises `Malformed` or `Unreadable`, which say why there is none."""
    check_length(text)
    try:
        expressions = read_expressions(text)
    except ReadError as problem:
        raise Malformed(f"the refutation is broken: {problem}") from problem
    if not expressions:
        raise Malformed("there is no refutation")
    return _ProofReader(instance).read(expressions[-1])


class _ProofReader:
    def __init__(self, instance: Instance) -> None:
        self._symbols = symbols_of(instance)
        self._facts: list[DerivedFact] = []
        self._number: dict[Node, int] = {}
        """Of the fact that a step derives, in the list of facts."""

    def read(self, proof: Expression) -> Derivation:
        if not isinstance(proof, Node) or proof.head != "mp" or proof.items[-1] != "false":
            raise Unreadable("the certificate is no derivation of false")
        root = _step(proof.items[1])
        stack = [root]
        while stack:
            step = stack[-1]
            missing = [part for part in _premises(step) if part not in self._number]
            if step in self._number or not missing:
                stack.pop()
                self._number.setdefault(step, self._add(step))
            elif len(stack) > 1_000_000:
                raise Unreadable("the certificate rests on itself")
            else:
                stack.extend(missing)
        return Derivation(tuple(self._facts[: self._number[root] + 1]))

    def _add(self, step: Node) -> int:
        """The number of the step's fact, which is put at the end of the list if it is a new one."""
        if step in self._number:
            return self._number[step]
        premises = tuple(self._number[part] for part in _premises(step))
        fact = self._fact(step.items[-1])
        if fact is None:
            for premise in premises:
                if self._facts[premise].fact is None:
                    return premise  # one goal of z3's leads to the next
        self._facts.append(DerivedFact(fact, premises))
        return len(self._facts) - 1

    def _fact(self, expression: Expression) -> Atom | None:
        head = expression.head if isinstance(expression, Node) else expression
        if isinstance(head, str) and is_goal_name(plain_symbol(head)):
            return None
        text = text_of_fact(expression, self._symbols)
        try:
            return read_atom(text, self._symbols)
        except ReadError as problem:
            raise Unreadable(f"the fact `{text[:200]}` cannot be read: {problem}") from problem


def _step(expression: Expression) -> Node:
    """A hyper-resolution step: its rule in front, a clause behind it, a fact at its end."""
    if isinstance(expression, Node) and len(expression.items) >= 3:
        rule, clause = expression.items[0], expression.items[1]
        if isinstance(rule, Node) and rule.items[:2] == ["_", "hyper-res"]:
            if isinstance(clause, Node) and clause.head == "asserted":
                return expression
    raise Unreadable(f"`{beginning(expression)}` is no step of hyper-resolution")


def _premises(step: Node) -> list[Node]:
    return [_step(part) for part in step.items[2:-1]]
