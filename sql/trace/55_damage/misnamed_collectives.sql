-- One row: how many kernels NCCL launches that do not have a name of NCCL, and so would count as compute. What a thread launches
-- inside of a call of NCCL sends data: so do all 200,000 kernels of 37 sound traces.
-- reads: activities, nccl_calls
CREATE TABLE misnamed_collectives AS
SELECT
    'kernels that NCCL launched, and that are not named so' AS kind,
    count_if(a.kind = 'compute') AS "rows",
    count_if(a.kind <> 'copy') AS all_rows
FROM (SELECT * FROM activities WHERE global_tid IN (SELECT global_tid FROM nccl_calls)) AS a
ASOF INNER JOIN nccl_calls AS n ON n.global_tid = a.global_tid AND a.launch_start_ns >= n.start_ns
WHERE a.launch_end_ns <= n.end_ns;

COMMENT ON TABLE misnamed_collectives IS 'how many kernels of NCCL have another name';
COMMENT ON COLUMN misnamed_collectives.kind IS 'the rows, in words';
COMMENT ON COLUMN misnamed_collectives.all_rows IS 'number of all kernels that NCCL launched';
