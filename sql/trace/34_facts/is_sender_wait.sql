-- Macro `is_sender_wait`: whether a segment in which a thread receives through a pipe waits for the sender. Else it reads, piece
-- by piece, or unpickles.
-- reads: own_work_ns
CREATE MACRO is_sender_wait(state, length_ns) AS state = 'wait' OR (state = 'io' AND length_ns >= own_work_ns());
