"""An open knowledge base in a directory of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge_base.store import KnowledgeBase, open_knowledge_base


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with open_knowledge_base(tmp_path / "state") as opened:
        yield opened
