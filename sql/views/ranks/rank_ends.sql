-- One row for each time at which a communication activity of a rank ends, in the window. At that time all ranks of the activity
-- are at the same point.
-- reads: rank_collectives
CREATE VIEW rank_ends AS
SELECT DISTINCT gpu, end_ns AS until_ns FROM rank_collectives WHERE in_window;

COMMENT ON VIEW rank_ends IS 'when communication activities of each rank end, in the window';
COMMENT ON COLUMN rank_ends.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_ends.until_ns IS 'end, ns since the session began';
