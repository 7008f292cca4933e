-- Only where the two differ: an ordinal is looked up for each of a million kernels, and of no rows that takes no time.
-- reads: export.TARGET_INFO_CUDA_DEVICE
CREATE TABLE gpu_ordinals AS
SELECT pid, cudaId AS cuda_device, min(gpuId) AS gpu
FROM export.TARGET_INFO_CUDA_DEVICE
WHERE gpuId >= 0
GROUP BY pid, cudaId
HAVING min(gpuId) <> cudaId;

COMMENT ON TABLE gpu_ordinals IS 'which physical GPU each process means by a CUDA ordinal that is not its number (reports before schema 3.20 do not say)';
COMMENT ON COLUMN gpu_ordinals.pid IS 'process id';
COMMENT ON COLUMN gpu_ordinals.cuda_device IS 'CUDA ordinal inside that process';
COMMENT ON COLUMN gpu_ordinals.gpu IS 'id of the GPU';
