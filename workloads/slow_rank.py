"""A CNN on two GPUs. Each GPU has half of the images.

Fault: the images of rank 1 are compressed, and its training thread decompresses them.
Rank 0 waits for it in each step.
Fix: eight workers decompress the images in advance.
Control: rank 1 has only a few compressed images, and they are ready before the GPU finishes the step before.
"""
# needs: 2 GPUs

import zlib

import torch
from harness import Run, arguments, image_classifier
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset


class Images(Dataset[torch.Tensor]):
    """The same few images again and again, in place of a large data set. The first `compressed` of them are compressed."""

    def __init__(self, count: int, side: int, compressed: int) -> None:
        self.shape = (3, side, side)
        self.ready = [torch.randint(0, 24, self.shape, dtype=torch.uint8) for _ in range(count)]
        self.files = [zlib.compress(bytes(image.flatten().tolist())) for image in self.ready[:compressed]]

    def __len__(self) -> int:
        return 1_000_000

    def __getitem__(self, index: int) -> torch.Tensor:
        index %= len(self.ready)
        if index >= len(self.files):
            return self.ready[index]
        pixels = zlib.decompress(self.files[index])  # plants: input_pipeline on rank 1
        return torch.frombuffer(bytearray(pixels), dtype=torch.uint8).view(self.shape)


def train(run: Run) -> None:
    """Train on one rank."""
    batch_size = run.size(32, 4)
    model = DistributedDataParallel(image_classifier(run.size(96, 4)).to(run.device))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    compressed = (batch_size // 16 if run.control else batch_size) if run.rank == 1 else 0
    images = Images(batch_size, run.size(256, 16), compressed)
    loader = DataLoader(images, batch_size, num_workers=run.size(8, 2) if run.fixed else 0, pin_memory=run.on_gpu)
    for batch in run.loop(loader):
        pixels = batch.to(run.device, non_blocking=True).float() / 255
        loss = model(pixels).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    arguments(__file__, __doc__).ranks(train, 2)
