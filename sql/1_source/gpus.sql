-- Physical GPUs, and which CUDA ordinal of which process is which of them.
CREATE TABLE gpus AS
SELECT id AS gpu, any_value(name) AS name
FROM export.TARGET_INFO_GPU
GROUP BY id;

-- Only where the two differ: an ordinal is looked up for each of a million kernels, and of no rows that takes no time.
CREATE TABLE gpu_ordinals AS
SELECT pid, cudaId AS cuda_device, min(gpuId) AS gpu
FROM export.TARGET_INFO_CUDA_DEVICE
WHERE gpuId >= 0
GROUP BY pid, cudaId
HAVING min(gpuId) <> cudaId;

COMMENT ON TABLE gpus IS 'physical GPUs of the machine';
COMMENT ON COLUMN gpus.gpu IS 'id of the GPU, as in TARGET_INFO_GPU';
COMMENT ON COLUMN gpus.name IS 'name of the product';
COMMENT ON TABLE gpu_ordinals IS 'which physical GPU each process means by a CUDA ordinal that is not its number (reports before schema 3.20 do not say)';
COMMENT ON COLUMN gpu_ordinals.pid IS 'process id';
COMMENT ON COLUMN gpu_ordinals.cuda_device IS 'CUDA ordinal inside that process';
COMMENT ON COLUMN gpu_ordinals.gpu IS 'id of the GPU';
