"""The layers of `sql/`: what they may read, and what they must say of themselves."""

import re
from pathlib import Path

import duckdb
import pytest
from synthetic import MS, Synthetic, tuples

from gapfinder import causes, layers
from gapfinder.catalogue import catalogue

FILES = [(number, file) for number, layer in enumerate(layers.names()) for file in sorted(layers.files(layer))]
CAUSES = sorted(layers.files("4_causes"))


def name(file):
    return f"{file.parent.name}/{file.name}" if isinstance(file, Path) else None


each_file = pytest.mark.parametrize("file", [file for _, file in FILES], ids=name)


@pytest.mark.parametrize(("number", "file"), FILES, ids=name)
def test_a_layer_reads_only_itself_and_lower_ones(number, file):
    higher = {made for above, other in FILES if above > number for made in layers.created(other)}
    code = re.sub(r"--.*", "", layers.definitions(file))
    code = re.sub(r"'[^']*'", lambda text: "''" if " " in text[0] else text[0], code)  # sentences may speak of anything
    assert not set(re.findall(r"\w+", code)) & higher


@each_file
def test_comments_close_a_file(file):
    closing = file.read_text().removeprefix(layers.definitions(file))
    statements = [statement.query.strip() for statement in duckdb.extract_statements(closing)]
    assert [statement for statement in statements if not statement.startswith("COMMENT ON")] == []


@each_file
def test_names_are_made_once(file):
    others = {made for _, other in FILES if other != file for made in layers.created(other)}
    assert not set(layers.created(file)) & others


@pytest.mark.parametrize("file", CAUSES, ids=name)
def test_a_cause_has_its_claims_and_its_fix(file):
    assert f"fix_{file.stem}" in layers.created(file)
    assert claimed(file)


def claimed(file):
    """What a cause claims by, and the key of such a claim."""
    return {kind: key for kind, (key, _) in causes.KINDS.items() if f"{kind}_{file.stem}" in layers.created(file)}


@pytest.fixture(scope="module")
def computing():
    """A trace of which nothing is lost."""
    trace = Synthetic()
    trace.kernel(0, MS, launched=(0, 1))
    with trace.analysed() as analysis:
        yield analysis


def test_everything_has_a_comment():
    without = [relation.name for relation in catalogue().values() if not relation.meaning]
    for relation in catalogue().values():
        without += [f"{relation.name}.{column.name}" for column in relation.columns if not column.meaning]
    assert without == []


def test_everything_of_a_job_has_a_comment():
    """Its relations are in a database of their own, which no catalogue lists."""
    connection = duckdb.connect()
    layers.run(connection, "job", comments=True)
    for of, what in (("duckdb_tables()", "table_name"), ("duckdb_views()", "view_name"), ("duckdb_columns()", "column_name")):
        there = f"SELECT {what} FROM {of} WHERE NOT internal AND schema_name = 'main' AND coalesce(comment, '') = ''"
        assert connection.execute(there).fetchall() == []


def test_everything_is_in_the_catalogue(computing):
    there = {row["relation"] for row in computing.rows("FROM catalogue")}
    assert there - set(causes.KINDS) == set(catalogue())  # these are made of the views of the causes


@pytest.mark.parametrize("file", CAUSES, ids=name)
def test_claims_have_the_same_columns(computing, file):
    for kind, key in claimed(file).items():
        assert [column for column, *_ in tuples(computing, f"DESCRIBE {kind}_{file.stem}")] == [key, "precedence", "basis"]


@pytest.mark.parametrize("file", CAUSES, ids=name)
def test_a_cause_is_silent_where_it_lost_nothing(computing, file):
    """The GPU computes all along."""
    if "claims" in claimed(file):
        assert tuples(computing, f"FROM claims_{file.stem}") == []
