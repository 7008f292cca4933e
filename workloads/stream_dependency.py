"""A server that scales the images of a request on one stream, and embeds and encodes them on another.

Fault: the buffer holds one scaled image, so the streams wait for each other for each of 100 images.
Fix: the buffer holds two requests. One request is embedded as a whole, while the images of the next one are scaled.
Control: the streams wait for each image, but for work of the request before; larger images, and a deeper encoder.
"""

import torch
from harness import arguments
from torch import nn

run = arguments(__file__, __doc__)
cuda = torch.cuda if run.on_gpu else torch.cpu
images = run.size(10 if run.control else 100, 4)
patches, pixels, width = run.size(128_000, 32) // images, run.size(768, 12), run.size(256, 8)
raw = torch.randint(0, 256, (images, patches, pixels), dtype=torch.uint8, device=run.device).unbind()
weight = torch.randn(pixels, width, dtype=torch.bfloat16, device=run.device)
block = (nn.Linear(width, 32 * width, bias=False), nn.ReLU(inplace=True), nn.Linear(32 * width, width, bias=False))
encoder = nn.Sequential(*block * (6 if run.control else 2)).to(run.device, torch.bfloat16).requires_grad_(requires_grad=False)

scaling, encoding = cuda.Stream(), cuda.current_stream()
slots = 2 * images if run.fixed or run.control else 1
scaled = torch.empty(slots, patches, pixels, dtype=torch.bfloat16, device=run.device).unbind()
embedded = torch.empty(images, patches, width, dtype=torch.bfloat16, device=run.device)
embeddings = embedded.unbind()
ready, free = [cuda.Event() for _ in range(slots)], [cuda.Event() for _ in range(slots)]


def scale(image: int, slot: int) -> None:
    """Scale an image to 0..1 when its slot of the buffer is free."""
    scaling.wait_event(free[slot])
    with cuda.stream(scaling):
        torch.mul(raw[image], 1 / 255, out=scaled[slot])
    ready[slot].record(scaling)


def embed(image: int, slot: int) -> None:
    """Embed the patches of an image when it is scaled."""
    encoding.wait_event(ready[slot])  # plants: stream_dependency
    torch.mm(scaled[slot], weight, out=embeddings[image])
    free[slot].record(encoding)


def scale_all(first: int) -> None:
    """Scale a whole request into the slots from `first` on."""
    scaling.wait_event(free[first])
    with cuda.stream(scaling):
        for image in range(images):
            torch.mul(raw[image], 1 / 255, out=scaled[first + image])
    ready[first].record(scaling)


def embed_all(first: int) -> None:
    """Embed the patches of a whole request from the slots from `first` on."""
    encoding.wait_event(ready[first])
    for image in range(images):
        torch.mm(scaled[first + image], weight, out=embeddings[image])
    free[first].record(encoding)


if run.fixed or run.control:
    scale_all(images)  # the first request
    run.wait_for_gpu()
for request in run.loop():
    current, following = (0, images) if request % 2 else (images, 0)
    if run.fixed:
        scale_all(following)
        embed_all(current)
    else:
        for image in range(images):
            scale(image, following + image if run.control else 0)
            embed(image, current + image if run.control else 0)
    encoder(embedded)
