-- Whether a call is how a thread waits for the GIL: nsys says so, or else it is the wait of 5 ms of which Python makes several.
CREATE MACRO is_gil_wait(name) AS name IN ('Waiting for GIL', 'pthread_cond_timedwait', 'pthread_cond_clockwait');
