"""What the fuzzer and the damage list found, each as small as it can be.

Every one was a traceback, a wrong ledger, a clean bill, or said nothing of the damage.
"""

import pytest
from outcome import assert_not_healthy
from samples import altered, altered_copy
from traces import FIXTURES
from variations import some

FINDS = {
    "a difference with the least number": 'UPDATE NVTX_EVENTS SET "start" = -9223372036854775808 WHERE rowid = 5',
    "GPUs that are none": "UPDATE TARGET_INFO_CUDA_DEVICE SET gpuId = -1",  # ended as wrong usage
    "a device below 0 took the numbers of other gaps": "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = -1 WHERE rowid = 3",
    "activities from the beginning on covered every gap": 'UPDATE CUPTI_ACTIVITY_KIND_GRAPH_TRACE SET "start" = -1',
    "kernels from text are kernels from 0 on": "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET \"start\" = 'x'",
    "a sample of half a JSON": "UPDATE NVTX_EVENTS SET jsonText = '{\"Python Periodic Sampling\":{' WHERE jsonText IS NOT NULL",
    "a sample whose frames hold other types": """
        UPDATE NVTX_EVENTS SET jsonText = '{"Python Periodic Sampling":{"Frames":[{"File":"x","Line":{}},7]}}'
        WHERE jsonText IS NOT NULL
    """,
    "copies counted twice": "INSERT INTO ENUM_CUDA_MEMCPY_OPER SELECT * FROM ENUM_CUDA_MEMCPY_OPER",
    "calls without names": "DELETE FROM StringIds WHERE id > 3",
}


@pytest.mark.parametrize("statement", some(2, FINDS.values()), ids=FINDS)
def test_statement_that_fuzzing_found_does_no_harm(tmp_path, statement):
    assert_not_healthy(altered(tmp_path, statement))


def test_ranks_whose_only_common_step_has_no_length(tmp_path):
    """Copies that lie elsewhere leave no time that the ranks share: it was divided by."""
    moved = 'UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET "start" = 2 * "start", "end" = 2 * "end"'
    assert_not_healthy(altered_copy(FIXTURES / "tensor_parallel.sqlite", tmp_path, moved))
