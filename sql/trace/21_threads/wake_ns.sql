-- From how long on a call that can wait did wait, in ns.
--
-- 20 us: waking a thread takes longer. The Python sampler stops a thread for 4 to 9 us every ms, and then the thread seems to
-- wait, for a condition or for the GIL.
CREATE MACRO wake_ns() AS 20000;
