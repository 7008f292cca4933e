-- Macro `is_xla_loop`: whether NVTX names of XLA tell of a while loop, whose condition is read back before each iteration.
CREATE MACRO is_xla_loop(names) AS regexp_matches(names, 'Thunk( |:#(name=|hlo_op=)?)while');
