-- One row for each name of a kernel that updates parameters, as far as optimizers have kernels of their own.
-- reads: strings
CREATE TABLE optimizer_kernels AS
SELECT string_id
FROM strings
WHERE regexp_matches(text, 'multi_tensor_apply|adam|sgd|lamb_|adagrad|rmsprop|adafactor|muon|optimizer', 'i');

COMMENT ON TABLE optimizer_kernels IS 'names of kernels that update parameters';
