-- By how much the number of activities of a step may differ from the usual, as a share of it.
--
-- 3 %: the last step of an epoch reads fewer values back.
CREATE MACRO step_spread() AS 0.03;
