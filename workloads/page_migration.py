"""A filter that smooths a signal, block by block, in memory that the CPU fills and the GPU reads.

Fault: the memory is managed, so that its pages move to the GPU and back in each step, one fault after the other.
Fix: the memory is pinned, and each block is copied to the GPU with one call.
Control: the memory is managed, but the CPU fills it once, so that its pages stay on the GPU.
"""

import ctypes
from typing import Any

import torch
from harness import arguments

run = arguments(__file__, __doc__)
length = run.size(1 << 22, 1 << 10)
window = torch.ones(1, 1, 65, device=run.device) / 65


class Managed:
    """Managed memory of CUDA, as an array that torch can read on the GPU."""

    def __init__(self, floats: int) -> None:
        address = ctypes.c_uint64()
        whole_host_and_device = 1
        status = ctypes.CDLL("libcuda.so.1").cuMemAllocManaged(
            ctypes.byref(address), ctypes.c_size_t(4 * floats), whole_host_and_device
        )
        if status:
            raise MemoryError(f"cuMemAllocManaged: CUDA error {status}")
        self.__cuda_array_interface__: dict[str, Any] = {
            "shape": (floats,),
            "typestr": "<f4",
            "data": (address.value, False),
            "version": 3,
        }
        self.on_cpu = torch.frombuffer((ctypes.c_float * floats).from_address(address.value), dtype=torch.float32)


torch.zeros(1, device=run.device)  # creates the CUDA context
if run.on_gpu and not run.fixed:
    managed = Managed(length)
    signal, read = managed.on_cpu, torch.as_tensor(managed, device=run.device)
else:
    signal = torch.zeros(length, pin_memory=run.on_gpu)
    read = torch.zeros(length, device=run.device)
for step in run.loop():
    if step == 0 or not run.control:
        signal.fill_(float(step))  # plants: page_migration
    if run.fixed or not run.on_gpu:
        read.copy_(signal, non_blocking=True)
    for _ in range(8):
        smoothed = torch.conv1d(read.view(1, 1, -1), window)
    run.wait_for_gpu()
