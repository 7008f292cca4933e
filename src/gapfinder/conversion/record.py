"""The record of a conversion, and the digest by which it is known whether its relations are still the same."""

from gapfinder.ingest.nsys.load import declaration
from gapfinder.ingest.nsys.record import Record, digest, reading
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import defined
from gapfinder.resources import __version__


def record_of(source: str, tables: set[str], options: Options, config: Config) -> Record:
    """That of a trace which this gapfinder computed; `source` is its file name, `tables` what the export has."""
    return Record(__version__, source, sorted(tables), reading(), computing(options, config))


def computing(options: Options, config: Config) -> str:
    """A digest of all that the relations of a trace depend on, but for the trace."""
    made = defined(config, options, ())
    return digest([__version__, declaration(), [(name, made[name].sql, made[name].comments) for name in sorted(made)]])
