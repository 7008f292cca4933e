"""A server that answers requests with an MLP. One thread receives them, and hands each to the thread that launches GPU work.

Fault: the client asks 10 ms after each answer, so that most of the time nobody asks for anything.
Fix: the client asks again at once.
Control: it asks at once, and the weights are so large that the GPU computes nearly all the time.
"""

import queue
import selectors
import socket
import subprocess
import sys
from threading import Thread

import torch
from harness import arguments
from torch import nn

CLIENT = """
import socket, sys, time
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as server:
    while True:
        time.sleep(float(sys.argv[2]))
        server.sendall(b"?")
        if not server.recv(1):
            break
"""

run = arguments(__file__, __doc__)
width = run.size(16384 if run.control else 2048, 16)
layers = [layer for _ in range(8) for layer in (nn.Linear(width, width), nn.ReLU())]
model = nn.Sequential(*layers).to(run.device)
batch = torch.randn(run.size(256, 1), width, device=run.device)
requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()


def receive(connection: socket.socket) -> None:
    """Hand on what the client sends, until the connection ends."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        while selector.select() and (asked := connection.recv(1)):
            requests.put(asked)


pause_s = 0.0 if run.fixed or run.control else 0.01
with socket.create_server(("127.0.0.1", 0)) as server:
    client = subprocess.Popen([sys.executable, "-c", CLIENT, str(server.getsockname()[1]), str(pause_s)])
    connection, _ = server.accept()
Thread(target=receive, args=(connection,), daemon=True).start()
with connection, torch.no_grad():
    for _ in run.loop():
        requests.get()  # plants: no_demand
        model(batch)
        run.wait_for_gpu()
        connection.sendall(b"!")
    connection.shutdown(socket.SHUT_RDWR)
client.wait()
