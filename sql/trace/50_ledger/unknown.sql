-- One row for each cause that this trace cannot tell: it lacks what the cause needs.
-- reads: needs, requirements
CREATE TABLE unknown AS
SELECT n.cause, any_value(r.reason ORDER BY r.need) AS reason
FROM needs AS n
INNER JOIN requirements AS r ON r.need = n.need
WHERE NOT r.is_met
GROUP BY n.cause;

COMMENT ON TABLE unknown IS 'causes that this trace cannot tell';
COMMENT ON COLUMN unknown.reason IS 'what the trace lacks, and how to capture it';
