"""Makes a page: one HTML file that holds its styles, scripts and data, and loads nothing from elsewhere."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path, PurePath
from string import Template
from typing import Any

from gapfinder.pipeline.glossary import glossary
from gapfinder.report.guides import as_html

PAGE = Path(__file__).parent / "page"
PATH_PARTS = 2  # of the path of a source file that stay; the folders above would show whose machine it was
LIBRARY = PAGE / "vendor" / "echarts"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:function|const) (\w+)", re.MULTILINE)
# Characters that could end the script element with the data, and two that older JavaScript took for the end of a line.
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def page(title: str, data: dict[str, Any], script: str) -> str:
    """The page as HTML. `script` is the module of `page/js` that draws `data`."""
    styles = "\n".join(file.read_text(encoding="utf-8") for file in sorted((PAGE / "css").glob("*.css")))
    library = (LIBRARY / "echarts.js").read_text(encoding="utf-8").rstrip()
    code = bundle(script)
    return Template((PAGE / "page.html").read_text(encoding="utf-8")).substitute(
        title=escape(title),
        policy=f"default-src 'none'; img-src data:; style-src {_hash(styles)}; script-src {_hash(library)} {_hash(code)}",
        styles=styles,
        library=library,
        code=code,
        glossary="\n".join(
            f'<dt id="word-{word.replace(" ", "-")}" tabindex="-1">{escape(word)}</dt><dd>{escape(meaning)}</dd>'
            for word, meaning in glossary().items()
        ),
        guides=as_html(),
        licences=escape((LIBRARY / "LICENSE").read_text(encoding="utf-8")),
        data=to_json(data),
    )


def to_json(data: dict[str, Any]) -> str:
    """The data as JSON that is safe inside a script element, whatever strings it holds."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


@cache
def bundle(script: str) -> str:
    """A module of `page/js` and all modules that it imports, as one script: a browser loads no modules from local files.

    Each module becomes a function that returns its exports. A module comes after the modules that it imports.
    """
    files: list[str] = []
    _collect(script, files)
    return "\n".join(["const modules = {};", *(_as_function(file) for file in files)])


def _collect(file: str, files: list[str]) -> None:
    for _, imported in _IMPORT.findall((PAGE / "js" / file).read_text(encoding="utf-8")):
        if imported not in files:
            _collect(imported, files)
    files.append(file)


def _as_function(file: str) -> str:
    text = (PAGE / "js" / file).read_text(encoding="utf-8")
    exports = ", ".join(_EXPORT.findall(text))
    code = _IMPORT.sub(r'const {\1} = modules["\2"];\n', text)
    code = re.sub(r"^export ", "", code, flags=re.MULTILINE)
    return f'modules["{file}"] = (() => {{\n{code}return {{ {exports} }};\n}})();'


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def sentence(text: str | None) -> str | None:
    """A text that starts with a small letter, as a sentence; None stays None."""
    return text and f"{text[0].upper()}{text[1:]}."


def shorten_paths(text: str, lines: Iterable[str]) -> str:
    """The text with the paths of these source lines shortened to the folder and the file."""
    for line in lines:
        text = text.replace(line, "/".join(PurePath(line).parts[-PATH_PARTS:]))
    return text
