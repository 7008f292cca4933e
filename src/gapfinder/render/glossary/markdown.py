"""Words and what they mean, as Markdown."""


def render(words: dict[str, str], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """A list of the words, each with its meaning."""
    return "".join(f"- **{word}**: {meaning}\n" for word, meaning in words.items())
