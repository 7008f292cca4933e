/* cause
meaning = "a stage of the pipeline waited for its turn"
usual_fix = """Use more micro-batches for each step, or an interleaved schedule: with p stages and m micro-batches, the \
bubble is (p-1)/(m+p-1) of the step."""
color = "#7d8fa3"
color_dark = "#9fb3c8"
by_design = true
by_design_in = ["pipeline parallel"]
remove = false
*/

-- reads: collectives, communication_kinds, segments
CREATE VIEW rules_pipeline_bubble AS
SELECT s.segment_id, 9 AS priority, 'seen' AS basis
FROM segments AS s
INNER JOIN collectives AS c ON c.activity_id = s.activity_id
INNER JOIN communication_kinds AS k ON k.activity_id = s.activity_id
WHERE s.state = 'communication' AND k.kind = 'SendRecv' AND s.end_ns <= c.all_arrived_ns;
