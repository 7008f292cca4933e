"""Finds paths, addresses, hosts and users in a text, and takes them out."""

import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import unquote

# Repeats have limits, or match a text in one way only, so that each pattern takes time in proportion to it, whatever it is.
# The name of a folder. Brackets belong to it where they are closed, a quote in a word, and a colon, comma and the like where the
# name goes on behind it. It does not in /a:/b and x=/a,y=/b, where another path begins, and in train.py:40 load/x.
LETTER = r"""[^\s/\\:;,'"`()<>|]"""
WORD = r"""[^\s/\\:;,'"`<>|]*[^\s/\\:;,'"`<>|=]"""
GOES_ON = rf"""(?={WORD}[/\\:;,'"`|])"""
QUOTE_IN_WORD = r"""(?<=\w)['"`](?=\w)"""
PART_OF_NAME = rf"""{LETTER}|\({LETTER}*\)|{QUOTE_IN_WORD}|[:;,|]+{GOES_ON}"""
# White space in the name of a folder: no path or option begins behind it.
SPACE = rf"""[^\S\n]+(?!-\w|[~$]|\.\.?[/\\])(?={WORD}[\s/\\:;,'"`|])"""
FOLDERS = rf"(?:(?:{PART_OF_NAME}|{SPACE})+[/\\]+)*"
# A URL, and a query (?name=value), which may also stand behind a file.
URL = re.compile(
    r"""\b(?!file:///)[A-Za-z][\w+.-]{0,30}://(?:[^\s'"`()<>|]|\([^\s'"`()<>|]*\))*"""
    rf"(?:(?<![,;:.]){SPACE}(?:{PART_OF_NAME}|{SPACE})*[/\\]+{FOLDERS}{LETTER}*)?"
)
QUERY = re.compile(r"""(?<=[\w.)/\\])\?[\w.~%+-]{1,64}=[^\s/\\'"`<>|]+""")
# An absolute path (it may have a drive letter), anywhere in a text. Its first folder has no white space: "GET /health a/b" has no
# path, and /job:x/task:0 is a device of TensorFlow.
PATH = re.compile(
    rf"(?:(?<![\w.)\]/\\])|(?<=\s-[A-Za-z])|(?<=^-[A-Za-z]))(?:~[\w.-]{{0,64}}|[A-Za-z]:)?"
    rf"[/\\]+(?!(?:job|replica|task|device):)(?:{PART_OF_NAME})+[/\\]+{FOLDERS}{LETTER}*"
)
HOME_NAMES = r"(?i:homes?\d{0,3}|users?)"
# Folders that are a path after any character, and those of a drive, whose own folders may have spaces and commas in their names.
ANY_FOLDERS = rf"""(?:(?:[^/\\:;'"`<>|]|{QUOTE_IN_WORD}|[:;|]+{GOES_ON})+[/\\]+)*"""
ROOTED = re.compile(
    rf"(?:\b[A-Za-z]:)?(?<![/\\])[/\\]+(?:beegfs|ceph|data\d*|efs|etc|fsx|gpfs|{HOME_NAMES}|lustre|media|mnt|nas|nfs|opt|private|projects?|raid\d*|root"
    rf"|scratch|shared|srv|storage|tmp|usr|var|vast|Volumes|work|workspaces?)[/\\]+{ANY_FOLDERS}{LETTER}*"
)
DRIVE = re.compile(rf"\b[A-Za-z]:\\+{ANY_FOLDERS}{LETTER}*")
# The same without its first slash, where the first folder is no word of a model or of a phase.
ROOTLESS = re.compile(
    r"(?<![\w.)\]/\\-])(?:(?:[Hh]omes?|Users)[/\\]+|(?:beegfs|gpfs|lustre|mnt|nfs|scratch|Volumes)[/\\]+"
    rf"(?=(?:{PART_OF_NAME})+[/\\]))(?={LETTER}){FOLDERS}{LETTER}*"
)
# An absolute path in quotes, whose folders may have any names.
QUOTED = re.compile(
    "|".join(rf"(?<={quote})(?:[A-Za-z]:)?[/\\]+(?:[^{quote}/\\]+[/\\]+)+[^{quote}/\\]+(?={quote})" for quote in "'\"`")
)
# A file in a folder of the program, or of a user; a name with slashes and no ending may be that of a range.
RELATIVE = re.compile(
    r"""(?<![\w.)\]/\\])(?:~[\w.-]{1,64}|\.{1,2})[/\\](?:[\w.@+-]{1,128}[/\\]){1,64}[\w@+-]{1,128}\b(?![\w.]{0,128}[/\\.])"""
    r"""|"""
    r"""(?<![\w.)\]/\\])(?:~[\w.-]{1,64}|\.{1,2}|[\w.@+-]{1,128})[/\\](?:[\w.@+-]{1,128}[/\\]){0,64}[\w@+-]{1,128}(?:\.[A-Za-z]\w{0,7}){1,8}\b"""
)
# A user, by himself or at a host: ~alice, alice@host, alice@10.0.0.7, alice:password@host.corp. A destructor, as of a C++ class,
# has brackets behind.
IPV4 = r"\d{1,3}(?:\.\d{1,3}){3}"
AT_HOST = (
    r"""\b[\w.+'-]{1,64}(?::[^\s'"`<>]{1,64}(?=@[\w-]{1,63}(?:\.[\w-]|:\d)))?"""
    rf"@(?:[A-Za-z][\w-]*(?:\.[\w-]+)*|{IPV4}|\[{IPV4}\])"
)
USER = re.compile(rf"(?<![\w:~])~[A-Za-z_][\w.-]{{0,64}}(?![\w.(<-])[/\\]?|{AT_HOST}")
# An address of IPv6: in brackets, with three groups or more, or of a local or global network. C++ has names like be::add.
GROUP = "[0-9A-Fa-f]{1,4}"
IPV6 = re.compile(
    rf"\[(?:{GROUP})?(?::{{1,2}}{GROUP})+\](?::\d{{2,5}})?"
    rf"|(?<![\w:])(?:(?:fe80|f[cd][0-9A-Fa-f]{{2}}|2[0-9A-Fa-f]{{3}})(?::{{1,2}}{GROUP})+"
    rf"|(?=[\w:]*::){GROUP}(?::{{1,2}}{GROUP}){{2,6}}|{GROUP}(?::{GROUP}){{7}})(?:%[\w.-]{{1,32}})?(?![\w:])"
)
# An address, or a host with its port; train.py:40 is a line of a file. A host without a dot has a number, as gpu-node-17:29500,
# and a port beyond those of layer1:1024, unless it has a hyphen. Without a port, a host with a number or a hyphen in a domain
# that is only inside of a network; layer2.local may be a part of a model.
DOMAIN = r"[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}"
HOST = re.compile(
    rf"\b(?:{IPV4}(?::\d+)?|(?:localhost|{DOMAIN}"
    r"\.(?!(?:c|cc|cpp|cu|cuh|cxx|go|h|hh|hpp|java|jl|js|py|pyc|pyi|pyx|rs|so|ts)\b)[A-Za-z][\w-]*):\d{2,5}"
    r"|(?=[\w-]{0,62}\d)[A-Za-z]\w{0,62}(?:-[\w-]{1,62}:\d{4,5}|:[1-6]\d{4})"
    r"|(?=[\w.-]{0,254}[\d-])(?:[\w-]{1,63}\.){1,8}(?:cluster\.local|corp|internal|intranet|lan|localdomain)(?![\w.(=-]))\b"
)
# A host, or a store of a cloud, that is told by the path behind it: one in a domain (actor.net/conv1 may be a layer), one that
# ssh connects to, a file server, as nas1:/x, and s3:bucket/x. step-3:load/x is none.
HOST_OF_PATH = re.compile(
    rf"\b{DOMAIN}\.(?:(?:ai|cloud|com|edu|gov|org|windows\.net)(?=/)"
    r"|(?:app|ch|cn|co|de|dev|eu|fr|io|jp|kr|net|nl|uk|us)(?=/[^\s/]{1,255}/))"
    rf"|\b{DOMAIN}\.[\w-]{{1,63}}(?=:[/\\])|(?:(?<=\bssh\s)|(?<=\bscp\s)|(?<=\brsync\s)){DOMAIN}(?=:\S)"
    r"|\b(?:\w{0,62}(?:filer|server|storage)\d{0,8}|(?:dgx|nas|nfs|node)\d{0,8}|(?=[\w-]{0,62}\d)[A-Za-z]\w{0,62}-[\w-]{1,62})"
    r"(?=:[/\\])|\b(?:abfss?|adls?|az|dbfs|gcs|gs|hdfs|hf|oss|rclone|s3[an]?|wasbs?)(?=:\w)"
)
# A path in a folder that a variable of the environment names, or on a host.
NAMED_FOLDER = re.compile(rf"(?:\$\w{{1,64}}|\$\{{\w{{1,64}}\}})[/\\]+{FOLDERS}{LETTER}*")
REMOTE = re.compile(
    rf"(?:{AT_HOST}(?::\d{{1,5}}(?=/))?|\[[0-9A-Fa-f:]{{2,45}}\]:\d{{1,5}}|{HOST.pattern}|{HOST_OF_PATH.pattern})"
    rf"(?::{LETTER}{{1,255}}[/\\]+{FOLDERS}|:?[/\\]+{FOLDERS}){LETTER}*"
)
# The next part is the name of a user, also behind /./ and /x/../, which lead nowhere.
HOMES = rf"(?:[/\\]{HOME_NAMES}|(?<![\w.-])(?:[Hh]omes?|Users))(?:[/\\]+(?:[^/\\]+[/\\]+\.)?\.(?=[/\\])){{0,16}}[/\\]+"
HOME, USERS_HOME = re.compile(f"{HOMES}$"), re.compile(rf"({HOMES})[^/\\]+")
OF_FOLDERS = "_.-+@$~/\\"  # besides letters and digits
# A slash, a colon, @ or a backslash as URLs and HTML write them. Their own % and & may be written so, too, any number of times.
ENCODED = re.compile("%(?:25)*(?:2[Ff]|3[Aa]|40|5[Cc])")
REFERENCE = re.compile("&(?:amp;)*((?:#0*(?:47|58|64|92)|#[Xx]0*(?:2[Ff]|3[Aa]|40|5[Cc])|sol|bsol|colon|commat);)")
# The name of a process may be its command line. An absolute path in it may have white space; any other ends there. Arguments
# begin at a zero byte, or behind white space with an option, a path or a variable. TOKEN=x is no executable.
ABSOLUTE = re.compile(r"(?:[A-Za-z]:)?[/\\]|~|\.\.?[/\\]")
ARGUMENTS = re.compile(
    r"""\0.*|(?<![\s,;])[\s,;]+["']?(?:--?\w|[/\\~$]|\.\.?[/\\]|[A-Za-z]:[/\\]|[A-Za-z][\w+.-]{0,30}:/).*""", re.DOTALL
)
COMMAND = re.compile(r"[\w.+~@:/\\-]++(?!=)")
# The names that an absolute path with white space may show, wherever they stand in it.
KNOWN_EXECUTABLE = re.compile(r"""[/\\](python[\d.]*|[^\s/\\]{1,255}\.exe)(?=["'\s]|$)""")
EXECUTABLE = re.compile(r"(?:[\w.+~-]|::)+")
HIDDEN = "~"


def without_places(text: str) -> str:
    """The text with only the last part of each URL and path, and without users and hosts."""
    return without_people(_without_folders(QUERY.sub("", URL.sub(_in_url, text))))


def without_addresses(text: str) -> str:
    """The text with its paths, and without URLs, users and hosts."""
    return without_people(USERS_HOME.sub(rf"\1{HIDDEN}", HOST_OF_PATH.sub(HIDDEN, QUERY.sub("", URL.sub(HIDDEN, text)))))


def file_name(path: str) -> str:
    """The name of the file that a path or a URL leads to."""
    return without_people(last_part(URL.sub(_in_url, path)))


def decoded(text: str) -> str:
    """The text as it reads without the codes of URLs and HTML, if they hide what separates folders, hosts and users."""
    text = REFERENCE.sub(lambda found: unescape(f"&{found[1]}"), text)
    return unquote(re.sub("%(?:25)+(?=[0-9A-Fa-f]{2})", "%", text)) if ENCODED.search(text) else text


def executable(command: str) -> str:
    """The name of the executable in the name of a process.

    White space in an absolute path may be in the name of a folder, or end the path: then only names that are known are shown.
    """
    command = ARGUMENTS.sub("", command.strip("\"' \t\n"))
    if not ABSOLUTE.match(command):
        command = found[0] if (found := COMMAND.match(command)) else ""
    elif re.search(r"\s", "".join(re.split(r"[/\\]", command)[:-1])):
        command = found[1] if (found := KNOWN_EXECUTABLE.search(command)) else ""
    name = EXECUTABLE.match(without_people(last_part(command)))
    return name[0] if name else HIDDEN


def without_people(text: str) -> str:
    """The text without the names of users and hosts."""
    for pattern in (USER, IPV6, HOST):
        text = pattern.sub(HIDDEN, text)
    return text


def last_part(path: str) -> str:
    """What follows the last slash; the placeholder for a URL that is only a host, and for the home of a user."""
    *folders, last = re.split(r"[/\\]", path)
    only_host = folders[-1:] == [""] and folders[0].endswith(":")
    return HIDDEN if only_host or HOME.search(path.removesuffix(last)) else last


def joined_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order of their starts; those that overlap or touch are one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined


def _without_folders(text: str) -> str:
    """The text with only the last part of each path. Where patterns find parts of one path, it is all that they find together."""
    if "/" not in text and "\\" not in text:
        return text
    spans = [
        match.span()
        for pattern in (QUOTED, ROOTED, ROOTLESS, DRIVE, NAMED_FOLDER, REMOTE, PATH, RELATIVE)
        for match in pattern.finditer(text)
    ]
    kept: list[str] = []
    at = 0
    for found, end in joined_spans(spans):
        start = _start(text, found, at)
        *folders, last = re.split(r"([/\\]+)", text[start:end])
        kept += [text[at:start], HIDDEN if HOME.search("".join(folders)) else last.split("?")[0]]
        at = end
    return "".join([*kept, text[at:]])


def _start(text: str, found: int, after: int) -> int:
    """Where a path starts of which a part was found: there may be folders before it, but `after` this, or an option, as -I."""
    start = found
    while text[found] in "/\\" and start > after and (text[start - 1].isalnum() or text[start - 1] in OF_FOLDERS):
        start -= 1
    return found if re.fullmatch("-[A-Za-z]", text[start:found]) else start


def _in_url(url: re.Match[str]) -> str:
    """The last part of a URL, without what follows its path."""
    return last_part(re.split("[?#]", url[0])[0])
