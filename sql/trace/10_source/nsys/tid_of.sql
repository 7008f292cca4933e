CREATE MACRO tid_of(global_id) AS CAST(global_id & 16777215 AS INTEGER);
