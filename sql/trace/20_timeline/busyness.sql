-- How busy a process is, by the number of its activities: the same for ranks that do the same, whose numbers differ a little.
CREATE MACRO busyness(activities) AS round(log2(activities + 1));
