-- Macro `gpu_of`: the physical GPU behind the CUDA ordinal `device` of the process in a globalPid.
-- reads: gpu_ordinals, pid_of
CREATE MACRO gpu_of(global_pid, device) AS coalesce(
    (SELECT o.gpu FROM gpu_ordinals AS o WHERE o.pid = pid_of(global_pid) AND o.cuda_device = device), device
);
