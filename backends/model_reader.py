"""Models as solvers print them: a list of `define-fun`, one for each predicate, perhaps with helpers between."""

from __future__ import annotations

from collections.abc import Sequence

from backends.unreadable import Malformed, Unreadable, check_length
from chc.build import SortError, coerce
from chc.evaluate import evaluate
from chc.instance import Clause, Instance
from chc.lexer import Limits, ReadError, tokenize
from chc.model import Interpretation, Model, misfit
from chc.sorts import show_sort
from chc.symbols import Symbols
from chc.term_reader import TermReader
from chc.terms import FALSE, TRUE, Term, variable
from chc.undetermined import Undetermined
from chc.vocabulary import symbols_without_predicates


def read_model(
    text: str, instance: Instance, *, may_omit: bool = False, may_call: bool = False, dialect: Symbols | None = None
) -> Model:
    """The model in the text. Raises `Malformed` or `Unreadable`, which say why there is none.

    `may_call` is for solvers whose definitions use predicates that are defined before them.
    `may_omit` is for solvers that leave out predicates of which no clause says anything once it is simplified;
    `dialect`, empty as yet, is for those whose operations are not quite those of SMT-LIB.
    """
    check_length(text)
    tokens = tokenize(text)
    if not tokens:
        raise Malformed("there is no model")
    if tokens.count("(") > tokens.count(")"):
        raise Malformed("the model breaks off before its end")
    try:
        found = _ModelReader(text, tokens, instance, dialect, may_call=may_call).read()
    except (ReadError, SortError) as problem:
        raise Unreadable(str(problem)) from problem
    return _complete(found, instance, may_omit=may_omit)


def _complete(found: dict[str, Interpretation], instance: Instance, *, may_omit: bool) -> Model:
    """Predicates that occur in no clause may be anything; of the others each needs its interpretation."""
    used = {atom.predicate for clause in instance.clauses for atom in clause.atoms}
    for predicate in instance.predicates:
        if predicate.name not in found and predicate.name in used and not may_omit:
            raise Malformed(f"the model says nothing about the predicate `{predicate.name}`")
        if predicate.name not in found:
            params = tuple(variable(f"x!{number}", sort) for number, sort in enumerate(predicate.sorts))
            found[predicate.name] = Interpretation(params, _harmless(predicate.name, instance))
        reason = misfit(found[predicate.name], predicate)
        if reason is not None:
            raise Malformed(reason)
    return Model(found)


def _harmless(name: str, instance: Instance) -> Term:
    """Where a predicate may hold so that no clause minds, apart from clauses that say nothing."""
    speaking = [clause for clause in instance.clauses if not _says_nothing(clause)]
    if not any(clause.head is not None and clause.head.predicate == name for clause in speaking):
        return FALSE
    if not any(atom.predicate == name for clause in speaking for atom in clause.body):
        return TRUE
    raise Unreadable(f"the model says nothing about the predicate `{name}`")


def _says_nothing(clause: Clause) -> bool:
    """Whether it holds whatever the predicates mean, as far as can be seen at once."""
    return clause.head in clause.body or not _may_hold(clause.constraint)


def _may_hold(constraint: Sequence[Term]) -> bool:
    for part in constraint:
        try:
            if evaluate(part, {}) is False:
                return False
        except Undetermined:
            continue
    return True


class _ModelReader:
    def __init__(
        self, text: str, tokens: list[str], instance: Instance, dialect: Symbols | None, *, may_call: bool
    ) -> None:
        self._may_call = may_call
        self._symbols = symbols_without_predicates(instance, dialect)
        self._reader = TermReader(text, tokens, self._symbols, Limits())
        self._predicates = instance.signature

    def read(self) -> dict[str, Interpretation]:
        reader = self._reader
        found: dict[str, Interpretation] = {}
        reader.expect("(", "before the model")
        if reader.peek() == "model":
            reader.next("model")
        while reader.peek() == "(":
            reader.expect("(", "before a definition")
            name, interpretation = self._definition()
            if name in found:
                raise Malformed(f"the model defines `{name}` twice")
            if interpretation is not None:
                found[name] = interpretation
        reader.expect(")", "or another definition in the model")
        return found

    def _definition(self) -> tuple[str, Interpretation | None]:
        """One `define-fun`; that of a helper is remembered and expanded where it is used."""
        reader = self._reader
        command = reader.symbol("`define-fun`")
        if command != "define-fun":
            raise reader.error(f"expected `define-fun`, found `{command[:40]}`")
        name = reader.symbol("the name of a predicate")
        params = [(wish, variable(wish, sort)) for wish, sort in reader.sorted_variables()]
        result = reader.sort()
        reader.bound_names = {wish for wish, _ in params}
        before = reader.bind(params)
        body = coerce((reader.term(),), (result,))[0]
        reader.restore(before)
        reader.expect(")", f"after the definition of `{name}`")
        if body.sort is not result:
            raise reader.error(f"the body of `{name}` is of sort {show_sort(body.sort)}, not {show_sort(result)}")
        variables = tuple(var for _, var in params)
        if name not in self._predicates or self._may_call:
            self._symbols.define(name, variables, body)
        return name, Interpretation(variables, body) if name in self._predicates else None
