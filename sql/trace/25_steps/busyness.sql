-- How busy a process is, by the number of its activities, in powers of two: ranks that do the same are mostly equally busy,
-- though their numbers differ a little. Near a boundary (1,447 and 1,448) they are not.
CREATE MACRO busyness(activities) AS round(log2(activities + 1));
