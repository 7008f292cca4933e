-- From which size on a copy holds more than a scalar, and may be a batch, in bytes.
--
-- 4 KB: a batch of token ids is larger, a scalar or a seed is smaller.
CREATE MACRO batch_bytes() AS 4096;
