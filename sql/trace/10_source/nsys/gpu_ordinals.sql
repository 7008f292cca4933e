-- One row for each CUDA ordinal of a process that is not the number of the physical GPU. Where the two numbers are equal there
-- is no row: most traces have no rows at all, and looking up a million kernels in it costs nothing.
-- reads: export.TARGET_INFO_CUDA_DEVICE
CREATE TABLE gpu_ordinals AS
SELECT pid, cudaId AS cuda_device, min(gpuId) AS gpu
FROM export.TARGET_INFO_CUDA_DEVICE
WHERE gpuId >= 0
GROUP BY pid, cudaId
HAVING min(gpuId) <> cudaId;

COMMENT ON TABLE gpu_ordinals IS 'the physical GPU behind a CUDA ordinal of a process, where the two differ (exports before schema 3.20 do not say)';
COMMENT ON COLUMN gpu_ordinals.cuda_device IS 'CUDA ordinal inside that process';
COMMENT ON COLUMN gpu_ordinals.gpu IS 'id of the GPU';
