"""The questions of `sql/cookbook`: one file each, whose first line is the question and whose second says what to look at."""

from pathlib import Path

from gapfinder import resources


def questions() -> dict[Path, str]:
    """The question that each file answers."""
    files = sorted((resources.folder("sql") / "cookbook").glob("*.sql"))
    return {file: file.read_text().partition("\n")[0].removeprefix("-- ") for file in files}


def table() -> str:
    """The questions as a Markdown table with links, as `sql/cookbook/README.md` shows it."""
    rows = [f"| {question} | [{file.name}]({file.name}) |" for file, question in questions().items()]
    return "\n".join(["| question | query |", "| --- | --- |", *rows])


if __name__ == "__main__":
    print(table())  # noqa: T201  `python -m gapfinder.cookbook` writes what the README of the cookbook is checked against
