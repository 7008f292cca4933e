"""The documents: README.md and the guides. What they show of gapfinder is what it prints.

`python tests/documents.py` runs their examples again, and writes what is printed and what is generated.
"""

import re
import shlex
from pathlib import Path

from click.testing import CliRunner
from unpack import ROOT

from gapfinder import guides
from gapfinder.capture import recordings
from gapfinder.cli.main import gapfinder
from gapfinder.errors import GapfinderError
from gapfinder.guides import with_generated
from gapfinder.pipeline import causes

DOCUMENTS = [ROOT / "README.md", *sorted(Path(guides.__path__[0]).glob("*.md"))]
EXAMPLE = re.compile(r"```\n\$ (gapfinder .*?)\n(?:(.*?)\n)??```", re.DOTALL)
GENERATED = {
    "gapfinder.pipeline.causes": lambda: causes.table() + "\n",
    "gapfinder.guides": guides.index,
    "gapfinder.capture.recordings": recordings.table,
}


def printed(command):
    """What a command of gapfinder prints, its error too; it finds the fixtures from any folder."""
    arguments = [str(ROOT / word) if word.split("/")[0] == "fixtures" else word for word in shlex.split(command)[1:]]
    done = CliRunner().invoke(gapfinder, arguments)
    error = f"gapfinder: {done.exception}" if isinstance(done.exception, GapfinderError) else ""
    return (done.output + error.replace(f"{ROOT}/", "")).rstrip("\n")


def examples(document):
    """The commands in a document, each with what the document shows of it."""
    return EXAMPLE.findall(document.read_text())


def written(document):
    """What the document should be."""
    text = document.read_text()
    for name, generate in GENERATED.items():
        text = with_generated(text, name, generate())
    return EXAMPLE.sub(lambda example: f"```\n$ {example[1]}\n{printed(example[1])}\n```", text)


if __name__ == "__main__":
    for each in DOCUMENTS:
        each.write_text(written(each))
