-- One row for each name: what a thread does inside an OS call of that name. It works on files (io), waits for a lock that
-- another thread holds (lock), waits for a thread, a process or a peer to give it something (wait), or sleeps (sleep). All else
-- is NULL: ioctl and others are the CUDA driver at work. CPython takes the GIL with pthread_cond_timedwait in rounds of 5 ms,
-- and its other locks with sem_*. An fcntl that takes long waits for a lock on a file.
-- reads: strings
CREATE TABLE os_call_kinds AS
SELECT
    string_id,
    text AS name,
    CASE
        WHEN regexp_matches(
            text,
            '^(pthread_mutex_(timed|clock)?lock|pthread_rwlock_.*lock|pthread_spin_lock|pthread_cond_(timed|clock)wait'
            || '|flock|lockf(64)?|fcntl(64)?)$'
        ) THEN 'lock'
        WHEN regexp_matches(
            text,
            '^(pthread_cond_wait|sem_(timed|clock)?wait|p?poll|p?select|epoll_p?wait2?|recv(from|msg|mmsg)?|accept4?'
            || '|wait(pid|id|3|4)?|pclose|system'
            || '|pthread_(timed)?join(_np)?|pthread_barrier_wait|sigsuspend|sigwait(info)?|sigtimedwait'
            || '|mq_(timed)?receive|msgrcv|sem(timed)?op|futex)$'
        ) THEN 'wait'
        WHEN regexp_matches(text, '^(clock_)?nanosleep$|^u?sleep$') THEN 'sleep'
        WHEN regexp_matches(
            text,
            '^(p?(read|write)v?2?|f(read|write|gets|puts|getc|putc|printf|scanf|flush|seek|seeko|open|close|sync|datasync)'
            || '|sync|syncfs|sync_file_range|msync|open|openat|creat|close|getc|putc|getline|sendfile|splice|copy_file_range'
            || '|f?truncate|l?stat|fstat|fstatat|statx|rename|unlink|mkdir|opendir|readdir|io_submit|io_getevents|aio_.*)(64)?$'
        ) THEN 'io'
    END AS kind,
    CASE
        WHEN regexp_matches(text, '^(send(to|msg|mmsg)?|writev?)$') THEN 'send'
        WHEN regexp_matches(text, '^(recv(from|msg|mmsg)?|readv?)$') THEN 'receive'
        WHEN regexp_matches(text, '^(p?poll|p?select|epoll_p?wait2?)$') THEN 'poll'
        WHEN regexp_matches(text, '^accept4?$') THEN 'accept'
        WHEN text = 'connect' THEN 'connect'
        WHEN regexp_matches(text, '^(pipe2?|popen|socketpair)$') THEN 'pipe'
        WHEN regexp_matches(text, '^(wait(pid|id|3|4)?|pclose|system)$') THEN 'child'
        WHEN regexp_matches(text, '^(pthread_cond_(signal|broadcast)|sem_post)$') THEN 'wake'
    END AS role
FROM strings;

COMMENT ON TABLE os_call_kinds IS 'what a thread does inside each OS call';
COMMENT ON COLUMN os_call_kinds.name IS 'the name';
COMMENT ON COLUMN os_call_kinds.kind IS 'io, lock, wait, sleep, or NULL for calls that explain nothing';
COMMENT ON COLUMN os_call_kinds.role IS 'what it is to other threads and programs: send or receive (also on files), poll (waits for either), accept or connect, pipe (makes one), child (waits for one), wake; else NULL';
