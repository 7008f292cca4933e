-- Below this a wait for a lock or for a thread is brief, in ns: it does not end the code around it.
--
-- 100 us: each Python sample stops its thread for 10 to 100 us, which looks like a wait for the GIL or a condition (5 programs,
-- sampled at 1 kHz on an H100 and an H200). Waking a thread takes 50 to 100 us.
CREATE MACRO brief_wait_ns() AS 100000;
