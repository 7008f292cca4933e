-- Whether a regime of this kind is made of steps; else each of its stretches counts as one.
CREATE MACRO is_steps(kind) AS kind IN ('steps', 'asked', 'everything');
