-- One row where ranks seem to share a GPU: NCCL refuses that, so each has a GPU of its own. Their kernels of the same
-- communicator, as far as NCCL says it, run on one GPU at the same time. Programs that share GPUs have their own communicators,
-- and take turns: a tenth is allowed.
-- reads: activities, communication_kinds, strings
CREATE TABLE merged_ranks AS
WITH followed AS (
    SELECT a.pid <> lag(a.pid) OVER at_a_time AND a.start_ns < lag(a.end_ns) OVER at_a_time AS beside_another
    FROM activities AS a
    INNER JOIN communication_kinds AS k ON k.activity_id = a.activity_id
    INNER JOIN strings AS t ON t.string_id = a.name_id AND starts_with(t.text, 'nccl')
    WINDOW at_a_time AS (PARTITION BY a.gpu, k.communicator ORDER BY a.start_ns, a.activity_id)
)

SELECT
    'kernels of NCCL, of several ranks on the same GPU at the same time' AS kind,
    count_if(beside_another) AS "rows",
    count(*) AS all_rows
FROM followed
HAVING "rows" > 0.1 * all_rows;

COMMENT ON TABLE merged_ranks IS 'ranks that seem to share a GPU; empty for a sound trace';
COMMENT ON COLUMN merged_ranks.kind IS 'the rows, in words';
COMMENT ON COLUMN merged_ranks.all_rows IS 'number of all such kernels';
