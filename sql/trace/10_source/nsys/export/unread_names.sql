-- CUDA calls that only ask a question: they neither submit work nor wait for it, so the time in them is
-- ordinary CPU time. PyTorch makes one before every launch, which is half the rows of the largest table.
CREATE VIEW export.unread_names AS
SELECT id
FROM export.StringIds
WHERE regexp_matches(
    value,
    '^(cuKernelGetName|cuGetProcAddress|cu(da)?StreamIsCapturing|cu(da)?StreamGetCaptureInfo'
    || '|cudaThreadExchangeStreamCaptureMode|cudaGetFuncBySymbol|cudaGetDevice|cudaGetLastError'
    || '|cudaPeekAtLastError|cuCtxGet|cuPointerGet|cudaPointerGet|cudaFuncGetAttributes|cudaDeviceGet)'
);
