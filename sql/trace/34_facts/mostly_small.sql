-- Whether copies of less than 1 MB take half of the time of all. To move 1 MB over PCIe takes 20 to 40 us, as long as a few calls
-- do: what starts such copies costs as much as what they move.
CREATE MACRO mostly_small(bytes, length_ns) AS sum(CASE WHEN bytes < 1000000 THEN length_ns ELSE 0 END) >= 0.5 * sum(length_ns);
