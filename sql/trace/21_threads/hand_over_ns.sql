-- Within what time a thread goes on that waited for what another one writes, in ns.
--
-- 0.2 ms: 98 % of the reads between processes with queues of Python do (LitServe).
CREATE MACRO hand_over_ns() AS 200000;
