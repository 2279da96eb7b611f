"""The Boolean structure of formulas as pysmt sees it, and back.

pysmt's rewritings look at connectives and quantifiers only. So a part that is neither becomes an uninterpreted
predicate over its variables, and these are of uninterpreted sorts: no theory is needed, and none can be lacking.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.formula import FormulaManager
from pysmt.rewritings import AIGer, CNFizer, NNFizer, PrenexNormalizer, disjunctive_partition
from pysmt.typing import BOOL as PYSMT_BOOL

from chc.build import conjunction, disjunction
from chc.sorts import BOOL, Sort, show_sort
from chc.terms import FALSE, TRUE, Kind, Term, builtin, free_variables, quantifier, substitute, variable
from chc.terms import bound_variables as bound_by

_CONNECTIVES: Final = frozenset(("and", "or", "not", "=>", "xor"))
_OVER_BOOL: Final = frozenset(("=", "ite"))


def _implication(make: FormulaManager, args: list[FNode]) -> FNode:
    """The arrow associates to the right."""
    formula = args[-1]
    for premise in reversed(args[:-1]):
        formula = make.Implies(premise, formula)
    return formula


def _exclusive_or(make: FormulaManager, args: list[FNode]) -> FNode:
    """This one associates to the left."""
    formula = args[0]
    for other in args[1:]:
        formula = make.Not(make.Iff(formula, other))
    return formula


_CONNECT: Final[dict[str, Callable[[FormulaManager, list[FNode]], FNode]]] = {
    "and": lambda make, args: make.And(args),
    "or": lambda make, args: make.Or(args),
    "not": lambda make, args: make.Not(*args),
    "=>": _implication,
    "xor": _exclusive_or,
    "=": lambda make, args: make.And([make.Iff(left, right) for left, right in pairwise(args)]),
    "ite": lambda make, args: make.Ite(*args),
}
_CONNECTED: Final = {"is_not": "not", "is_implies": "=>", "is_iff": "=", "is_ite": "ite"}
"""How pysmt asks for those connectives that are ours with the same arguments."""

Name = Callable[[str], str]
"""Gives a name like the wish that nobody has."""


def _is_open(term: Term, quantifiers: bool) -> bool:
    """Whether the node is structure, in which pysmt is to look further."""
    if term.kind is Kind.QUANTIFIER:
        return quantifiers
    if term.kind is not Kind.BUILTIN:
        return False
    return term.name in _CONNECTIVES or (term.name in _OVER_BOOL and all(arg.sort is BOOL for arg in term.args))


class Structure:
    """Formulas of one clause in an environment of pysmt's; `name` gives names to the variables that it adds.

    Quantifiers are structure where asked, else parts like any other; then no part needs arguments, and gets none.
    """

    def __init__(self, environment: Environment, name: Name, quantifiers: bool) -> None:
        self.environment = environment
        self._quantifiers = quantifiers
        self._make = environment.formula_manager
        self._name = name
        self._atoms: dict[Term, FNode] = {}
        self._meaning: dict[FNode, Term] = {}
        """What a symbol of pysmt's stands for: a variable, or a part of the formula."""
        self._sorts: dict[str, Sort] = {}

    # There -----------------------------------------------------------------------------------------------

    def to_pysmt(self, root: Term) -> FNode:
        """The formula in pysmt's terms."""
        done: dict[Term, FNode] = {}
        stack = [root]
        while stack:
            term = stack[-1]
            args = term.args if _is_open(term, self._quantifiers) else ()
            missing = [arg for arg in args if arg not in done]
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                done[term] = self._node(term, [done[arg] for arg in args])
        return done[root]

    def _node(self, term: Term, args: list[FNode]) -> FNode:
        if not args:
            return self._make.Bool(term is TRUE) if term in (TRUE, FALSE) else self._atom(term)
        if term.kind is Kind.QUANTIFIER:
            bind = self._make.ForAll if term.name == "forall" else self._make.Exists
            return bind([self._variable(var) for var in bound_by(term)], args[0])
        return _CONNECT[term.name](self._make, args)

    def _atom(self, term: Term) -> FNode:
        if term not in self._atoms:
            variables = [self._variable(var) for var in free_variables([term]) if self._quantifiers]
            types = [symbol.symbol_type() for symbol in variables]
            kind = self.environment.type_manager.FunctionType(PYSMT_BOOL, types) if types else PYSMT_BOOL
            symbol = self._make.Symbol(f"part{len(self._atoms)}", kind)
            self._meaning[symbol] = term
            self._atoms[term] = self._make.Function(symbol, variables) if types else symbol
        return self._atoms[term]

    def _variable(self, var: Term) -> FNode:
        sort = show_sort(var.sort)
        self._sorts[f"sort {sort}"] = var.sort
        kind = self.environment.type_manager.Type(f"sort {sort}")
        symbol = self._make.Symbol(f"variable {var.name} {sort}", kind)
        self._meaning[symbol] = var
        return symbol

    # And back --------------------------------------------------------------------------------------------

    def to_term(self, root: FNode) -> Term:
        """The formula in our terms."""
        done: dict[FNode, Term] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            args = () if node.is_function_application() else node.args()
            missing = [arg for arg in args if arg not in done]
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                done[node] = self._term(node, tuple(done[arg] for arg in args))
        return done[root]

    def _term(self, node: FNode, args: tuple[Term, ...]) -> Term:
        if node.is_bool_constant():
            return TRUE if node.is_true() else FALSE
        if node.is_symbol():
            return self.meaning(node)
        if node.is_function_application():
            part = self._meaning[node.function_name()]
            given = (self.meaning(arg) for arg in node.args())
            return substitute([part], dict(zip(free_variables([part]), given, strict=True)))[0]
        if node.is_quantifier():
            bound = sorted(node.quantifier_vars(), key=FNode.node_id)
            name = "forall" if node.is_forall() else "exists"
            return quantifier(name, tuple(self.meaning(symbol) for symbol in bound), args[0])
        if node.is_and():
            return conjunction(args)
        if node.is_or():
            return disjunction(args)
        return builtin(next(name for test, name in _CONNECTED.items() if getattr(node, test)()), args, BOOL)

    def meaning(self, symbol: FNode) -> Term:
        """What the symbol stands for; one that pysmt has added becomes a new variable."""
        if symbol not in self._meaning:
            kind = symbol.symbol_type()
            sort = BOOL if kind.is_bool_type() else self._sorts[kind.name]
            self._meaning[symbol] = variable(self._name("t" if sort is BOOL else "q"), sort)
        return self._meaning[symbol]


def negation_normal(term: Term, name: Name) -> Term:
    """Negations only before parts without connectives."""
    with Environment() as environment:
        structure = Structure(environment, name, quantifiers=True)
        return structure.to_term(NNFizer(environment).convert(structure.to_pysmt(term)))


def and_inverter(term: Term, name: Name) -> Term:
    """Only conjunctions and negations."""
    with Environment() as environment:
        structure = Structure(environment, name, quantifiers=True)
        return structure.to_term(AIGer(environment).convert(structure.to_pysmt(term)))


def prenex(term: Term, name: Name) -> Term:
    """All quantifiers in front."""
    with Environment() as environment:
        structure = Structure(environment, name, quantifiers=True)
        return structure.to_term(PrenexNormalizer(environment).normalize(structure.to_pysmt(term)))


def partition(term: Term, name: Name) -> list[Term]:
    """The disjuncts of the negation normal form."""
    with Environment() as environment:
        structure = Structure(environment, name, quantifiers=False)
        normal = NNFizer(environment).convert(structure.to_pysmt(term))
        return [structure.to_term(part) for part in disjunctive_partition(normal)]


def conjunctive_normal(term: Term, name: Name) -> tuple[list[Term], dict[Term, Term]]:
    """Clauses over the parts and over new variables, and what the value of each of these has to be."""
    with Environment() as environment:
        structure = Structure(environment, name, quantifiers=False)
        converter = CNFizer(environment)
        clauses = converter.convert(structure.to_pysmt(term))
        added = converter._introduced_variables
        definitions = {structure.meaning(symbol): structure.to_term(formula) for formula, symbol in added.items()}
        ordered = sorted(sorted(literal.node_id() for literal in clause) for clause in clauses)
        nodes = {literal.node_id(): literal for clause in clauses for literal in clause}
        parts = [[structure.to_term(nodes[number]) for number in clause] for clause in ordered]
        return [disjunction(part) for part in parts], definitions
