"""Keeps credentials out of what is stored and shown: the users, passwords and signatures in addresses of traces."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

# An address in a text: what it begins with, user and password, the path, and parameters. A key of S3 may have a slash; a number
# after a colon is a port.
_ADDRESS = re.compile(
    r"([A-Za-z][\w+.-]*://)(?:[^/:@\s'\"]*:(?!\d+/)[^\s'\"]*@|[^/\s]*@)?([^\s?#'\"]*)(?:[?#][^\s'\"]*=[^\s'\"]*)?"
)
# Parameters of presigned addresses of S3, Google, Azure and others, which change from day to day for one and the same file.
_SIGNED = re.compile(
    r"(?i)x-(amz|goog|oss|cos|obs)-.*|awsaccesskeyid|googleaccessid|ossaccesskeyid|accesskeyid|signature|expires|policy|"
    r"key-pair-id|s[vertps]|sig|spr|srt|sdd|sip|sk[tesv]|skoid|sktid|saoid|suoid|scid|.*(token|api_?key|secret|password|auth).*"
)


def without_credentials(text: str) -> str:
    """A text whose addresses end with their path, and name no user."""
    return _ADDRESS.sub(r"\1\2", text)


def unsigned(url: str) -> str:
    """An address without user, password and signature; other parameters stay, because they may say which file it is."""
    parts = urlsplit(url)
    if not parts.scheme.startswith("http"):  # elsewhere ? and # are characters of names
        return re.sub(r"://[^/]*@", "://", url)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _SIGNED.fullmatch(name)]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, urlencode(kept), ""))


def as_utf8(path: str) -> str:
    """A path as it is stored and shown: bytes that are no text become `�`."""
    return path.encode(errors="surrogateescape").decode(errors="replace")
