-- Macro `lines_that_wait`: the lines of Python samples in segments of a cause, and in the calls whose waits brought them about.
-- `waits` are what such calls wait for, as in blocking_calls.
-- reads: python_samples, samples_in_segments, waiting_samples
CREATE MACRO lines_that_wait(id_of_cause, waits) AS TABLE
    SELECT file, line, function
    FROM python_samples
    WHERE
        sample_id IN (SELECT sample_id FROM samples_in_segments WHERE kind = 'python' AND cause = id_of_cause)
        OR sample_id IN (SELECT sample_id FROM waiting_samples WHERE cause = id_of_cause AND list_contains(waits, waits_for));
