"""The verdict between a certificate and a model, wherever something else looks like one."""

import pytest

from backends.printed import Printed, split_output


def test_refutation_before_the_verdict_and_model_behind() -> None:
    """Both sides are passed on as they came."""
    assert Printed("unsat", "(mp a\n b)\n", "\n(x)\n", None) == split_output("(mp a\n b)\nunsat\n(x)\n")


@pytest.mark.parametrize("word", ["sat", "unsat", "unknown", "timeout"])
@pytest.mark.parametrize("ending", ["", "\n", "\r\n", " \t\n"])
def test_verdicts(word: str, ending: str) -> None:
    """Blanks behind the word do no harm."""
    assert word == split_output(f"{word}{ending}").verdict


@pytest.mark.parametrize("text", ["", "satisfied", "is sat", "(sat)", "SAT", "unsat?", "\x00sat", "sat\x00"])
def test_no_verdict(text: str) -> None:
    """Only a word that stands alone on its line is one."""
    assert Printed(None, text, "", None) == split_output(text)


def test_first_verdict_counts() -> None:
    """A second one belongs to a check that nobody asked for."""
    said = split_output("sat\nunsat\n")
    assert ("sat", "\nunsat\n") == (said.verdict, said.after)


def test_error_before_the_verdict() -> None:
    """The first one is kept: z3 has dropped something, so that the verdict is about something else."""
    said = split_output('(error "line 1: a")\n(error "line 2: b")\nsat\n')
    assert ("sat", '(error "line 1: a")') == (said.verdict, said.error)


def test_error_behind_the_verdict_spoils_nothing() -> None:
    """For instance of a model that is not there."""
    said = split_output('unsat\n(error "line 9: model is not available")\n')
    assert ("unsat", None) == (said.verdict, said.error)


@pytest.mark.parametrize("name", ["|a\nsat\nb|", "|\nsat\n|", '|\n(error "no"\n|', "|unsat\nunknown\n|"])
def test_names_in_bars_are_no_verdicts(name: str) -> None:
    """SMT-LIB allows line breaks in them, and whoever generates names may make use of it."""
    before = f"(mp ({name} 3)\n({name} 4))\n"
    assert Printed("unsat", before, "\n", None) == split_output(f"{before}unsat\n")


def test_a_bar_without_its_other_half_hides_nothing() -> None:
    """An error message may cut a name in two."""
    said = split_output('(error "unknown constant |x")\nsat\n(define-fun |y| () Bool true)\n')
    assert ("sat", '(error "unknown constant |x")') == (said.verdict, said.error)
    assert "sat" == split_output("warning: | is odd\nsat\n").verdict
