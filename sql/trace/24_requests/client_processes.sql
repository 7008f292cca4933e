-- One row for each process that connects to others and accepts no connection: what it reads are answers.
-- reads: socket_calls
CREATE TABLE client_processes AS
SELECT pid
FROM socket_calls
GROUP BY pid
HAVING bool_or(name = 'connect') AND NOT bool_or(starts_with(name, 'accept'));

COMMENT ON TABLE client_processes IS 'processes that only ask others';
