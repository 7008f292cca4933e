-- Macro `tid_of`: the thread id in a globalTid, which is its lowest 24 bits.
CREATE MACRO tid_of(global_id) AS CAST(global_id & 16777215 AS INTEGER);
