/* cause
meaning = "another program had the GPU"
usual_fix = "Find the other program with nvidia-smi, and give each a GPU of its own; with MPS, programs share one without turns."
needs = ["gpu_switches"]
color = "#5f9e1f"
color_dark = "#79d021"

[[states]]
state = "interrupted"
priority = 20

[remove]
segments = false
gpu_time = true
*/

-- Work that was launched in time and waits, for half of the time or longer because another program has the GPU.
-- reads: interruptions, segments
CREATE VIEW rules_gpu_contention AS
SELECT s.segment_id, 63 AS priority, 'seen' AS basis
FROM segments AS s
INNER JOIN interruptions AS i ON i.track = s.gpu AND i.start_ns < s.end_ns AND i.end_ns > s.start_ns
WHERE s.state IN ('queued', 'stalled')
GROUP BY s.segment_id
HAVING sum(least(i.end_ns, s.end_ns) - greatest(i.start_ns, s.start_ns)) >= 0.5 * any_value(s.end_ns - s.start_ns);

-- reads: count_of, interruptions, window_segments
CREATE VIEW fix_gpu_contention AS
WITH costly AS (
    SELECT DISTINCT i.id, i.track, i.end_ns - i.start_ns AS length_ns
    FROM window_segments AS s
    INNER JOIN interruptions AS i ON i.track = s.gpu AND i.start_ns < s.end_ns AND i.end_ns > s.start_ns
    WHERE s.cause = 'gpu_contention'
)

SELECT
    format(
        'Another program takes GPU {} away {} in the window, for {:.2f} ms (median). Find it with nvidia-smi, and give each '
        || 'program a GPU of its own; with MPS, programs share one without turns.',
        track, count_of(count(*), 'time'), median(length_ns) / 1e6
    ) AS fix
FROM costly
GROUP BY track
ORDER BY sum(length_ns) DESC
LIMIT 1;

-- reads: cause_totals
CREATE VIEW notes_gpu_contention AS
SELECT
    'Kernels that another program interrupted take longer in the tables of kernels and phases: from their start to their end. '
    || 'What they lost meanwhile is gpu_contention.' AS note
FROM cause_totals
WHERE cause = 'gpu_contention' AND costs_enough;
