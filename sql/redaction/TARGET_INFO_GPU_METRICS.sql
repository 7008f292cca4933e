-- One row for each metric of a GPU; its name is a name of the product's counters.
-- reads: export.TARGET_INFO_GPU_METRICS
CREATE VIEW redacted.TARGET_INFO_GPU_METRICS AS
SELECT * FROM export.TARGET_INFO_GPU_METRICS;
