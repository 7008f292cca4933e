import pytest
from outcome import outcome
from samples import full


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """The diagnosis of the full trace without any damage."""
    return outcome(full().write(tmp_path_factory.mktemp("whole") / "t.sqlite"))
