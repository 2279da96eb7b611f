"""Who decides, who is certified, and who is wrong: by certificates, never by majority."""

from backends.answer import Verdict
from backends.examination import Standing
from chc.witness import Truth
from daemon.agreement import Cell, Line, matrix_of, truth_of

SOLVERS = ("a", "b", "c")


def cell(instance: str, solver: str, verdict: Verdict | None, witness: Standing = Standing.absent) -> Cell:
    return Cell(instance, f"{instance}.smt2", solver, verdict, 1.0, witness)


def line(cells: list[Cell], solver: str) -> Line:
    return next(each for each in matrix_of(cells, SOLVERS).lines if each.solver == solver)


def test_a_majority_proves_nothing() -> None:
    """Nobody is called wrong where nobody has a certificate."""
    cells = [cell("x", "a", Verdict.sat), cell("x", "b", Verdict.unsat), cell("x", "c", Verdict.unsat)]
    matrix = matrix_of(cells, SOLVERS)
    (found,) = matrix.contradictions
    assert (("a",), ("b", "c"), None, ()) == (found.sat, found.unsat, found.truth, found.wrong)
    assert [0, 0, 0] == [each.wrong for each in matrix.lines]


def test_one_certificate_outweighs_all_others() -> None:
    """Those who say the opposite are wrong, and whoever says the same is confirmed."""
    cells = [cell("x", "a", Verdict.sat, Standing.valid), cell("x", "b", Verdict.unsat), cell("x", "c", Verdict.unsat)]
    matrix = matrix_of(cells, SOLVERS)
    (found,) = matrix.contradictions
    assert (Truth.sat, ("a",), ("b", "c")) == (found.truth, found.certified_by, found.wrong)
    assert [(1, 1, 0), (0, 0, 1), (0, 0, 1)] == [(each.certified, each.confirmed, each.wrong) for each in matrix.lines]


def test_certificates_that_contradict_each_other_prove_nothing() -> None:
    """A checker is wrong then, or we are."""
    cells = [cell("x", "a", Verdict.sat, Standing.valid), cell("x", "b", Verdict.unsat, Standing.valid)]
    assert truth_of(cells) is None
    assert (None,) == tuple(each.truth for each in matrix_of(cells, SOLVERS).contradictions)


def test_who_is_alone_in_deciding() -> None:
    """Others that give up, fail or do not support it do not count."""
    cells = [
        cell("x", "a", Verdict.sat),
        cell("x", "b", Verdict.timeout),
        cell("x", "c", None),
        cell("y", "a", Verdict.sat),
        cell("y", "b", Verdict.sat),
        cell("y", "c", Verdict.crash),
    ]
    assert [1, 0, 0] == [line(cells, name).alone for name in SOLVERS]
    assert (1, 1, 1) == (line(cells, "c").asked, line(cells, "c").unsupported, line(cells, "c").failed)
    assert (2, 2, 0, 1.0) == (
        line(cells, "a").decided,
        line(cells, "a").sat,
        line(cells, "a").unsat,
        line(cells, "a").median_seconds,
    )


def test_an_invalid_witness_is_listed() -> None:
    """The verdict may be right all the same."""
    cells = [cell("x", "a", Verdict.sat, Standing.invalid), cell("x", "b", Verdict.sat, Standing.valid)]
    matrix = matrix_of(cells, SOLVERS)
    assert ((cells[0],), ()) == (matrix.invalid, matrix.contradictions)
    assert (1, 1, 0) == (matrix.lines[0].invalid, matrix.lines[0].confirmed, matrix.lines[0].wrong)
