"""The guides: Markdown files that ship with the package, each about one question."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gapfinder.errors import UsageError, did_you_mean

# In the order in which one needs them; a guide that is not named here comes after these.
ORDER = (
    "capture",
    "output",
    "whatif",
    "compare",
    "jobs",
    "fleets",
    "sql",
    "python",
    "agents",
    "redaction",
    "decisions",
    "replay",
    "damage",
    "causes",
    "accuracy",
    "performance",
    "completion",
    "contributing",
)
_LINK = re.compile(r"(!?)\[([^\]]+)\]\(([^)]+)\)")


@dataclass(frozen=True)
class Guide:
    """A guide: its topic, its title, the question that it answers, and its whole text in Markdown."""

    topic: str
    title: str
    question: str
    text: str


def guides() -> list[Guide]:
    """Every guide, in the order in which one needs them."""
    return sorted(_read(), key=lambda guide: (ORDER.index(guide.topic) if guide.topic in ORDER else len(ORDER), guide.topic))


def guide_of(topic: str) -> Guide:
    """The guide of that topic. Raises UsageError where there is none."""
    found = {guide.topic: guide for guide in guides()}
    if topic not in found:
        raise UsageError(f"there is no guide {topic!r}{did_you_mean(topic, found)}; the topics are {', '.join(found)}")
    return found[topic]


def index() -> str:
    """Links to all guides in Markdown, from the folder of the repository: one paragraph."""
    links = [f"[{guide.title}](src/gapfinder/guides/{guide.topic}.md)" for guide in guides()]
    return " ·\n".join(" · ".join(links[at : at + 2]) for at in range(0, len(links), 2)) + "\n"


def with_generated(text: str, name: str, generated: str) -> str:
    """A document with the part that `name` generates, which stands between two comments."""
    marks = re.compile(rf"(<!-- by {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    return marks.sub(lambda found: found[1] + generated + found[2], text)


def with_links(text: str, link: Callable[[str, Path], str]) -> str:
    """A text without images, in which `link` writes what is a link to a file of the repository, from its words and the path."""

    def written(found: re.Match[str]) -> str:
        is_image, words, target = found.groups()
        if is_image:
            return ""
        return found[0] if "://" in target else link(words, Path(target.partition("#")[0]))

    return _LINK.sub(written, text)


def _read() -> Iterator[Guide]:
    for file in Path(__file__).parent.glob("*.md"):
        text = file.read_text(encoding="utf-8")
        title, question = [part for part in text.split("\n\n", 2) if part][:2]
        yield Guide(file.stem, title.removeprefix("# "), question.replace("\n", " "), text)
