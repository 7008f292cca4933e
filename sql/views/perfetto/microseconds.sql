-- An event of a track as the Chrome trace format writes it, less its track and its braces. Times are numbers of microseconds
-- with three decimals, so that no nanosecond is lost.
CREATE MACRO microseconds(ns) AS format('{:d}.{:03d}', ns // 1000, ns % 1000);
