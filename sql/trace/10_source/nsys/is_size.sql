-- Macro `is_size`: whether so many bytes can be copied or set in so many ns: more than none, and up to 100 TB/s. The most in 60
-- sound traces is 4.3 TB/s, on an H200; none of 243 has a copy or memset of no bytes. A length of less than 1 us counts as 1 us.
CREATE MACRO is_size(bytes, length_ns) AS bytes > 0 AND bytes / greatest(length_ns, 1000) <= 100000;
