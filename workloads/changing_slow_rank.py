"""A transformer on two GPUs that reads documents, some of them long; its CPU is at most one step ahead of the GPU.

Fault: the training thread looks up all words of a document. The ranks take turns to get a long document.
Fix: four workers look up the words in advance.
Control: as many long documents, but each is cut to the length that the model takes before the words are looked up.
"""
# needs: 2 GPUs

from collections.abc import Callable

import torch
from harness import Run, arguments
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset

VOCABULARY = {str(number): number for number in range(4096)}


class Documents(Dataset[torch.Tensor]):
    """The same short document again and again, in place of a large data set.

    In every second step one rank has a long document in its batch; the ranks take turns.
    """

    def __init__(self, run: Run, batch_size: int) -> None:
        self.words, self.cut = run.size(512, 8), run.control
        self.short, self.long = " ".join([*VOCABULARY][: self.words]), " ".join([*VOCABULARY] * run.size(80, 1))
        self.period, self.first = 2 * batch_size * distributed.get_world_size(), 2 * batch_size * run.rank

    def __len__(self) -> int:
        return 1_000_000

    def __getitem__(self, index: int) -> torch.Tensor:
        document = self.long if index % self.period == self.first else self.short
        words = document.split(maxsplit=self.words)[: self.words] if self.cut else document.split()
        tokens = [VOCABULARY.get(word, 0) for word in words]  # plants: input_pipeline
        return torch.tensor(tokens[: self.words])


def wait_for_launched(run: Run) -> Callable[[], None]:
    """A function that waits for everything that was launched so far, and for nothing that is launched later."""
    if not run.on_gpu:
        return lambda: None
    event = torch.cuda.Event()
    event.record()
    return event.synchronize


def train(run: Run) -> None:
    """Train on one rank."""
    torch.set_float32_matmul_precision("high")
    width, batch_size = run.size(1536, 16), run.size(32, 2)
    block = nn.TransformerEncoderLayer(width, run.size(16, 2), 4 * width, dropout=0.0, batch_first=True)
    model = DistributedDataParallel(nn.Sequential(nn.Embedding(len(VOCABULARY), width), block).to(run.device))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    workers = run.size(4, 2) if run.fixed else 0
    loader = DataLoader(Documents(run, batch_size), batch_size, num_workers=workers, pin_memory=run.on_gpu)
    wait_for_last_step = wait_for_launched(run)
    for batch in run.loop(loader):
        loss = model(batch.to(run.device, non_blocking=True)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        wait_for_last_step()
        wait_for_last_step = wait_for_launched(run)


if __name__ == "__main__":
    arguments(__file__, __doc__).ranks(train, 2)
