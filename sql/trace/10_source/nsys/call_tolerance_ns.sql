-- By how much the times of two calls of one thread may contradict each other, in ns.
--
-- 10 us: they are taken by different parts of Nsight Systems. In 92 sound traces no two contradict each other by more.
CREATE MACRO call_tolerance_ns() AS 10000;
