-- From how long on it is asked what a wait was for, in ns. A thread that waits for shorter hands over to another one.
--
-- 1 ms: threads of one process wake each other within 0.1 to 0.7 ms, also where two of them pass a result on (train_rnn).
CREATE MACRO long_wait_ns() AS 1000000;
