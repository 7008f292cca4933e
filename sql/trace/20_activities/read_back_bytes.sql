-- Up to which size a copy holds values to look at, and no tensor to compute with, in bytes.
--
-- 64 KB: a loss or a token is far smaller, a tensor to keep is larger.
CREATE MACRO read_back_bytes() AS 65536;
