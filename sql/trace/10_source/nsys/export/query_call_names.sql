-- The names of CUDA calls that only ask a question. They neither submit work nor wait for it, so the time in them is ordinary
-- CPU time, and they are not read. PyTorch makes one before every launch: that is half of the rows of the largest table.
CREATE VIEW export.query_call_names AS
SELECT id
FROM export.StringIds
WHERE
    id IS NOT NULL
    AND regexp_matches(
        value,
        '^(cuKernelGetName|cuGetProcAddress|cu(da)?StreamIsCapturing|cu(da)?StreamGetCaptureInfo'
        || '|cudaThreadExchangeStreamCaptureMode|cudaGetFuncBySymbol|cudaGetDevice|cudaGetLastError'
        || '|cudaPeekAtLastError|cuCtxGet|cuPointerGet|cudaPointerGet|cudaFuncGetAttributes|cudaDeviceGet)'
    );
