-- Whether regimes of this kind are made of steps; else each of them counts as one.
CREATE MACRO is_steps(kind) AS kind IN ('steps', 'asked', 'everything');
