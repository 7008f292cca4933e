-- Names of GPUs are those of products.
-- reads: export.TARGET_INFO_GPU
CREATE VIEW redacted.TARGET_INFO_GPU AS
SELECT * FROM export.TARGET_INFO_GPU;
