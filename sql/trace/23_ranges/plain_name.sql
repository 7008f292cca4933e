-- The name of an NVTX range without the parts that change from one run of it to the next: numbers that count calls
-- (`seq = 12, op_id = 3`), ids that a compiler gave (`program_id=70208`), and the epoch of a step (`epoch 0, step 3`). XLA's
-- ranges hold attributes between `#` signs; what is left of them is the kind of the range and the name of what it runs:
-- `XlaModule jit_step`.
CREATE MACRO plain_name(name) AS
trim(regexp_replace(
    regexp_replace(
        regexp_replace(
            name,
            ',?\s*\b(seq|op_id|input_op_ids|sizes|unique_hlo_op_id|program_id|run_id|correlation_id)\s*=\s*(\[[^>]*\]|[^,#>]*)',
            '',
            'g'
        ),
        '^(\w+):#(?:name=[^,#]*,)?(?:\w+=)?([^,#]*)[^#]*#$', '\1 \2'
    ),
    '^epochs?[ _#:=-]*\d+(?:/\d+)?[ _,:;|/-]+([a-z].*\d)$', '\1', 'i'
));
