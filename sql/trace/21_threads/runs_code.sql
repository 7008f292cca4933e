-- Macro `runs_code`: whether a thread in this state of thread_states runs code of its own or calls that cost little. Such time is
-- `launch` or `run` in segments.
CREATE MACRO runs_code(state) AS state IN ('run', 'other', 'stream_wait', 'host_function', 'not_begun');
