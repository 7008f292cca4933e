-- One row for each physical GPU of the machine.
-- reads: export.TARGET_INFO_GPU
CREATE TABLE gpus AS
SELECT id AS gpu, min(name) AS name
FROM export.TARGET_INFO_GPU
GROUP BY id;

COMMENT ON TABLE gpus IS 'physical GPUs of the machine';
COMMENT ON COLUMN gpus.gpu IS 'id of the GPU, as in TARGET_INFO_GPU';
COMMENT ON COLUMN gpus.name IS 'name of the product';
