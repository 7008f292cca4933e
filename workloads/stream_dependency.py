"""A server that scales the images of a request on one stream, then embeds and encodes them on another.

Fault: there is room for one scaled image, so the streams wait for each other with each of a hundred.
Fix: there is room for two requests: one is handed over as a whole, while the images of the next are scaled.
Control: the streams wait with each image too, but for what was done a request before; larger images, and a deep encoder.
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
encoder = nn.Sequential(*block * (6 if run.control else 1)).to(run.device, torch.bfloat16).requires_grad_(requires_grad=False)

scaling, encoding = cuda.Stream(), cuda.current_stream()
rooms = 2 * images if run.fixed or run.control else 1
scaled = torch.empty(rooms, patches, pixels, dtype=torch.bfloat16, device=run.device).unbind()
embedded = torch.empty(images, patches, width, dtype=torch.bfloat16, device=run.device)
embeddings = embedded.unbind()
ready, free = [cuda.Event() for _ in range(rooms)], [cuda.Event() for _ in range(rooms)]


def scale(image: int, room: int) -> None:
    """Scale an image to 0..1, once the room for it is free."""
    scaling.wait_event(free[room])
    with cuda.stream(scaling):
        torch.mul(raw[image], 1 / 255, out=scaled[room])
    ready[room].record(scaling)


def embed(image: int, room: int) -> None:
    """Embed the patches of an image, once it is scaled."""
    encoding.wait_event(ready[room])  # plants: stream_dependency
    torch.mm(scaled[room], weight, out=embeddings[image])
    free[room].record(encoding)


def scale_all(first: int) -> None:
    """Scale a whole request into the rooms from the first on."""
    scaling.wait_event(free[first])
    with cuda.stream(scaling):
        for image in range(images):
            torch.mul(raw[image], 1 / 255, out=scaled[first + image])
    ready[first].record(scaling)


def embed_all(first: int) -> None:
    """Embed the patches of a whole request."""
    encoding.wait_event(ready[first])
    for image in range(images):
        torch.mm(scaled[first + image], weight, out=embeddings[image])
    free[first].record(encoding)


if run.fixed or run.control:
    scale_all(images)  # the first request
    run.wait_for_gpu()
for request in run.loop():
    mine, others = (0, images) if request % 2 else (images, 0)
    if run.fixed:
        scale_all(others)
        embed_all(mine)
    else:
        for image in range(images):
            scale(image, others + image if run.control else 0)
            embed(image, mine + image if run.control else 0)
    encoder(embedded)
