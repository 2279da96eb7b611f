"""Well-sorted terms of the theories: what each operation takes and gives. The one place that knows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from chc.sorts import BOOL, INT, NUMERIC, REAL, Sort, bitvec, is_array, is_bitvec, show_sort
from chc.terms import FALSE, TRUE, Kind, Term, builtin, integer


class SortError(Exception):
    """An operation applied to arguments that it does not take."""


Args = tuple[Term, ...]
Params = tuple[object, ...]
Rule = Callable[[str, Params, Args], Term]


def _wrong(name: str, args: Args, expected: str) -> SortError:
    found = " ".join(show_sort(arg.sort) for arg in args) or "nothing"
    return SortError(f"`{name}` expects {expected}, found ({found})")


def _need(count: int, name: str, args: Args) -> None:
    if len(args) != count:
        raise SortError(f"`{name}` expects {count} argument{'s' * (count != 1)}, found {len(args)}")


def _boolean(name: str, params: Params, args: Args) -> Term:
    if not args or any(arg.sort is not BOOL for arg in args):
        raise _wrong(name, args, "Bool arguments")
    if name in ("and", "or") and len(args) == 1:
        return args[0]
    if name in ("=>", "xor") and len(args) < 2:
        raise _wrong(name, args, "at least two Bool arguments")
    return builtin(name, args, BOOL)


def _not(name: str, params: Params, args: Args) -> Term:
    _need(1, name, args)
    if args[0].sort is not BOOL:
        raise _wrong(name, args, "a Bool argument")
    return builtin(name, args, BOOL)


def to_real(term: Term) -> Term:
    """The integer term as a real one."""
    return term if term.sort is REAL else builtin("to_real", (term,), REAL)


def agree(args: Args) -> Args:
    """Integers beside reals become reals; everything else stays."""
    if not args or all(arg.sort is args[0].sort for arg in args):
        return args
    return tuple(to_real(arg) for arg in args) if {arg.sort for arg in args} == NUMERIC else args


def _equality(name: str, params: Params, args: Args) -> Term:
    args = agree(args)
    if len(args) < 2 or any(arg.sort is not args[0].sort for arg in args):
        raise _wrong(name, args, "at least two arguments of one sort")
    return builtin(name, args, BOOL)


def _ite(name: str, params: Params, args: Args) -> Term:
    _need(3, name, args)
    condition, *branches = args
    then, other = agree(tuple(branches))
    if condition.sort is not BOOL or then.sort is not other.sort:
        raise _wrong(name, args, "a Bool and two arguments of one sort")
    return builtin(name, (condition, then, other), then.sort)


def _numeric(name: str, args: Args) -> Args:
    agreed = agree(args)
    if not args or not all(arg.sort is agreed[0].sort for arg in agreed) or agreed[0].sort not in NUMERIC:
        raise _wrong(name, args, "Int or Real arguments")
    return agreed


def _sum(name: str, params: Params, args: Args) -> Term:
    args = _numeric(name, args)
    if len(args) == 1 and name != "-":
        return args[0]
    return builtin(name, args, args[0].sort)


def _comparison(name: str, params: Params, args: Args) -> Term:
    args = _numeric(name, args)
    if len(args) < 2:
        raise _wrong(name, args, "at least two arguments")
    return builtin(name, args, BOOL)


def _divide(name: str, params: Params, args: Args) -> Term:
    args = tuple(to_real(arg) for arg in _numeric(name, args))
    if len(args) < 2:
        raise _wrong(name, args, "at least two arguments")
    return builtin(name, args, REAL)


def _integers(result: Sort, minimum: int, maximum: int | None) -> Rule:
    def rule(name: str, params: Params, args: Args) -> Term:
        if len(args) < minimum or (maximum is not None and len(args) > maximum):
            raise _wrong(name, args, f"{minimum} Int argument{'s' * (minimum != 1)}")
        if any(arg.sort is not INT for arg in args):
            raise _wrong(name, args, "Int arguments")
        return builtin(name, args, result, params)

    return rule


def _to_real(name: str, params: Params, args: Args) -> Term:
    _need(1, name, args)
    _numeric(name, args)
    return to_real(args[0])


def _of_real(result: Sort) -> Rule:
    def rule(name: str, params: Params, args: Args) -> Term:
        _need(1, name, args)
        arg = to_real(_numeric(name, args)[0])
        return builtin(name, (arg,), result)

    return rule


def _vectors(name: str, args: Args) -> int:
    """The common width of bit-vector arguments."""
    if not args or not is_bitvec(args[0].sort) or any(arg.sort is not args[0].sort for arg in args):
        raise _wrong(name, args, "bit-vectors of one width")
    return args[0].sort.width


def _bv_nary(name: str, params: Params, args: Args) -> Term:
    _vectors(name, args)
    if len(args) == 1:
        return args[0]
    return builtin(name, args, args[0].sort)


def _bv_unary(name: str, params: Params, args: Args) -> Term:
    _need(1, name, args)
    _vectors(name, args)
    return builtin(name, args, args[0].sort)


def _bv_binary(name: str, params: Params, args: Args) -> Term:
    _need(2, name, args)
    _vectors(name, args)
    return builtin(name, args, args[0].sort)


def _bv_compare(name: str, params: Params, args: Args) -> Term:
    _need(2, name, args)
    _vectors(name, args)
    return builtin(name, args, BOOL)


def _bvcomp(name: str, params: Params, args: Args) -> Term:
    _need(2, name, args)
    _vectors(name, args)
    return builtin(name, args, bitvec(1))


def _concat(name: str, params: Params, args: Args) -> Term:
    if len(args) < 2 or not all(is_bitvec(arg.sort) for arg in args):
        raise _wrong(name, args, "at least two bit-vectors")
    return builtin(name, args, bitvec(sum(arg.sort.width for arg in args)))


def _index(name: str, params: Params, count: int) -> tuple[int, ...]:
    indices = tuple(p for p in params if isinstance(p, int))
    if len(indices) != count or len(params) != count:
        raise SortError(f"`{name}` expects {count} numeral ind{'ex' if count == 1 else 'ices'}, as in (_ {name} 1)")
    return indices


def _extract(name: str, params: Params, args: Args) -> Term:
    high, low = _index(name, params, 2)
    _need(1, name, args)
    width = _vectors(name, args)
    if not 0 <= low <= high < width:
        raise SortError(f"(_ extract {high} {low}) does not fit a bit-vector of width {width}")
    return builtin(name, args, bitvec(high - low + 1), params)


MAXIMAL_WIDTH: Final = 1 << 20
"""Wider bit-vectors are refused: nobody means them, and a solver would swallow the machine."""


def _widen(name: str, params: Params, args: Args) -> Term:
    (by,) = _index(name, params, 1)
    _need(1, name, args)
    width = _vectors(name, args)
    result = width * by if name == "repeat" else width if name.startswith("rotate") else width + by
    if not 0 < result <= MAXIMAL_WIDTH:
        raise SortError(f"`{name}` by {by} would give a bit-vector of width {result}")
    return builtin(name, args, bitvec(result), params)


def _bv_to_int(name: str, params: Params, args: Args) -> Term:
    _need(1, name, args)
    _vectors(name, args)
    return builtin(name, args, INT)


def _int_to_bv(name: str, params: Params, args: Args) -> Term:
    (width,) = _index(name, params, 1)
    _need(1, name, args)
    if args[0].sort is not INT or not 0 < width <= MAXIMAL_WIDTH:
        raise _wrong(name, args, "an Int argument and a positive width")
    return builtin(name, args, bitvec(width), params)


def _select(name: str, params: Params, args: Args) -> Term:
    _need(2, name, args)
    target, index = args
    if not is_array(target.sort):
        raise _wrong(name, args, "an array and an index")
    index = _as_sort(index, target.sort.args[0])
    if index.sort is not target.sort.args[0]:
        raise _wrong(name, args, f"an index of sort {show_sort(target.sort.args[0])}")
    return builtin(name, (target, index), target.sort.args[1])


def _store(name: str, params: Params, args: Args) -> Term:
    _need(3, name, args)
    target, index, element = args
    if not is_array(target.sort):
        raise _wrong(name, args, "an array, an index and an element")
    index, element = _as_sort(index, target.sort.args[0]), _as_sort(element, target.sort.args[1])
    if (index.sort, element.sort) != target.sort.args:
        raise _wrong(name, args, f"an index and an element that fit {show_sort(target.sort)}")
    return builtin(name, (target, index, element), target.sort)


def _as_sort(term: Term, sort: Sort) -> Term:
    """An integer where a real is wanted becomes one."""
    return to_real(term) if sort is REAL and term.sort is INT else term


def coerce(args: Args, sorts: Sequence[Sort]) -> Args:
    """The arguments, with integers made real where the sort at that place is Real."""
    return tuple(_as_sort(arg, sort) for arg, sort in zip(args, sorts, strict=True))


def _divisible(name: str, params: Params, args: Args) -> Term:
    """Divisible means to leave no remainder, and is written so: not every solver knows the word."""
    (by,) = _index(name, params, 1)
    if by <= 0:
        raise SortError("`divisible` expects a positive index")
    _need(1, name, args)
    return equation(apply("mod", (*args, integer(by))), integer(0))


def _truth(name: str, params: Params, args: Args) -> Term:
    _need(0, name, args)
    return TRUE if name == "true" else FALSE


_RULES: Final[dict[str, Rule]] = {
    "true": _truth,
    "false": _truth,
    "not": _not,
    "ite": _ite,
    "=": _equality,
    "distinct": _equality,
    "/": _divide,
    "abs": _integers(INT, 1, 1),
    "div": _integers(INT, 2, None),
    "mod": _integers(INT, 2, 2),
    "divisible": _divisible,
    "to_real": _to_real,
    "to_int": _of_real(INT),
    "is_int": _of_real(BOOL),
    "select": _select,
    "store": _store,
    "concat": _concat,
    "extract": _extract,
    "bvcomp": _bvcomp,
    "ubv_to_int": _bv_to_int,
    "sbv_to_int": _bv_to_int,
    "int_to_bv": _int_to_bv,
    **dict.fromkeys(("and", "or", "xor", "=>"), _boolean),
    **dict.fromkeys(("+", "-", "*"), _sum),
    **dict.fromkeys(("<", "<=", ">", ">="), _comparison),
    **dict.fromkeys(("bvand", "bvor", "bvxor", "bvadd", "bvmul"), _bv_nary),
    **dict.fromkeys(("bvnot", "bvneg"), _bv_unary),
    **dict.fromkeys(
        (
            *("bvsub", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr"),
            *("bvnand", "bvnor", "bvxnor"),
        ),
        _bv_binary,
    ),
    **dict.fromkeys(
        ("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"),
        _bv_compare,
    ),
    **dict.fromkeys(("zero_extend", "sign_extend", "repeat", "rotate_left", "rotate_right"), _widen),
}

SYNONYMS: Final = {
    "bv2nat": "ubv_to_int",
    "bv2int": "ubv_to_int",
    "int2bv": "int_to_bv",
    "nat2bv": "int_to_bv",
    "implies": "=>",
    "iff": "=",
    "bvudiv_i": "bvudiv",
    "bvurem_i": "bvurem",
    "bvsdiv_i": "bvsdiv",
    "bvsrem_i": "bvsrem",
    "bvsmod_i": "bvsmod",
}
"""Older and solver-specific names of the same operations."""

BUILTIN_NAMES: Final = frozenset(_RULES) | frozenset(SYNONYMS)
INDEXED_NAMES: Final = frozenset(
    ("extract", "zero_extend", "sign_extend", "repeat", "rotate_left", "rotate_right", "divisible")
) | {"int_to_bv", "int2bv", "nat2bv"}


def apply(name: str, args: Args, params: Params = ()) -> Term:
    """The operation of this name, applied; `SortError` where the arguments do not fit."""
    name = SYNONYMS.get(name, name)
    rule = _RULES.get(name)
    if rule is None:
        raise SortError(f"`{name}` is not declared and is no operation of a supported theory")
    if params and name not in INDEXED_NAMES:
        raise SortError(f"`{name}` takes no index")
    return rule(name, params, args)


def constant_array(sort: Sort, element: Term) -> Term:
    """`((as const sort) element)`."""
    if not is_array(sort):
        raise SortError(f"`const` expects an array sort, found {show_sort(sort)}")
    element = _as_sort(element, sort.args[1])
    if element.sort is not sort.args[1]:
        raise SortError(f"`const` expects an element of sort {show_sort(sort.args[1])}")
    return builtin("const", (element,), sort)


def conjunction(terms: Sequence[Term]) -> Term:
    """The conjunction, as small as the number of its parts allows."""
    return TRUE if not terms else terms[0] if len(terms) == 1 else builtin("and", tuple(terms), BOOL)


def disjunction(terms: Sequence[Term]) -> Term:
    """The disjunction, as small as the number of its parts allows."""
    return FALSE if not terms else terms[0] if len(terms) == 1 else builtin("or", tuple(terms), BOOL)


def negation(term: Term) -> Term:
    """The negation, without doubling one that is there already."""
    if term is TRUE:
        return FALSE
    if term is FALSE:
        return TRUE
    if term.kind is Kind.BUILTIN and term.name == "not":
        return term.args[0]
    return builtin("not", (term,), BOOL)


def equation(left: Term, right: Term) -> Term:
    return apply("=", (left, right))


def conjuncts(term: Term) -> list[Term]:
    """The parts of a nested conjunction from left to right, without `true`."""
    parts: list[Term] = []
    stack = [term]
    while stack:
        node = stack.pop()
        if node.kind is Kind.BUILTIN and node.name == "and":
            stack.extend(reversed(node.args))
        elif node is not TRUE:
            parts.append(node)
    return parts
