-- One row where the steps of the window generate a sequence, one token in each; none elsewhere. Such a loop feeds itself: no
-- batch comes from the host, and at least a byte goes back to it in each step, since the CPU looks whether the sequence has
-- ended. And it keeps what it has generated, so that a kernel that runs equally often in each step (nine in ten: the first reads
-- a prompt) takes longer from step to step, until the next sequence begins: its time falls by more than half of what it has
-- grown.
--
-- A correlation of 0.9 with the place in the sequence, and growth of 5 %: of the loops in the fixtures, none has a kernel like
-- this. In hfgen it is the one that appends to the cache of keys and values: 0.95, and 18 % in 20 tokens.
-- reads: activities, activity_name, copies, read_back_bytes, strings, window_steps
CREATE TABLE decode_loop AS
WITH moved AS (
    SELECT s.step, c.direction, c.bytes
    FROM (SELECT * FROM copies WHERE direction IN ('Host-to-Device', 'Device-to-Host')) AS c
    ASOF INNER JOIN window_steps AS s ON c.start_ns >= s.start_ns
    WHERE c.start_ns < s.end_ns
),

fed AS (
    SELECT
        count(*) AS steps,
        count(CASE WHEN up_bytes <= read_back_bytes() AND down_bytes BETWEEN 1 AND read_back_bytes() THEN 1 END) AS by_itself
    FROM (
        SELECT
            s.step,
            coalesce(sum(CASE WHEN m.direction = 'Host-to-Device' THEN m.bytes END), 0) AS up_bytes,
            coalesce(sum(CASE WHEN m.direction = 'Device-to-Host' THEN m.bytes END), 0) AS down_bytes
        FROM window_steps AS s
        LEFT JOIN moved AS m ON m.step = s.step
        GROUP BY s.step
    )
),

per_step AS (
    SELECT s.step, a.name_id, count(*) AS runs, avg(a.end_ns - a.start_ns) AS mean_ns
    FROM (
        SELECT name_id, start_ns, end_ns
        FROM activities
        WHERE kind = 'compute' AND (SELECT steps >= 12 AND by_itself >= 0.9 * steps FROM fed)
    ) AS a
    ASOF INNER JOIN window_steps AS s ON a.start_ns >= s.start_ns
    WHERE a.start_ns < s.end_ns
    GROUP BY s.step, a.name_id
),

usual AS (
    SELECT name_id, mode(runs ORDER BY runs) AS runs, max(mean_ns) - min(mean_ns) AS range_ns FROM per_step GROUP BY name_id
),

followed AS (
    SELECT k.step, k.name_id, k.mean_ns, u.range_ns, lag(k.mean_ns) OVER (PARTITION BY k.name_id ORDER BY k.step) AS last_ns
    FROM per_step AS k
    INNER JOIN usual AS u ON u.name_id IS NOT DISTINCT FROM k.name_id AND u.runs = k.runs
),

sequences AS (
    SELECT
        *,
        count(CASE WHEN last_ns - mean_ns > 0.5 * range_ns THEN 1 END) OVER (PARTITION BY name_id ORDER BY step) AS sequence
    FROM followed
),

placed AS (
    SELECT *, row_number() OVER (PARTITION BY name_id, sequence ORDER BY step) AS place FROM sequences
),

growing AS (
    SELECT name_id, corr(place, mean_ns) AS correlation, regr_slope(mean_ns, place) * max(place) / avg(mean_ns) AS growth
    FROM placed
    GROUP BY name_id
    HAVING count(*) >= (SELECT greatest(12, 0.9 * steps) FROM fed) AND max(place) >= 8
)

SELECT f.steps AS tokens, activity_name(t.text, NULL) AS kernel, g.growth
FROM growing AS g
CROSS JOIN fed AS f
LEFT JOIN strings AS t ON t.string_id = g.name_id
WHERE g.correlation >= 0.9 AND g.growth >= 0.05
ORDER BY g.growth DESC, g.name_id
LIMIT 1;

COMMENT ON TABLE decode_loop IS 'one row where each step of the window generates a token';
COMMENT ON COLUMN decode_loop.tokens IS 'number of steps of the window: tokens of a sequence';
COMMENT ON COLUMN decode_loop.kernel IS 'the kernel that grows with the sequence';
COMMENT ON COLUMN decode_loop.growth IS 'by how much, as a share of its mean time';
