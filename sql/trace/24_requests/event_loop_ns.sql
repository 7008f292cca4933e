-- Within what time an event loop reads what woke it, in ns.
--
-- 2 ms: one of Python does so after 0.5 to 0.7 ms (serve20).
CREATE MACRO event_loop_ns() AS 2000000;
