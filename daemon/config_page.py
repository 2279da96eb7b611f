"""Makes docs/configuration.md from the structs: python -m daemon.config_page > docs/configuration.md"""

from __future__ import annotations

from collections.abc import Iterator

from daemon.config import NEEDS_RESTART, SECTIONS, options
from daemon.documented import summary_of

_HEAD = """\
# The configuration of the daemon

One TOML file. This page is made from the code, like the file that

    hornblower config init /etc/hornblower/hornblower.toml

writes, in which every option stands with its default, commented out. `-` instead of a path prints it.

    hornblower config check FILE    # what is wrong with it, if anything; the exit codes are those of the daemon
    hornblower config show FILE     # what is in force, defaults included

Where no FILE is named, /etc/hornblower/hornblower.toml is meant. An option that does not exist is refused, with the one
that may have been meant. Relative paths are meant from where the file lies.

A running daemon reads the file again on SIGHUP (`systemctl reload hornblower`). It looks at it in the same way as when
it starts; a file that cannot be used is refused with a `reload_refused` event, and the old one stays in force. Queries
under way are finished as they were begun. These take effect only at the next start: RESTART.
"""


def page() -> str:
    names = ", ".join(f"`{name}`" for name in NEEDS_RESTART)
    return "\n".join([_HEAD.replace("RESTART", names), *_sections()])


def _sections() -> Iterator[str]:
    for section, kind in SECTIONS.items():
        rows = [
            f"| `{name.partition('.')[2]}` | `{default}` | {words} |"
            for name, default, words in options()
            if name.startswith(f"{section}.")
        ]
        yield "\n".join(
            [
                f"## `[{section}]`",
                "",
                summary_of(kind),
                "",
                "| option | default | meaning |",
                "|---|---|---|",
                *rows,
                "",
            ]
        )


if __name__ == "__main__":
    print(page(), end="")
