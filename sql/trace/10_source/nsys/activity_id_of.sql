-- Macro `activity_id_of`: the number of an activity among all, from that of its row among those of its kind, which are in a table
-- each. `kind` is kernel, copy, memset or graph.
CREATE MACRO activity_id_of(kind, row_number) AS CAST(
    4 * row_number + list_position(['kernel', 'copy', 'memset', 'graph'], kind) - 1 AS INTEGER
);
