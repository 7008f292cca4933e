"""An MLP in two stages on two GPUs, which exchange activations and gradients of micro-batches (GPipe).

Fault: the batch is split into two micro-batches. Each stage waits for the other during a third of the step.
Fix: the same batch is split into sixteen. Each stage waits only for the first and the last micro-batch.
Control: a larger batch in 64 micro-batches, with the small bubble that every pipeline has.
"""
# needs: 2 GPUs

import torch
from harness import Run, arguments
from torch import distributed, nn

FIRST, LAST = 0, 1


def train(run: Run) -> None:
    """Train one stage, on one rank."""
    torch.set_float32_matmul_precision("high")
    width = run.size(4096, 16)
    layers = [layer for _ in range(4) for layer in (nn.Linear(width, width, bias=False), nn.ReLU())]
    # the weights of LayerNorm make the first stage compute as many gradients as the last stage
    stage = nn.Sequential(nn.LayerNorm(width), *layers).to(run.device)
    optimizer = torch.optim.SGD(stage.parameters(), lr=1e-3)
    most_parts = run.size(64 if run.control else 16, 4)
    parts = most_parts if run.fixed or run.control else 2  # plants: pipeline_bubble
    batch = torch.randn(run.size(4096, 1) * most_parts, width, device=run.device).chunk(parts)
    for _ in run.loop():
        if run.rank == FIRST:
            first_stage(stage, batch)
        else:
            last_stage(stage, batch)
        optimizer.step()
        optimizer.zero_grad()


def first_stage(stage: nn.Module, batch: tuple[torch.Tensor, ...]) -> None:
    """Send the activations of each micro-batch; then run its backward pass when its gradients arrive."""
    activations, sent = [], []
    for part in batch:
        activations.append(stage(part))
        sent.append(distributed.isend(activations[-1].detach(), LAST))
    gradients, received = receive(batch, LAST)
    for activation, gradient, arrival in zip(activations, gradients, received, strict=True):
        arrival.wait()
        activation.backward(gradient)
    wait(sent)


def last_stage(stage: nn.Module, batch: tuple[torch.Tensor, ...]) -> None:
    """Run the forward pass when activations arrive; then send back the gradients of each micro-batch."""
    inputs, received = receive(batch, FIRST)
    losses = []
    for part, arrival in zip(inputs, received, strict=True):
        arrival.wait()
        losses.append(stage(part.requires_grad_()).mean() / len(batch))
    sent = []
    for part, loss in zip(inputs, losses, strict=True):
        loss.backward()
        sent.append(distributed.isend(part.grad, FIRST))
    wait(sent)


def receive(batch: tuple[torch.Tensor, ...], stage: int) -> tuple[list[torch.Tensor], list[distributed.Work]]:
    """Start to receive all micro-batches from the other stage; returns the buffers and the transfers."""
    buffers = [torch.empty_like(part) for part in batch]
    return buffers, [distributed.irecv(buffer, stage) for buffer in buffers]


def wait(sent: list[distributed.Work]) -> None:
    """Wait until everything is sent. On a GPU the stream waits, and the CPU does not."""
    for work in sent:
        work.wait()


if __name__ == "__main__":
    arguments(__file__, __doc__).ranks(train, 2)
