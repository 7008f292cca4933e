"""A CNN that trains on compressed images.

Fault: the training thread decompresses the images, with DataLoader(num_workers=0).
The GPU waits for each batch.
Fix: eight workers decompress the images in advance, into pinned memory.
Control: num_workers=0, but the images are in memory and not compressed, so that a batch is made quickly.
"""

import zlib

import torch
from harness import arguments, image_classifier
from torch.utils.data import DataLoader, Dataset

run = arguments(__file__, __doc__)
side = run.size(256, 16)
batch_size = run.size(32, 4)
shape = (3, side, side)


class Images(Dataset[torch.Tensor]):
    """The same few images again and again, in place of the files of a large data set."""

    def __init__(self) -> None:
        images = [torch.randint(0, 24, shape, dtype=torch.uint8) for _ in range(batch_size)]
        self.ready = images if run.control else []
        self.files = [zlib.compress(bytes(image.flatten().tolist())) for image in images]

    def __len__(self) -> int:
        return 1_000_000

    def __getitem__(self, index: int) -> torch.Tensor:
        if run.control:
            return self.ready[index % batch_size]
        pixels = zlib.decompress(self.files[index % batch_size])  # plants: input_pipeline
        return torch.frombuffer(bytearray(pixels), dtype=torch.uint8).view(shape)


model = image_classifier(run.size(64, 4)).to(run.device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
workers = run.size(8, 2) if run.fixed else 0
loader = DataLoader(Images(), batch_size, num_workers=workers, pin_memory=run.on_gpu and (run.fixed or run.control))

for images in run.loop(loader):
    pixels = images.to(run.device, non_blocking=True).float() / 255
    loss = model(pixels).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
