-- Macro `marker_order`: in which place a marker of launch_intervals is tried, from 1 on.
CREATE MACRO marker_order(marker) AS
list_position(['kernel', 'first layer', 'read-back', 'input', 'stream call', 'wait', 'launch', 'loop'], marker);
