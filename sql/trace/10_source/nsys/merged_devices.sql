-- One row: how many CUDA devices the export takes for one GPU. Two CUDA devices of a process are the same GPU, or one is several.
-- Then the GPU seems to compute while any of them does.
-- reads: export.TARGET_INFO_CUDA_DEVICE
CREATE TABLE merged_devices AS
WITH numbered AS (
    SELECT
        count(DISTINCT cudaId) OVER (PARTITION BY pid, gpuId) > 1 OR count(DISTINCT gpuId) OVER (PARTITION BY pid, cudaId) > 1
            AS merged
    FROM export.TARGET_INFO_CUDA_DEVICE
    WHERE gpuId >= 0
)

SELECT 'CUDA devices of a process that are the same GPU' AS kind, count_if(merged) AS "rows", count(*) AS all_rows
FROM numbered;

COMMENT ON TABLE merged_devices IS 'how many CUDA devices are not GPUs of their own';
COMMENT ON COLUMN merged_devices.kind IS 'the rows, in words';
