-- One row for each state of segments: the call that costs most of it.
-- reads: segments, strings
CREATE VIEW costliest_calls AS
WITH calls_made AS (
    SELECT s.state, t.text AS name, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM segments AS s
    INNER JOIN strings AS t ON t.string_id = s.name_id
    GROUP BY s.state, t.text
)

SELECT state, arg_max(name, lost_ns) AS name
FROM calls_made
GROUP BY state;

COMMENT ON VIEW costliest_calls IS 'the call that costs most, for each state';
COMMENT ON COLUMN costliest_calls.state IS 'as in segments';
COMMENT ON COLUMN costliest_calls.name IS 'name of the call';
