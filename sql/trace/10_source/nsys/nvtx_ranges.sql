-- One row for each NVTX range of the program. Ranges of libraries and of the Python tracers are left out, and so is the range
-- that gapfinder itself puts around a capture. The text of a range stands in the event or behind its textId.
-- reads: is_interval, is_nvtx, nvtx_domains, pid_of, strings, export.NVTX_EVENTS
CREATE VIEW nvtx_ranges AS
SELECT
    e."start" AS start_ns,
    e."end" AS end_ns,
    pid_of(e.globalTid) AS pid,
    e.globalTid AS global_tid,
    coalesce(e.text, s.text, '?') AS name,
    d.name AS domain,
    is_nvtx(e.eventType, 'NvtxPushPopRange') AS nested
FROM export.NVTX_EVENTS AS e
LEFT JOIN strings AS s ON s.string_id = e.textId
LEFT JOIN nvtx_domains AS d ON d.pid = pid_of(e.globalTid) AND d.domain_id = e.domainId
WHERE
    is_interval(e."start", e."end")
    AND (is_nvtx(e.eventType, 'NvtxPushPopRange') OR is_nvtx(e.eventType, 'NvtxStartEndRange'))
    AND coalesce(e.text, s.text, '?') <> 'gapfinder.capture'
    AND NOT coalesce(
        regexp_matches(d.name, '^(GIL Trace|Python |cuBLAS|cuDNN|cuFFT|cuSOLVER|cuSPARSE|NCCL|NVSHMEM|CCCL|libcu|nvJPEG)'), false
    );

COMMENT ON VIEW nvtx_ranges IS 'NVTX ranges of the program itself, without those of libraries and tracers';
COMMENT ON COLUMN nvtx_ranges.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN nvtx_ranges.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN nvtx_ranges.global_tid IS 'thread that opened it, in threads';
COMMENT ON COLUMN nvtx_ranges.name IS 'text of the range, as captured: it may hold anything';
COMMENT ON COLUMN nvtx_ranges.domain IS 'name of its domain, NULL for the default one';
COMMENT ON COLUMN nvtx_ranges.nested IS 'true for push and pop, which nest on their thread; false for start and end';
