import pytest
from traces import EXPORT

from gapfinder import convert


@pytest.fixture(scope="session")
def converted(tmp_path_factory):
    """A trace that opens in a tenth of a second."""
    path = tmp_path_factory.mktemp("converted") / "t.duckdb"
    convert(EXPORT, path)
    return path
