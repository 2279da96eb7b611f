"""From instances back to text: CHC-COMP format, same bytes for the same instance, sharing kept by `let`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from chc.build import conjunction
from chc.instance import Atom, Clause, Instance, Predicate
from chc.shadowing import without_shadowing
from chc.sorts import BOOL, INT, REAL, Constructor, Datatype, DatatypeGroup, quote_symbol, show_sort
from chc.terms import (
    FALSE,
    FreeVariables,
    Kind,
    Term,
    bound_variables,
    builtin,
    literal_value,
    predicate_term,
    subterms,
)

WORTH_NAMING: Final = 40
"""A shared subterm gets a name when repeating it would cost this many nodes."""


_OLDER_NAMES: Final = {"ubv_to_int": "bv2nat", "int_to_bv": "int2bv"}
"""The older names of these operations, which many more releases of solvers know than the newer ones."""


def show_literal(term: Term) -> str:
    """A literal of any sort; negative numbers and fractions as SMT-LIB wants them."""
    value = literal_value(term)
    if term.sort is BOOL:
        return "true" if value else "false"
    if term.sort is INT:
        return str(value) if value >= 0 else f"(- {-value})"
    if term.sort is REAL:
        return _show_real(Fraction(value))
    width = term.sort.width
    return f"#x{value:0{width // 4}x}" if width % 4 == 0 else f"#b{value:0{width}b}"


def _show_real(value: Fraction) -> str:
    top, bottom = abs(value.numerator), value.denominator
    shown = f"{top}.0" if bottom == 1 else f"(/ {top}.0 {bottom}.0)"
    return f"(- {shown})" if value < 0 else shown


def _opening(term: Term) -> str:
    """What stands behind the opening parenthesis of a term with arguments, up to its first argument."""
    if term.kind is Kind.TESTER:
        return f"(_ is {quote_symbol(term.name)})"
    if term.kind is Kind.QUANTIFIER:
        return f"{term.name} {_show_variables(bound_variables(term))}"
    if term.kind is Kind.CONSTRUCTOR and term.sort.args:
        return f"(as {quote_symbol(term.name)} {show_sort(term.sort)})"
    if term.kind is not Kind.BUILTIN:
        return quote_symbol(term.name)
    if term.name == "const":
        return f"(as const {show_sort(term.sort)})"
    name = _OLDER_NAMES.get(term.name, term.name)
    if term.params:
        return f"(_ {name} {' '.join(str(param) for param in term.params)})"
    return name


def _show_leaf(term: Term) -> str:
    if term.kind is Kind.LITERAL:
        return show_literal(term)
    name = quote_symbol(term.name)
    return f"(as {name} {show_sort(term.sort)})" if term.kind is Kind.CONSTRUCTOR and term.sort.args else name


def _show_variables(variables: Iterable[Term]) -> str:
    return "(" + " ".join(f"({quote_symbol(var.name)} {show_sort(var.sort)})" for var in variables) + ")"


def show_term(term: Term, limit: int = 0) -> str:
    """The term in SMT-LIB syntax, shared subterms under `let`; cut off after `limit` characters if asked."""
    (plain,) = without_shadowing([term])
    text = _Sharing(plain).show(plain)
    return text if not limit or len(text) <= limit else f"{text[:limit]}…"


class _Sharing:
    """Prints one formula; what occurs often and is large is named once, by `let`, where its variables are in scope.

    No quantifier of the formula may hide a variable, so a name may be used wherever its definition reaches.
    """

    def __init__(self, root: Term) -> None:
        self._free = FreeVariables()
        self._names: dict[Term, str] = {}
        self._count = 0
        self._size: dict[Term, int] = {}
        nodes = list(subterms([root]))
        for node in nodes:
            self._size[node] = min(1 + sum(self._size[arg] for arg in node.args), WORTH_NAMING)
        quantifiers = [node for node in nodes if node.kind is Kind.QUANTIFIER]
        bound = {var for node in quantifiers for var in bound_variables(node)}
        self._used = {node.name for node in nodes} | {var.name for var in bound}
        self._outside, too_deep = self._often_printed(nodes, bound)
        self._leads_deep = set(too_deep)
        for node in nodes if too_deep else ():
            if not self._leads_deep.isdisjoint(node.args):
                self._leads_deep.add(node)

    def _often_printed(self, nodes: list[Term], hidden: set[Term]) -> tuple[list[Term], list[Term]]:
        """The nodes that are worth a name, arguments first: those over other variables than hidden ones, the rest.

        The last of the nodes is what is to be printed; a node that has no name is printed wherever its parents are.
        """
        times: Counter[Term] = Counter(nodes[-1:])
        named: list[Term] = []
        unnamed: list[Term] = []
        for node in reversed(nodes):
            printed = min(times[node], WORTH_NAMING + 1)
            if node.args and (printed - 1) * self._size[node] >= WORTH_NAMING:
                if not hidden or self._free(node).isdisjoint(hidden):
                    named.append(node)
                    printed = 1
                else:
                    unnamed.append(node)
            for arg in node.args:
                times[arg] += printed
        named.reverse()
        return named, unnamed

    def show(self, root: Term, bound: tuple[Term, ...] | None = None) -> str:
        """The root, wrapped in one `let` for each name, the inner ones using the outer ones.

        `bound` are the variables of the quantifier whose body the root is.
        """
        opening = []
        shared = self._outside if bound is None else self._shared_below(root, bound)
        for node in shared:
            name = self._fresh()
            opening.append(f"(let (({name} {self._plain(node)})) ")
            self._names[node] = name
        text = f"{''.join(opening)}{self._plain(root)}{')' * len(opening)}"
        for node in shared:
            del self._names[node]
        return text

    def _shared_below(self, root: Term, bound: tuple[Term, ...]) -> list[Term]:
        """What is worth a name below a quantifier, because of its variables, and not only further down."""
        leads = self._leads_deep
        nodes = list(subterms([root], lambda term: term in leads and not self._free(term).isdisjoint(bound)))
        deeper = {var for node in nodes if node.kind is Kind.QUANTIFIER for var in bound_variables(node)}
        return self._often_printed(nodes, deeper)[0]

    def _fresh(self) -> str:
        self._count += 1
        while f"a!{self._count}" in self._used:
            self._count += 1
        return f"a!{self._count}"

    def _plain(self, root: Term) -> str:
        names = self._names
        pieces: list[str] = []
        stack: list[Term | str] = [root]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                pieces.append(item)
            elif item in names:
                pieces.append(names[item])
            elif not item.args:
                pieces.append(_show_leaf(item))
            elif item.kind is Kind.QUANTIFIER:
                pieces.append(f"({_opening(item)} {self.show(item.args[0], bound_variables(item))})")
            else:
                pieces.append(f"({_opening(item)}")
                stack.append(")")
                for arg in reversed(item.args):
                    stack.append(arg)
                    stack.append(" ")
        return "".join(pieces)


def atom_term(atom: Atom) -> Term:
    """The atom as a term."""
    return predicate_term(atom.predicate, atom.args)


def show_atom(atom: Atom | None) -> str:
    """The atom in SMT-LIB syntax; `false` for the head of a query."""
    return "false" if atom is None else show_term(atom_term(atom))


def clause_formula(clause: Clause) -> tuple[list[Term], Term | None]:
    """The parts left of the implication, atoms first, and the head."""
    left = [*(atom_term(atom) for atom in clause.body), *clause.constraint]
    return left, None if clause.head is None else atom_term(clause.head)


def show_clause(clause: Clause) -> str:
    """The clause as a formula on one line."""
    left, head = clause_formula(clause)
    right = FALSE if head is None else head
    if left or head is None:
        formula = builtin("=>", (conjunction(left), right), BOOL)
    else:
        formula = right
    shown = show_term(formula)
    return f"(forall {_show_variables(clause.variables)} {shown})" if clause.variables else shown


def show_sorts_and_datatypes(instance: Instance) -> list[str]:
    """The lines that declare sorts and datatypes."""
    lines = [f"(declare-sort {quote_symbol(name)} {arity})" for name, arity in instance.sorts]
    lines.extend(_show_group(group) for group in instance.datatypes)
    return lines


def show_declarations(instance: Instance) -> list[str]:
    """The lines that declare sorts, datatypes and predicates."""
    lines = show_sorts_and_datatypes(instance)
    lines.extend(_show_predicate(predicate) for predicate in instance.predicates)
    return lines


def show_instance(instance: Instance) -> str:
    """The whole script, ready for a solver."""
    lines = ["(set-logic HORN)", *show_declarations(instance)]
    lines.extend(f"(assert {show_clause(clause)})" for clause in instance.clauses)
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def _show_predicate(predicate: Predicate) -> str:
    sorts = " ".join(show_sort(sort) for sort in predicate.sorts)
    return f"(declare-fun {quote_symbol(predicate.name)} ({sorts}) Bool)"


def _show_group(group: DatatypeGroup) -> str:
    headers = " ".join(f"({quote_symbol(d.name)} {len(d.parameters)})" for d in group.datatypes)
    bodies = " ".join(_show_datatype(d) for d in group.datatypes)
    return f"(declare-datatypes ({headers}) ({bodies}))"


def _show_datatype(datatype: Datatype) -> str:
    constructors = "(" + " ".join(_show_constructor(c) for c in datatype.constructors) + ")"
    if not datatype.parameters:
        return constructors
    return f"(par ({' '.join(show_sort(p) for p in datatype.parameters)}) {constructors})"


def _show_constructor(constructor: Constructor) -> str:
    fields = "".join(f" ({quote_symbol(s.name)} {show_sort(s.sort)})" for s in constructor.selectors)
    return f"({quote_symbol(constructor.name)}{fields})"
