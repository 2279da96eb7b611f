"""Golem's two kinds of refutations that can be read: facts alone, and facts with the values of each step.

Legacy, in which facts are numbered upwards, `0:` is always `true`, and the premises come in any order:

    1:      (Fib 1 1) ->  0
    2:      (Fib 2 1) ->  1 3

Intermediate, in which each step takes three or four numbered lines: the clause with the values of its variables, its
instance, the instance without constraints, and the fact with the lines of its premises:

    4        (forall ((x Int)) (=> (P x) (Q x)))  :args (0)
    5        (=> (P 0) (Q 0))
    6        (=> (P 0) (Q 0))
    7        (Q 0)  :premises 3

The clauses are not looked at: Golem writes them in words of its own. A clause of the instance with the same number
of variables is the one meant if these values make its constraint true and its atoms the facts of the step.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from backends.numbered import numbered_lines, read_fact
from backends.unreadable import Malformed, check_length
from chc.build import SortError, coerce
from chc.evaluate import evaluate
from chc.instance import Atom, Clause, Instance
from chc.lexer import ReadError
from chc.refutation import Derivation, DerivedFact, Refutation, Step
from chc.sexpr import Expression, Node, flatten
from chc.symbols import Symbols
from chc.terms import Term, substitute
from chc.undetermined import Undetermined
from chc.values import Value
from chc.vocabulary import read_term, symbols_of, symbols_without_predicates

_LINE: Final = re.compile(r"(\d+)(:?)\t")
_ARROW: Final = "->"
_FRACTION: Final = re.compile(r"(\d+)/(\d+)")
_Ground = tuple[str | Value, ...] | None


class _Line(msgspec.Struct, frozen=True):
    """A numbered line: its fact or formula, the values of its variables if it has any, and its premises."""

    number: int
    formula: Expression
    arguments: tuple[Expression, ...]
    premises: tuple[int, ...]


def read_proof(text: str, instance: Instance) -> Derivation | Refutation | None:
    """The refutation in the text; None where it is of a kind that has no derivation in it, such as Alethe."""
    check_length(text)
    if text.lstrip().startswith("("):
        return None
    lines = [_line(number, items) for number, items in enumerate(numbered_lines(text, _LINE))]
    if _is_legacy(text):
        return _legacy(lines, instance)
    return _intermediate(lines, instance)


def _is_legacy(text: str) -> bool:
    found = _LINE.match(text.lstrip())
    return found is not None and found[2] == ":"


def _line(number: int, items: list[Expression]) -> _Line:
    formula, rest = items[0], items[1:]
    arguments: tuple[Expression, ...] = ()
    if rest[:1] == [":args"] and len(rest) > 1 and isinstance(rest[1], Node):
        arguments, rest = tuple(rest[1].items), rest[2:]
    if rest[:1] in ([_ARROW], [":premises"]):
        rest = rest[1:]
    premises = [int(item) for item in rest if isinstance(item, str) and item.isdigit()]
    if len(premises) < len(rest) or any(premise >= number for premise in premises):
        raise Malformed(f"line {number} of the refutation names no earlier lines as its premises")
    return _Line(number, formula, arguments, tuple(premises))


def _legacy(lines: list[_Line], instance: Instance) -> Derivation:
    symbols = symbols_of(instance)
    place: dict[int, int] = {}
    facts: list[DerivedFact] = []
    for line in lines:
        if line.formula == "true":
            continue
        place[line.number] = len(facts)
        premises = tuple(place[premise] for premise in line.premises if premise in place)
        facts.append(DerivedFact(read_fact(line.formula, symbols), premises))
    _require_false(facts)
    return Derivation(tuple(facts))


def _intermediate(lines: list[_Line], instance: Instance) -> Derivation | Refutation:
    """With the values where all steps have a clause that fits them, else the facts alone."""
    symbols = symbols_of(instance)
    values_of: list[tuple[Expression, ...]] = []
    facts: list[DerivedFact] = []
    place: dict[int, int] = {}
    arguments: tuple[Expression, ...] = ()
    for line, step_ends in zip(lines, _ends(lines), strict=True):
        arguments = line.arguments or arguments
        if step_ends:
            place[line.number] = len(facts)
            if not place.keys() >= set(line.premises):
                raise Malformed(f"line {line.number} of the refutation names premises that are no facts")
            facts.append(DerivedFact(read_fact(line.formula, symbols), tuple(place[each] for each in line.premises)))
            values_of.append(arguments)
            arguments = ()
    _require_false(facts)
    derivation = Derivation(tuple(facts))
    return _with_values(derivation, values_of, instance) or derivation


def _ends(lines: list[_Line]) -> list[bool]:
    """Which lines are facts: before each stand a clause, its instance if that is another, and an implication.

    A clause without variables is its own instance and stands there once, so that the place alone does not tell. But
    a fact is no implication, and only an implication of two parts, its last being the fact, can stand before it.
    """
    return [number > 0 and _concludes(lines[number - 1].formula, line.formula) for number, line in enumerate(lines)]


def _concludes(before: Expression, fact: Expression) -> bool:
    return (
        isinstance(before, Node)
        and before.head == "=>"
        and flatten(before.items[-1]) == flatten(fact)
        and not (isinstance(fact, Node) and fact.head in ("=>", "forall"))
    )


def _require_false(facts: list[DerivedFact]) -> None:
    if not facts or facts[-1].fact is not None:
        raise Malformed("the refutation does not end with false")


def _with_values(
    derivation: Derivation, values_of: list[tuple[Expression, ...]], instance: Instance
) -> Refutation | None:
    """The refutation, if each step has a clause that fits its values."""
    symbols = symbols_without_predicates(instance)
    steps: list[Step] = []
    for derived, given in zip(derivation.facts, values_of, strict=True):
        premises = {_ground(derivation.facts[premise].fact, {}): premise for premise in derived.premises}
        step = _step(derived.fact, premises, given, instance, symbols)
        if step is None:
            return None
        steps.append(step)
    return Refutation(tuple(steps))


def _step(
    fact: Atom | None, premises: dict[_Ground, int], given: tuple[Expression, ...], instance: Instance, symbols: Symbols
) -> Step | None:
    """The first clause that derives the fact with these values from these premises."""
    goal = _ground(fact, {})
    for index, clause in enumerate(instance.clauses):
        if len(clause.variables) == len(given) and (fact and fact.predicate) == (clause.head and clause.head.predicate):
            values = _values(clause, given, symbols)
            atoms = None if values is None else _applied(clause, values, goal)
            if values is not None and atoms is not None and premises.keys() >= set(atoms):
                return Step(fact, index, values, tuple(premises[atom] for atom in atoms))
    return None


def _values(clause: Clause, given: tuple[Expression, ...], symbols: Symbols) -> tuple[Term, ...] | None:
    try:
        return tuple(
            coerce((read_term(_value_text(each), symbols),), (var.sort,))[0]
            for var, each in zip(clause.variables, given, strict=True)
        )
    except (ReadError, SortError):
        return None


def _value_text(expression: Expression) -> str:
    """Fractions are written `1/3`, also within the parentheses of a negative one."""
    return " ".join(_FRACTION.sub(r"(/ \1 \2)", token) for token in flatten(expression))


def _applied(clause: Clause, values: tuple[Term, ...], goal: _Ground) -> list[_Ground] | None:
    """The atoms of the body with these values in them, if the constraint is true then and the head is the goal."""
    binding = dict(zip(clause.variables, values, strict=True))
    try:
        if _ground(clause.head, binding) != goal:
            return None
        if not all(evaluate(part, {}) is True for part in substitute(clause.constraint, binding)):
            return None
        return [_ground(atom, binding) for atom in clause.body]
    except Undetermined:
        return None


def _ground(atom: Atom | None, binding: dict[Term, Term]) -> _Ground:
    """The atom as something to compare: its name with the values of its arguments."""
    return None if atom is None else (atom.predicate, *(evaluate(arg, {}) for arg in substitute(atom.args, binding)))
