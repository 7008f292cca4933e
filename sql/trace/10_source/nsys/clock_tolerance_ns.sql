-- By how much the time of an event may contradict that of another, in ns, before one of them counts as damaged.
--
-- 100 us: on some hosts the clocks of CPU and GPU differ. In 110 sound traces no event contradicts another, not by 1 ns.
CREATE MACRO clock_tolerance_ns() AS 100000;
