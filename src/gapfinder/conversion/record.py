"""Makes the record of a conversion, with a digest that tells whether its relations are up to date."""

from gapfinder.ingest.nsys.load import declaration
from gapfinder.ingest.nsys.record import Record, digest, reading_digest
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import defined
from gapfinder.resources import __version__


def new_record(source: str, tables: set[str], options: Options, config: Config) -> Record:
    """The record of a new conversion. `source` is the file name of the trace, `tables` are the tables of its export."""
    return Record(__version__, source, sorted(tables), reading_digest(), relations_digest(options, config))


def relations_digest(options: Options, config: Config) -> str:
    """A digest of everything that the relations depend on except the trace: gapfinder's version and SQL, options, config."""
    relations = defined(config, options, ())
    sql = [(name, relations[name].sql, relations[name].comments) for name in sorted(relations)]
    return digest([__version__, declaration(), sql])
