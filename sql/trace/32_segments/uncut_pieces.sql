-- Pieces of gaps that no state cuts: the rest of each gap from when the CPU is no longer the reason, and gaps that end with an
-- activity whose launch is not in the trace.
-- reads: gaps
CREATE VIEW uncut_pieces AS
SELECT
    gap_id AS id,
    pid AS track,
    coalesce(launch_start_ns, start_ns) AS at_ns,
    CASE WHEN launch_start_ns IS NULL THEN start_ns ELSE late_until_ns END AS start_ns,
    end_ns
FROM gaps
WHERE end_ns > late_until_ns OR launch_start_ns IS NULL;

COMMENT ON VIEW uncut_pieces IS 'pieces of gaps in which the CPU was in time, or nothing is known of it';
COMMENT ON COLUMN uncut_pieces.id IS 'gap_id of gaps';
COMMENT ON COLUMN uncut_pieces.track IS 'process of the launching thread';
COMMENT ON COLUMN uncut_pieces.at_ns IS 'when the activity that ends the gap was launched, or else the start of the piece, ns since the session began';
COMMENT ON COLUMN uncut_pieces.start_ns IS 'start, ns';
COMMENT ON COLUMN uncut_pieces.end_ns IS 'end, which is that of the gap, ns';
