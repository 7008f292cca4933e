-- One row for each activity that holds more than a hundredth of the window, and that no other row bears out. A verdict that comes
-- from a few of them may come from damage.
--
-- Others bear it out if five of its kernel, or of its kind of copy or graph, take half as long or longer, unless these may all
-- have been made longer (stretched_activities). Else its two ends have to be where others are: it starts within 100 us of its
-- launch, or of the end of an activity; and within 100 us of its end a call returns that waited or asked for it, the same
-- collective ends on another GPU, or another activity starts that had waited for it. One that was only launched then tells
-- nothing, nor does its launch: they would be there in any case. A copy may end by a tenth of its length before the call that
-- makes it: a pageable one of 16 MB ends 1 ms before, and one of the same size 322 ns after.
-- reads: activities, calls, clock_tolerance_ns, graph_launches, stretched_activities, window, window_activities
CREATE TABLE lone_activities AS
WITH long_activities AS (
    SELECT a.*, g.graph_id
    FROM window_activities AS w
    INNER JOIN activities AS a ON a.activity_id = w.activity_id
    LEFT JOIN graph_launches AS g ON g.activity_id = a.activity_id
    WHERE w.end_ns - w.start_ns > (SELECT length_ns FROM "window") / 100
),

alike AS (
    SELECT
        a.gpu, a.kind, a.name_id, g.graph_id,
        CASE WHEN count(*) > 5 THEN list_min(max(a.end_ns - a.start_ns, 6)) END AS sixth_ns
    FROM activities AS a
    LEFT JOIN graph_launches AS g ON g.activity_id = a.activity_id
    WHERE (SELECT count(*) FROM long_activities) > 0
    GROUP BY a.gpu, a.kind, a.name_id, g.graph_id
),

alone AS (
    SELECT a.*
    FROM long_activities AS a
    INNER JOIN alike AS k
        ON
            k.gpu = a.gpu AND k.kind = a.kind
            AND k.name_id IS NOT DISTINCT FROM a.name_id AND k.graph_id IS NOT DISTINCT FROM a.graph_id
    WHERE coalesce(2 * k.sixth_ns < a.end_ns - a.start_ns, true)
)

SELECT a.activity_id, a.end_ns - a.start_ns AS length_ns
FROM alone AS a
WHERE
    NOT (
        (
            coalesce(a.start_ns BETWEEN a.launch_start_ns AND a.launch_end_ns + clock_tolerance_ns(), false)
            OR EXISTS (
                FROM activities AS b
                WHERE
                    b.gpu = a.gpu AND b.activity_id <> a.activity_id
                    AND b.end_ns BETWEEN a.start_ns - clock_tolerance_ns() AND a.start_ns + clock_tolerance_ns()
            )
        )
        AND (
            EXISTS (
                FROM activities AS b
                WHERE
                    b.gpu = a.gpu AND b.activity_id <> a.activity_id
                    AND b.start_ns BETWEEN a.end_ns - clock_tolerance_ns() AND a.end_ns + clock_tolerance_ns()
                    AND coalesce(b.launch_start_ns < a.end_ns - clock_tolerance_ns(), true)
            )
            OR coalesce(
                a.kind = 'copy'
                AND a.launch_end_ns - a.end_ns BETWEEN -clock_tolerance_ns() AND 0.1 * (a.end_ns - a.start_ns),
                false
            )
            OR EXISTS (
                FROM calls AS c
                WHERE
                    c.pid = a.pid AND c.end_ns BETWEEN a.end_ns AND a.end_ns + clock_tolerance_ns()
                    AND (c.family IN ('sync', 'query') OR c.end_ns - c.start_ns > clock_tolerance_ns())
            )
            OR EXISTS (
                FROM activities AS b
                WHERE
                    a.kind = 'communication' AND b.kind = 'communication' AND b.gpu <> a.gpu AND b.name_id = a.name_id
                    AND b.end_ns BETWEEN a.end_ns - clock_tolerance_ns() AND a.end_ns + clock_tolerance_ns()
            )
        )
    )
UNION
FROM stretched_activities;

COMMENT ON TABLE lone_activities IS 'long activities of the window that no other row bears out';
COMMENT ON COLUMN lone_activities.length_ns IS 'how long it takes, ns';
