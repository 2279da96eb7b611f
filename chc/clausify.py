"""From a formula to Horn clauses, by moving every part to the side of the implication where it belongs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from chc.build import negation
from chc.instance import Atom, Clause, make_clause
from chc.terms import FALSE, TRUE, Kind, Term, bound_variables, fresh_name, substitute, variable


class NotHorn(Exception):
    """A formula that is no conjunction of Horn clauses."""


MOST_CLAUSES = 4096
"""How many clauses one assertion may split into."""

Test = Callable[[Term], bool]


class _Part(NamedTuple):
    """A formula still to be sorted in: assumed (left of the implication) or concluded (right of it)."""

    formula: Term
    assumed: bool


class _Draft:
    """A clause in the making, with the parts that are not sorted in yet."""

    def __init__(self, parts: list[_Part]) -> None:
        self.parts = parts
        self.constraint: list[Term] = []
        self.body: list[Atom] = []
        self.head: Atom | None = None
        self.variables: dict[str, Term] = {}

    def split(self, choice: list[_Part]) -> _Draft:
        other = _Draft([*self.parts, *reversed(choice)])
        other.constraint, other.body, other.head = list(self.constraint), list(self.body), self.head
        other.variables = dict(self.variables)
        return other

    def introduce(self, quantified: Term) -> Term:
        """The body of a quantifier, its variables made variables of the clause."""
        renaming = {}
        for var in bound_variables(quantified):
            name = fresh_name(var.name, self.variables.__contains__)
            self.variables[name] = variable(name, var.sort)
            if name != var.name:
                renaming[var] = self.variables[name]
        return substitute(quantified.args, renaming)[0]

    def finish(self) -> Clause:
        return make_clause(self.constraint, self.body, self.head, list(self.variables.values()))


def clausify(formula: Term, has_predicate: Test) -> list[Clause]:
    """The Horn clauses whose conjunction is the formula; what concludes `true` is left out.

    A clause with `false` among its premises holds anyway as well, but is kept: it is a question like any other.
    """
    done: list[Clause] = []
    drafts = [_Draft([_Part(formula, assumed=False)])]
    while drafts:
        draft = drafts.pop()
        splits = _sort_in(draft, has_predicate)
        if splits is None:
            continue
        if splits:
            drafts.extend(reversed(splits))
            if len(drafts) + len(done) > MOST_CLAUSES:
                raise NotHorn(f"an assertion that splits into more than {MOST_CLAUSES} clauses")
        else:
            done.append(draft.finish())
    return done


def _sort_in(draft: _Draft, has_predicate: Test) -> list[_Draft] | None:
    """Sorts parts in until none is left, or until the clause has to be split; None if it concludes `true`."""
    while draft.parts:
        formula, assumed = draft.parts.pop()
        if formula is TRUE and not assumed:
            return None
        if formula is (TRUE if assumed else FALSE):
            continue
        shape = formula.name if formula.kind in (Kind.BUILTIN, Kind.QUANTIFIER) else ""
        if formula.kind is Kind.PREDICATE:
            _place_atom(draft, Atom(formula.name, formula.args), assumed, has_predicate)
        elif shape == ("exists" if assumed else "forall"):
            draft.parts.append(_Part(draft.introduce(formula), assumed))
        elif shape == "not" and (has_predicate(formula) or not assumed):
            draft.parts.append(_Part(formula.args[0], not assumed))
        elif assumed and shape == "and":
            draft.parts.extend(_Part(arg, assumed) for arg in reversed(formula.args))
        elif not assumed and shape == "=>":
            draft.parts.append(_Part(formula.args[-1], assumed=False))
            draft.parts.extend(_Part(arg, assumed=True) for arg in reversed(formula.args[:-1]))
        elif not assumed and shape == "or":
            draft.parts.extend(_Part(arg, assumed) for arg in reversed(formula.args))
        elif not has_predicate(formula):
            draft.constraint.append(formula if assumed else negation(formula))
        else:
            return [draft.split(choice) for choice in _choices(formula, shape, assumed)]
    return []


def _place_atom(draft: _Draft, atom: Atom, assumed: bool, has_predicate: Test) -> None:
    if any(has_predicate(arg) for arg in atom.args):
        raise NotHorn(f"a predicate inside an argument of `{atom.predicate}`")
    if assumed:
        draft.body.append(atom)
    elif draft.head is None:
        draft.head = atom
    else:
        raise NotHorn(f"a clause with two heads, `{draft.head.predicate}` and `{atom.predicate}`")


def _choices(formula: Term, shape: str, assumed: bool) -> list[list[_Part]]:
    """A formula with a predicate that has to be split over several clauses: what each of them gets instead.

    To assume that something does not hold is to conclude that it does.
    """
    if shape == ("or" if assumed else "and"):
        return [[_Part(arg, assumed)] for arg in formula.args]
    if assumed and shape == "=>":
        return [*([_Part(arg, assumed=False)] for arg in formula.args[:-1]), [_Part(formula.args[-1], assumed=True)]]
    if shape == "ite":
        condition, then, other = formula.args
        return [
            [_Part(condition, assumed=True), _Part(then, assumed)],
            [_Part(condition, assumed=False), _Part(other, assumed)],
        ]
    if formula.kind is Kind.QUANTIFIER:
        raise NotHorn(f"a predicate below `{formula.name}` on the {'left' if assumed else 'right'} of an implication")
    raise NotHorn(f"a predicate below `{shape or formula.name}`")
