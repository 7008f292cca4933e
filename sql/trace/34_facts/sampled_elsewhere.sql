-- Macro `sampled_elsewhere`: the segments in which samples of a kind see the thread, and never in code of a cause.
--
-- Three samples: where half of a segment is in that code, none of three samples is in it once in eight times.
-- reads: segment_matches
CREATE MACRO sampled_elsewhere(kind_of_sample, id_of_cause) AS TABLE
    SELECT segment_id
    FROM segment_matches
    WHERE kind = kind_of_sample
    GROUP BY segment_id
    HAVING any_value(all_samples) >= 3 AND NOT bool_or(coalesce(cause = id_of_cause, false));
