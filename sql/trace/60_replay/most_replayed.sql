-- How many activities a replay may have.
--
-- 100,000 take a second in Python. Twenty steps have far fewer.
CREATE MACRO most_replayed() AS 100000;
