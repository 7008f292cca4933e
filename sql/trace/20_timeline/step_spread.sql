-- By how much the number of activities of a step may differ from the usual, as a share of it.
--
-- 3 %: the last step of an epoch reads fewer values back. Where twice as many are too many, they belong to something that comes
-- between two steps, as a log or a validation.
CREATE MACRO step_spread() AS 0.03;
