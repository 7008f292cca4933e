-- What the user chose: one row, NULL for what was left to gapfinder.
CREATE TABLE choices (
    step_name VARCHAR,
    window_all BOOLEAN,
    window_from_step BIGINT,
    window_to_step BIGINT,
    window_from_ns BIGINT,
    window_to_ns BIGINT,
    device BIGINT
);

COMMENT ON TABLE choices IS 'what the user chose, one row; NULL for what was left to gapfinder';
COMMENT ON COLUMN choices.step_name IS 'NVTX range that is one step';
COMMENT ON COLUMN choices.window_all IS 'true for the whole trace as one window';
COMMENT ON COLUMN choices.window_from_step IS 'first step of the window';
COMMENT ON COLUMN choices.window_to_step IS 'last step of the window';
COMMENT ON COLUMN choices.window_from_ns IS 'start of the window, ns since the session began';
COMMENT ON COLUMN choices.window_to_ns IS 'end of the window, ns since the session began';
COMMENT ON COLUMN choices.device IS 'the only GPU to look at';
