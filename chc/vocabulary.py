"""The words of an instance: its symbol table, rebuilt, and single terms and atoms read over it."""

from __future__ import annotations

from collections.abc import Sequence

from chc.instance import Atom, Instance
from chc.lexer import Limits, ReadError, tokenize
from chc.sorts import Sort
from chc.symbols import Symbols
from chc.term_reader import TermReader
from chc.terms import Kind, Term


def symbols_without_predicates(instance: Instance, symbols: Symbols | None = None) -> Symbols:
    """The sorts and datatypes of the instance, for terms in which no predicate may occur; put into `symbols`."""
    symbols = symbols or Symbols()
    symbols.sorts.update(instance.sorts)
    for group in instance.datatypes:
        symbols.datatypes.update((datatype.name, datatype) for datatype in group.datatypes)
        symbols.declare_datatypes(group)
    return symbols


def symbols_of(instance: Instance) -> Symbols:
    """Everything that the instance declares."""
    symbols = symbols_without_predicates(instance)
    symbols.predicates.update((predicate.name, predicate.sorts) for predicate in instance.predicates)
    return symbols


def _reader(text: str, symbols: Symbols) -> TermReader:
    return TermReader(text, tokenize(text), symbols, Limits())


def _check_end(reader: TermReader) -> None:
    if reader.at < len(reader.tokens):
        raise reader.error("something follows where the text should end", reader.at)


def read_sort(text: str, symbols: Symbols) -> Sort:
    """The sort that the text is; `ReadError` where it is none."""
    reader = _reader(text, symbols)
    sort = reader.sort()
    _check_end(reader)
    return sort


def read_term(text: str, symbols: Symbols, variables: Sequence[Term] = ()) -> Term:
    """The term that the text is, over these free variables; `ReadError` where it is none."""
    reader = _reader(text, symbols)
    reader.bound_names = {var.name for var in variables}
    reader.bind([(var.name, var) for var in variables])
    term = reader.term()
    _check_end(reader)
    return term


def read_atom(text: str, symbols: Symbols) -> Atom:
    """The ground atom that the text is."""
    reader = _reader(text, symbols)
    term = reader.term()
    _check_end(reader)
    if term.kind is not Kind.PREDICATE or not reader.with_predicate.isdisjoint(term.args):
        raise ReadError(f"expected a predicate applied to values, found `{text[:40]}`")
    return Atom(term.name, term.args)
