"""SMT-LIB scripts in the CHC-COMP format: commands in, one instance out; what is not understood is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from chc.build import SortError, coerce
from chc.clausify import NotHorn, clausify
from chc.instance import Clause, Instance, Predicate
from chc.lexer import Limits, ReadError, check_printable, position_of, tokenize
from chc.shadowing import quantifier_depth
from chc.sorts import BOOL, Constructor, Datatype, DatatypeGroup, Selector, Sort, make_sort, show_sort
from chc.symbols import Symbols
from chc.term_reader import TermReader
from chc.terms import Term, variable
from chc.well_founded import check_datatypes

T = TypeVar("T")
DEFAULT_LIMITS: Final = Limits()
_QUESTIONS: Final = frozenset(
    ("get-model", "get-proof", "get-info", "get-unsat-core", "get-assertions", "get-option", "echo", "exit")
)
_REFUSED: Final = {
    "push": "incremental scripts are not accepted; send one instance for each check",
    "pop": "incremental scripts are not accepted; send one instance for each check",
    "reset": "incremental scripts are not accepted; send one instance for each check",
    "reset-assertions": "incremental scripts are not accepted; send one instance for each check",
    "check-sat-assuming": "incremental scripts are not accepted; send one instance for each check",
    "include": "other files cannot be included; send one text",
    "define-fun-rec": "recursive functions are not accepted; define a predicate by clauses",
    "define-funs-rec": "recursive functions are not accepted; define predicates by clauses",
    "declare-rel": "this is z3's rule format; write the clauses as assertions with (set-logic HORN)",
    "declare-var": "this is z3's rule format; write the clauses as assertions with (set-logic HORN)",
    "rule": "this is z3's rule format; write the clauses as assertions with (set-logic HORN)",
    "query": "this is z3's rule format; write the clauses as assertions with (set-logic HORN)",
}


def read_instance(text: str, source: str = "", limits: Limits = DEFAULT_LIMITS) -> Instance:
    """The instance that the text describes; `ReadError` with place and reason where it describes none."""
    try:
        if len(text) > limits.characters:
            raise ReadError(f"the text has {len(text)} characters, more than the {limits.characters} accepted")
        check_printable(text)
        reader = _ScriptReader(text, limits)
        instance = reader.read()
    except ReadError as problem:
        raise ReadError(problem.message, problem.position, source) from None
    if reader.declared_late:
        return read_instance(instance.text, source, limits)
    return instance


class _ScriptReader:
    """One pass over the commands of a script."""

    def __init__(self, text: str, limits: Limits) -> None:
        self._symbols = Symbols()
        self._terms = TermReader(text, tokenize(text), self._symbols, limits)
        self._limits = limits
        self._predicates: list[Predicate] = []
        self._clauses: list[Clause] = []
        self._checked = False
        self._left = False
        self.declared_late = False

    def read(self) -> Instance:
        reader = self._terms
        if not reader.tokens:
            raise reader.error("the text is empty, expected commands such as (set-logic HORN)", 0)
        while reader.at < len(reader.tokens):
            reader.expect("(", "before a command")
            self._command()
        sorts = tuple(self._symbols.sorts.items())
        return Instance(sorts, tuple(self._symbols.groups), tuple(self._predicates), tuple(self._clauses))

    def _command(self) -> None:
        reader = self._terms
        start = reader.at
        name = reader.next("a command")
        if self._left:
            raise reader.error(f"`{name[:40]}` after `exit`: nothing may follow it")
        if name in _QUESTIONS:
            self._left = name == "exit"
            self._skip()
            return
        action = _COMMANDS.get(name)
        if action is None:
            reason = _REFUSED.get(name, "only the commands of the CHC-COMP format are accepted")
            raise reader.error(f"the command `{name[:40]}` is refused: {reason}")
        if self._checked and name not in ("set-info", "set-option"):
            raise reader.error(f"`{name}` after `check-sat`: {_REFUSED['push']}")
        if self._clauses and name.startswith("de"):
            self.declared_late = True
        try:
            action(self)
        except SortError as problem:
            raise reader.error(str(problem), start) from None
        reader.expect(")", f"at the end of `{name}`")

    def _skip(self) -> None:
        """Passes over the rest of a command; a question has its closing parenthesis read here as well."""
        reader = self._terms
        question = reader.tokens[reader.at - 1] in _QUESTIONS
        while reader.at < len(reader.tokens) and reader.tokens[reader.at] != ")":
            reader.skip_expression()
        if question:
            reader.expect(")", "at the end of a command")

    def _set_logic(self) -> None:
        logic = self._terms.symbol("the name of a logic")
        if logic != "HORN":
            raise self._terms.error(f"the logic is `{logic[:40]}`, expected `HORN`")

    def _set_option(self) -> None:
        name = self._terms.next("an option")
        if name.endswith("-output-channel"):
            raise self._terms.error(f"the option `{name}` is refused: output channels are not the text's to choose")
        if self._terms.peek().startswith('"'):
            raise self._terms.error(f"the option `{name}` is refused: its value is a text, which may name a file")
        self._skip()

    def _check_sat(self) -> None:
        self._checked = True

    # Declarations ----------------------------------------------------------------------------------------

    def _declare_sort(self) -> None:
        name = self._terms.symbol("the name of a sort")
        self._symbols.check_new_sort(name)
        arity = 0 if self._at_end() else self._terms.numeral("the arity of a sort")
        self._symbols.sorts[name] = arity

    def _define_sort(self) -> None:
        name = self._terms.symbol("the name of a sort")
        self._symbols.check_new_sort(name)
        params = self._sort_parameters()
        body = self._with_parameters(params, self._terms.sort)
        self._symbols.sort_macros[name] = (params, body)

    def _sort_parameters(self) -> tuple[Sort, ...]:
        self._terms.expect("(", "before sort parameters")
        names = []
        while not self._at_end():
            names.append(self._terms.symbol("a sort parameter"))
        self._terms.expect(")", "after sort parameters")
        return tuple(make_sort(name) for name in names)

    def _with_parameters(self, params: tuple[Sort, ...], action: Callable[[], T]) -> T:
        """Reads something in which the sort parameters are sorts."""
        for param in params:
            self._symbols.check_new_sort(param.name)
            self._symbols.sorts[param.name] = 0
        result = action()
        for param in params:
            del self._symbols.sorts[param.name]
        return result

    def _declare_fun(self) -> None:
        name = self._terms.symbol("the name of a predicate")
        self._terms.expect("(", "before the sorts of the arguments")
        sorts = []
        while not self._at_end():
            sorts.append(self._terms.sort())
        self._terms.expect(")", "after the sorts of the arguments")
        self._declare_predicate(name, tuple(sorts))

    def _declare_const(self) -> None:
        self._declare_predicate(self._terms.symbol("the name of a predicate"), ())

    def _declare_predicate(self, name: str, sorts: tuple[Sort, ...]) -> None:
        self._symbols.check_new_function(name)
        start = self._terms.at
        result = self._terms.sort()
        if result is not BOOL:
            kind = "function" if sorts else "constant"
            raise self._terms.error(
                f"`{name}` is an uninterpreted {kind} of sort {show_sort(result)}; only predicates "
                "(of sort Bool) may be declared, other symbols are universally quantified variables",
                start,
            )
        self._symbols.predicates[name] = sorts
        self._predicates.append(Predicate(name, sorts))

    def _at_end(self) -> bool:
        reader = self._terms
        if reader.at >= len(reader.tokens):
            raise ReadError("the text ends inside a command", position_of(reader.text, reader.at))
        return reader.tokens[reader.at] == ")"

    # Datatypes -------------------------------------------------------------------------------------------

    def _declare_datatype(self) -> None:
        name = self._terms.symbol("the name of a datatype")
        self._symbols.check_new_sort(name)
        self._add_datatypes([(name, None)])

    def _declare_datatypes(self) -> None:
        reader = self._terms
        reader.expect("(", "before the names of the datatypes")
        headers: list[tuple[str, int | None]] = []
        while not self._at_end():
            reader.expect("(", "before a datatype's name")
            name = reader.symbol("the name of a datatype")
            self._symbols.check_new_sort(name)
            headers.append((name, reader.numeral("the number of sort parameters")))
            reader.expect(")", "after the number of sort parameters")
        reader.expect(")", "after the names of the datatypes")
        reader.expect("(", "before the constructors")
        self._add_datatypes(headers)
        reader.expect(")", "after the constructors")

    def _add_datatypes(self, headers: list[tuple[str, int | None]]) -> None:
        """Names first, then bodies, which may mention all of the names."""
        names = [name for name, _ in headers]
        if len(set(names)) < len(names):
            raise SortError("a datatype is declared twice")
        for name, arity in headers:
            placeholders = tuple(make_sort(f"{name}@{number}") for number in range(arity or 0))
            self._symbols.datatypes[name] = Datatype(name, placeholders, ())
        bodies = [self._datatype_body(name, arity) for name, arity in headers]
        for datatype in bodies:
            self._symbols.datatypes[datatype.name] = datatype
        group = DatatypeGroup(tuple(bodies))
        check_datatypes(group)
        self._symbols.declare_datatypes(group)

    def _datatype_body(self, name: str, arity: int | None) -> Datatype:
        reader = self._terms
        reader.expect("(", f"before the constructors of `{name}`")
        params: tuple[Sort, ...] = ()
        parametric = not self._at_end() and reader.tokens[reader.at] == "par"
        if parametric:
            reader.next("par")
            params = self._sort_parameters()
            reader.expect("(", f"before the constructors of `{name}`")
            if arity is None:
                self._symbols.datatypes[name] = Datatype(name, params, ())
        if arity is not None and arity != len(params):
            raise SortError(f"`{name}` is announced with {arity} sort parameters and has {len(params)}")
        constructors = self._with_parameters(params, self._constructors)
        if parametric:
            reader.expect(")", f"after the constructors of `{name}`")
        if not constructors:
            raise SortError(f"the datatype `{name}` has no constructor")
        return Datatype(name, params, constructors)

    def _constructors(self) -> tuple[Constructor, ...]:
        reader = self._terms
        found = []
        while not self._at_end():
            if reader.tokens[reader.at] != "(":
                found.append(Constructor(reader.symbol("a constructor"), ()))
                continue
            reader.next("(")
            name = reader.symbol("a constructor")
            selectors = []
            while not self._at_end():
                reader.expect("(", "before a selector")
                field = reader.symbol("a selector")
                selectors.append(Selector(field, reader.sort()))
                reader.expect(")", "after a selector")
            reader.expect(")", f"after the fields of `{name}`")
            found.append(Constructor(name, tuple(selectors)))
        reader.expect(")", "after the constructors")
        return tuple(found)

    # Definitions and assertions --------------------------------------------------------------------------

    def _define_fun(self) -> None:
        reader = self._terms
        name = reader.symbol("the name of a function")
        params = [(wish, variable(wish, sort)) for wish, sort in reader.sorted_variables()]
        self._define(name, params)

    def _define_const(self) -> None:
        self._define(self._terms.symbol("the name of a constant"), [])

    def _define(self, name: str, params: list[tuple[str, Term]]) -> None:
        reader = self._terms
        result = reader.sort()
        reader.bound_names = {wish for wish, _ in params}
        before = reader.bind(params)
        body = coerce((reader.term(),), (result,))[0]
        reader.restore(before)
        reader.bound_names = set()
        if body.sort is not result:
            raise SortError(f"the body of `{name}` is of sort {show_sort(body.sort)}, not {show_sort(result)}")
        self._check_quantifiers(body)
        if body in reader.with_predicate:
            raise SortError(f"the defined function `{name}` uses a predicate; write it as a clause")
        self._symbols.define(name, tuple(var for _, var in params), body)

    def _check_quantifiers(self, formula: Term) -> None:
        """The reader counts what is open; definitions put quantifiers below others without its seeing it."""
        most = self._limits.quantifier_nesting
        if self._symbols.definitions and quantifier_depth(formula) > most:
            raise self._terms.error(f"quantifiers nest more than {most} deep, with definitions expanded")

    def _assert(self) -> None:
        start = self._terms.at
        formula = self._terms.formula()
        self._check_quantifiers(formula)
        try:
            self._clauses.extend(clausify(formula, self._terms.with_predicate.__contains__))
        except NotHorn as problem:
            raise self._terms.error(f"not a Horn clause: {problem}", start) from None
        if len(self._clauses) > self._limits.clauses:
            raise self._terms.error(f"more than {self._limits.clauses} clauses", start)


_COMMANDS: Final[dict[str, Callable[[_ScriptReader], None]]] = {
    "set-logic": _ScriptReader._set_logic,
    "set-info": _ScriptReader._skip,
    "set-option": _ScriptReader._set_option,
    "declare-sort": _ScriptReader._declare_sort,
    "define-sort": _ScriptReader._define_sort,
    "declare-datatype": _ScriptReader._declare_datatype,
    "declare-datatypes": _ScriptReader._declare_datatypes,
    "declare-fun": _ScriptReader._declare_fun,
    "declare-const": _ScriptReader._declare_const,
    "define-fun": _ScriptReader._define_fun,
    "define-const": _ScriptReader._define_const,
    "assert": _ScriptReader._assert,
    "check-sat": _ScriptReader._check_sat,
}
"""Not in the reader itself: a reader that refers to itself keeps its terms until garbage is collected."""
