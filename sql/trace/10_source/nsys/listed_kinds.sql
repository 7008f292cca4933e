-- Macro `listed_kinds`: the names and labels of an ENUM_ table by id. A damaged export may list a kind twice.
CREATE MACRO listed_kinds(enumeration) AS TABLE
    SELECT id, min(name) AS name, min(label) AS label FROM query_table(enumeration) GROUP BY id;
