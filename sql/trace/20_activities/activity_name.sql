-- What to call an activity, by the name of its kernel or the direction of its copy. A CUDA graph that was traced as a whole has
-- neither.
CREATE MACRO activity_name(kernel, direction) AS
coalesce(kernel, direction || CASE WHEN direction = 'Memset' THEN '' ELSE ' copy' END, 'CUDA graph');
