-- Macro `microseconds`: a time as the Chrome trace format writes it, in microseconds with three decimals, so that no nanosecond
-- is lost.
CREATE MACRO microseconds(ns) AS format('{:d}.{:03d}', ns // 1000, ns % 1000);
