-- What there is to query: each relation with its columns. A view in `main` hides the one of the same name in `trace`. Where a
-- column has no comment in `main`, it has the comment from `trace`.
-- reads: everything
CREATE VIEW main.catalogue AS
WITH relations AS (
    SELECT schema_name, view_name AS name, comment FROM duckdb_views() WHERE NOT internal
    UNION ALL
    SELECT schema_name, table_name, comment FROM duckdb_tables() WHERE NOT internal
),

columns AS (
    SELECT
        schema_name,
        table_name,
        column_name,
        column_index,
        data_type,
        coalesce(comment, first(comment) OVER (PARTITION BY table_name, column_name ORDER BY schema_name DESC)) AS meaning
    FROM duckdb_columns()
    WHERE NOT internal AND schema_name IN ('main', 'trace')
)

SELECT
    c.table_name AS relation,
    r.comment AS relation_meaning,
    c.column_name AS "column",
    CASE WHEN c.data_type LIKE 'ENUM%' THEN 'VARCHAR' ELSE c.data_type END AS "type",
    c.meaning,
    c.column_index AS place
FROM columns AS c
INNER JOIN relations AS r ON r.schema_name = c.schema_name AND r.name = c.table_name
QUALIFY c.schema_name = min(c.schema_name) OVER (PARTITION BY c.table_name)
ORDER BY relation, place;

COMMENT ON VIEW main.catalogue IS 'what there is to query: every relation with its columns, their types and meanings';
COMMENT ON COLUMN main.catalogue.relation IS 'name of the view or table';
COMMENT ON COLUMN main.catalogue.relation_meaning IS 'what a row of it is';
COMMENT ON COLUMN main.catalogue."column" IS 'name of the column';
COMMENT ON COLUMN main.catalogue."type" IS 'type of the column';
COMMENT ON COLUMN main.catalogue.meaning IS 'meaning of the column, with its unit';
COMMENT ON COLUMN main.catalogue.place IS 'place of the column in the relation, from 1';
