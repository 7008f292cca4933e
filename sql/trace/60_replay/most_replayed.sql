-- How many activities a replay may have.
--
-- 100,000 take two seconds to prepare, and 0.1 to 0.2 s for each change that is replayed. Twenty steps have far fewer.
CREATE MACRO most_replayed() AS 100000;
