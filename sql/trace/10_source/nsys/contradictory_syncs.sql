-- One row for each kind of synchronize event that contradicts its call. In 127 sound traces one or two calls do not return
-- before the recording ends, and in three programs of JAX nsys lost 25 to 28 calls in a row, in at most 1.5 % of the time. So
-- such a run counts once, and two or 2 % are usual, unless one event takes 5 % of the time. In 275 sound traces each call that
-- waits for a stream or an event has its own event, but for 3 of 47,064 in one; those that wait for a device may have none.
-- reads: call_families, call_tolerance_ns, calls, pid_of, strings, export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
CREATE TABLE contradictory_syncs AS
WITH
recorded AS (
    SELECT max(end_ns) - min(start_ns) AS recorded_ns FROM calls
),

-- where an event has no call, what compares them is NULL
synced AS (
    SELECT
        s."start",
        s."end",
        coalesce(
            s."start" < c.start_ns - call_tolerance_ns() OR s."end" > c.end_ns + call_tolerance_ns()
            OR NOT (c.family IN ('sync', 'query', 'stream_wait') OR n.text LIKE 'cu%ProfilerStop%'),
            true
        ) AS has_no_call,
        coalesce(c.family = 'query', false) AS only_asks,
        s."end" - s."start" > 20000 AS is_long,
        s."end" - s."start" > 0.05 * (SELECT recorded_ns FROM recorded) AS carries_much
    FROM export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION AS s
    LEFT JOIN calls AS c ON c.pid = pid_of(s.globalPid) AND c.correlation_id = s.correlationId
    LEFT JOIN strings AS n ON n.string_id = c.name_id
    WHERE EXISTS (FROM calls)
),

in_runs AS (
    SELECT *, count(*) FILTER (NOT has_no_call) OVER (ORDER BY "start", "end" ROWS UNBOUNDED PRECEDING) AS run
    FROM synced
),

runs AS (
    SELECT
        count(*) AS events,
        max("end") - min("start") < 0.02 * (SELECT recorded_ns FROM recorded) AS is_short,
        bool_or(carries_much) AS carries_much
    FROM in_runs
    WHERE has_no_call
    GROUP BY run
),

waiting_calls AS (
    SELECT c.pid, c.correlation_id
    FROM calls AS c
    INNER JOIN call_families AS f ON f.string_id = c.name_id
    WHERE
        regexp_replace(f.name, '^cuda', 'cu') IN ('cuStreamWaitEvent', 'cuStreamSynchronize', 'cuEventSynchronize')
        AND EXISTS (FROM export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)
),

events AS (
    SELECT DISTINCT pid_of(globalPid) AS pid, correlationId AS correlation_id
    FROM export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
    WHERE EXISTS (FROM waiting_calls)
),

kinds AS (
    SELECT
        'synchronize events outside of a call that waits' AS kind,
        coalesce(sum(events), 0)::BIGINT AS "rows",
        (SELECT count(*) FROM synced) AS all_rows,
        coalesce(sum(CASE WHEN is_short THEN 1 ELSE events END), 0) AS counted,
        CASE WHEN bool_or(carries_much) THEN 0 ELSE greatest(2, 0.02 * (SELECT count(*) FROM synced)) END AS usual
    FROM runs
    UNION ALL
    -- to ask whether an event has come takes 1 to 10 us; in 34 sound traces 0 to 8 % of such calls took more than 20
    SELECT
        'synchronize events in calls that only ask',
        count(*) FILTER (is_long),
        count(*),
        count(*) FILTER (is_long) AS counted,
        2 + 0.2 * count(*)
    FROM synced
    WHERE only_asks
    UNION ALL
    SELECT
        'calls that wait for a stream or an event, and have no synchronize event',
        count(*) FILTER (e.pid IS NULL),
        count(*),
        count(*) FILTER (e.pid IS NULL),
        greatest(3, 0.02 * count(*))
    FROM waiting_calls AS c
    LEFT JOIN events AS e ON e.pid = c.pid AND e.correlation_id = c.correlation_id
)

SELECT kind, "rows", all_rows
FROM kinds
WHERE counted > usual;

COMMENT ON TABLE contradictory_syncs IS 'kinds of synchronize events that contradict their calls; empty for a sound trace';
COMMENT ON COLUMN contradictory_syncs.kind IS 'the rows, in words';
