-- Macro `spanned`: samples as time. A sample stands for its thread's time until the next one, at most for twice the usual
-- distance between two samples; the last sample of a thread for as long.
CREATE MACRO spanned(samples) AS TABLE
    WITH spaced AS (
        SELECT *, lead(at_ns) OVER (PARTITION BY global_tid ORDER BY at_ns) AS next_ns FROM query_table(samples)
    ),

    usual AS (
        SELECT median(next_ns - at_ns) AS distance_ns FROM spaced
    )

    SELECT
        s.* EXCLUDE (next_ns),
        CAST(least(s.next_ns, s.at_ns + 2 * u.distance_ns) AS BIGINT) AS end_ns,
        CAST(u.distance_ns AS BIGINT) AS usual_ns
    FROM spaced AS s, usual AS u
    WHERE coalesce(s.next_ns > s.at_ns, true);
