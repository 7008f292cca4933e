"""The user's config: names of NVTX ranges that belong to a cause, and the user's own causes."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.pipeline.causes import known
from gapfinder.pipeline.patterns import check_patterns
from gapfinder.system.small_files import own_folder, read_small
from gapfinder.system.texts import as_path

LOCAL = Path("gapfinder.toml")
NAMES = "names"  # the table of patterns by cause
CAUSES = "causes"  # the folder beside the config file that holds the user's causes, one .sql file each


@dataclass(frozen=True)
class Config:
    """The built-in knowledge about causes, extended by the user.

    `patterns` are regular expressions for names of NVTX ranges, by cause; `causes` all causes, by id; `files` what it was read
    from.
    """

    patterns: dict[str, list[str]]
    causes: dict[str, CauseSpec]
    files: tuple[Path, ...] = ()


def read_config(file: str | os.PathLike[str] | None = None, *, users: bool = True) -> Config:
    """The config in `file`; by default that in ./gapfinder.toml, or else in the user's config folder. Raises UsageError.

    Without `users`, only the built-in knowledge.
    """
    if not users:
        return _config(known(), {}, ())
    path, there, cause_files = _found(file)
    causes = known(cause_files)
    names = _names(path) if there or file is not None else {}  # one that was named must be there
    for cause in names:
        if cause not in causes:
            raise UsageError(
                f"{path}: there is no cause {cause!r}{did_you_mean(cause, causes)}; the causes are {', '.join(sorted(causes))}"
            )
    return _config(causes, names, (*there, *cause_files))


def files_of(file: str | os.PathLike[str] | None) -> list[Path]:
    """The files that `read_config` reads."""
    _, there, cause_files = _found(file)
    return [*there, *cause_files]


def own_causes(file: Path) -> list[Path]:
    """The files of the user's own causes, in the folder beside a config file."""
    return sorted((file.parent / CAUSES).glob("*.sql"))


def _found(file: str | os.PathLike[str] | None) -> tuple[Path, list[Path], list[Path]]:
    """The config file, named or usual; the same as a list, empty if it is not there; the user's own causes. Raises UsageError."""
    try:
        path = _usual_file() if file is None else as_path(file)
        return path, [path] if path.is_file() else [], own_causes(path)
    except OSError as error:  # after `su`, the folder is another user's
        raise UsageError(
            f"{error.filename} cannot be read ({error.strerror}): name another config with --config, "
            "or set XDG_CONFIG_HOME to a folder of your own"
        ) from error


def _config(causes: dict[str, CauseSpec], names: dict[str, list[str]], files: tuple[Path, ...]) -> Config:
    patterns = {cause: [*causes[cause].range_names, *names.get(cause, [])] for cause in causes}
    return Config({cause: found for cause, found in patterns.items() if found}, causes, files)


def _usual_file() -> Path:
    """The config file that is used if none is named. It need not exist."""
    return LOCAL if LOCAL.is_file() else own_folder() / "config.toml"


def _names(file: Path) -> dict[str, list[str]]:
    try:
        settings = tomllib.loads(read_small(file))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is no config file: {error}") from error
    if unknown := settings.keys() - {NAMES}:
        raise UsageError(f"{file}: there is no setting {min(unknown)!r}: a config file has patterns by cause under [{NAMES}]")
    names = settings.get(NAMES, {})
    if not isinstance(names, dict) or not all(isinstance(found, list) for found in names.values()):
        raise UsageError(f"{file}: expected lists of patterns by cause under [names], as in: input_pipeline = ['feeder']")
    try:
        check_patterns(pattern for found in names.values() for pattern in found)
    except ValueError as error:
        raise UsageError(f"{file}: {error}") from error
    return names
