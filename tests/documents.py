"""The documents: README.md and the guides. What they show of gapfinder is what it prints.

`python tests/documents.py` runs their examples again, and writes what is printed and what is generated. An example is a block of
commands with what they print, one after the other in a folder of their own. A document may show a file for them: a block after a
sentence that ends with the path of the file.
"""

import os
import re
import shlex
import tempfile
from contextlib import chdir
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
EXAMPLE = re.compile(r"^```\n(\$ gapfinder .*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (gapfinder (?:.*\\\n)*.*)\n", re.MULTILINE)
FILE = re.compile(r"`~/([^`\s]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
GENERATED = {
    "gapfinder.pipeline.causes": lambda: causes.table() + "\n",
    "gapfinder.guides": guides.index,
    "gapfinder.capture.recordings": recordings.table,
}


def printed(example, files=()):
    """What the commands of an example print, their errors too; they find the fixtures, and the files in a home of their own."""
    with tempfile.TemporaryDirectory() as home, chdir(home):
        for name, text in files:
            place = Path(home, name)
            place.parent.mkdir(parents=True)
            place.write_text(text)
        own = {"HOME": home, "XDG_CONFIG_HOME": os.path.join(home, ".config")}  # noqa: PTH118  a text
        return "".join(f"$ {command}\n{_printed(command, own)}" for command in COMMAND.findall(example))


def _printed(command, environment):
    words = shlex.split(command.replace("\\\n", ""))[1:]  # as a shell reads a command on several lines
    arguments = [str(ROOT / word) if word.split("/")[0] == "fixtures" else word for word in words]
    done = CliRunner(env=environment).invoke(gapfinder, arguments)
    error = f"gapfinder: {done.exception}" if isinstance(done.exception, GapfinderError) else ""
    found = (done.output + error).replace(f"{ROOT}/", "").rstrip("\n")
    return f"{found}\n" if found else ""


def examples(text):
    """The examples in a document, and the files that it shows for them."""
    return EXAMPLE.findall(text), FILE.findall(text)


def written(document):
    """What the document should be."""
    text = document.read_text()
    for name, generate in GENERATED.items():
        text = with_generated(text, name, generate())
    files = FILE.findall(text)
    return EXAMPLE.sub(lambda example: f"```\n{printed(example[1], files)}```", text)


if __name__ == "__main__":
    for each in DOCUMENTS:
        each.write_text(written(each))
