-- The tables of a shared export, each as a view of the same name: one that has texts, or rows of foreign processes, is here.
-- Of any other the columns that are numbers are written, and no other.
CREATE SCHEMA redacted;

-- Nsight Systems lists every process that it may look at. Only into those of the program does it put itself, and so only they
-- have events; the workers of a DataLoader, which it does not trace, are known by the names of their threads.
CREATE TABLE redacted.own_processes AS
SELECT pid FROM kernels
UNION SELECT pid FROM copies
UNION SELECT pid FROM graph_launches
UNION SELECT pid FROM calls
UNION SELECT pid FROM os_calls
UNION SELECT pid_of(globalTid) FROM export.NVTX_EVENTS
UNION SELECT pid FROM loader_threads;

-- Of the frames of a Python sample, the one that is read.
CREATE TABLE redacted.own_frames AS
SELECT
    p.at_ns,
    p.global_tid,
    p.line,
    (SELECT min(string_id) FROM strings WHERE text = p.file) AS file_id,
    (SELECT min(string_id) FROM strings WHERE text = p.function) AS function_id
FROM python_samples AS p;

-- A call has the name of a function of CUDA or of the OS, which is everybody's; a file is that of a frame.
CREATE TABLE redacted.string_uses AS
SELECT nameId AS string_id, 'call' AS use FROM export.CUPTI_ACTIVITY_KIND_RUNTIME
UNION SELECT nameId, 'call' FROM export.OSRT_API
UNION SELECT nameId, 'call' FROM export.PROFILER_OVERHEAD
UNION SELECT shortName, 'name' FROM export.CUPTI_ACTIVITY_KIND_KERNEL
UNION SELECT demangledName, 'name' FROM export.CUPTI_ACTIVITY_KIND_KERNEL
UNION SELECT textId, 'name' FROM export.NVTX_EVENTS
UNION SELECT nameId, 'name' FROM export.ThreadNames WHERE pid_of(globalTid) IN (FROM redacted.own_processes)
UNION SELECT file_id, 'file' FROM redacted.own_frames
UNION SELECT function_id, 'name' FROM redacted.own_frames;

CREATE VIEW redacted.used_texts AS
SELECT text, CASE WHEN bool_or(use = 'call') THEN 'call' WHEN bool_or(use = 'file') THEN 'file' ELSE 'name' END AS use
FROM (
    SELECT s.text, u.use FROM redacted.string_uses AS u INNER JOIN strings AS s ON s.string_id = u.string_id
    UNION ALL
    SELECT text, 'name' FROM export.NVTX_EVENTS WHERE text IS NOT NULL
)
GROUP BY text
UNION ALL
SELECT DISTINCT name, 'process' FROM export.PROCESSES WHERE name IS NOT NULL AND pid IN (FROM redacted.own_processes);

-- Filled with what is shown of each of these.
CREATE TABLE redacted.shown_texts (text VARCHAR, use VARCHAR, shown VARCHAR);

CREATE VIEW redacted.StringIds AS
SELECT s.id, t.shown AS value
FROM export.StringIds AS s
INNER JOIN redacted.shown_texts AS t ON t.text = coalesce(s.value, '?') AND t.use <> 'process'
WHERE s.id IN (SELECT string_id FROM redacted.string_uses)
ORDER BY s.rowid;

CREATE VIEW redacted.ThreadNames AS
SELECT * FROM export.ThreadNames WHERE pid_of(globalTid) IN (FROM redacted.own_processes) ORDER BY rowid;

CREATE VIEW redacted.PROCESSES AS
SELECT p.globalPid, p.pid, t.shown AS name
FROM export.PROCESSES AS p
LEFT JOIN redacted.shown_texts AS t ON t.text = p.name AND t.use = 'process'
WHERE p.pid IN (FROM redacted.own_processes)
ORDER BY p.rowid;

CREATE VIEW redacted.PROFILER_OVERHEAD AS
SELECT * FROM export.PROFILER_OVERHEAD WHERE pid_of(globalTid) IN (FROM redacted.own_processes) ORDER BY rowid;

CREATE VIEW redacted.TARGET_INFO_CUDA_DEVICE AS
SELECT * FROM export.TARGET_INFO_CUDA_DEVICE WHERE pid IN (FROM redacted.own_processes) ORDER BY rowid;

-- A range may have JSON of its own, which nothing reads but that it is there, and a payload, which is read of NCCL's.
CREATE VIEW redacted.NVTX_EVENTS AS
SELECT
    e.* EXCLUDE (jsonTextId) REPLACE (
        t.shown AS text,
        CASE WHEN d.name = 'NCCL' THEN e.binaryData END AS binaryData,
        CASE
            WHEN f.file_id IS NOT NULL THEN CAST(json_object('Python Periodic Sampling', json_object(
                'Frames', [json_object('File', f.file_id, 'Function', f.function_id, 'Line', f.line)]
            )) AS VARCHAR)
            WHEN e.jsonText IS NOT NULL OR e.jsonTextId IS NOT NULL THEN '{}'
        END AS jsonText
    )
FROM export.NVTX_EVENTS AS e
LEFT JOIN redacted.shown_texts AS t ON t.text = e.text AND t.use <> 'process'
LEFT JOIN redacted.own_frames AS f
    ON f.at_ns = e."start" AND f.global_tid = e.globalTid AND (e.jsonText IS NOT NULL OR e.jsonTextId IS NOT NULL)
LEFT JOIN nvtx_domains AS d ON d.pid = pid_of(e.globalTid) AND d.domain_id = e.domainId
ORDER BY e.rowid;

-- What NCCL has in its payloads; those of the program are not shared.
CREATE VIEW redacted.NVTX_PAYLOAD_SCHEMA_ENTRIES AS
SELECT *
FROM export.NVTX_PAYLOAD_SCHEMA_ENTRIES
WHERE name = 'NCCL communicator ID' OR name LIKE 'Message size%' OR name LIKE 'Peer rank%'
ORDER BY rowid;

-- These texts are Nsight's own, or the product's.
CREATE VIEW redacted.ENUM_CUDA_MEMCPY_OPER AS FROM export.ENUM_CUDA_MEMCPY_OPER;
CREATE VIEW redacted.ENUM_CUDA_MEM_KIND AS FROM export.ENUM_CUDA_MEM_KIND;
CREATE VIEW redacted.ENUM_CUPTI_SYNC_TYPE AS FROM export.ENUM_CUPTI_SYNC_TYPE;
CREATE VIEW redacted.ENUM_NSYS_EVENT_TYPE AS FROM export.ENUM_NSYS_EVENT_TYPE;
CREATE VIEW redacted.TARGET_INFO_GPU AS FROM export.TARGET_INFO_GPU;
