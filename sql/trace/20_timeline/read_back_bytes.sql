-- Up to which size a copy from the GPU is read back to be looked at, in bytes.
--
-- 64 KB: a loss or a token is far smaller, a tensor to keep is larger.
CREATE MACRO read_back_bytes() AS 65536;
