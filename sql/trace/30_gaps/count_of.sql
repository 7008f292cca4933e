-- A number with its noun, in sentences: 1 activity, 1,200 activities.
CREATE MACRO count_of(number, noun) AS
format('{:,} ', CAST(number AS BIGINT))
|| CASE WHEN CAST(number AS BIGINT) = 1 THEN noun ELSE regexp_replace(noun, '([^aeiou])y$', '\1ie') || 's' END;
