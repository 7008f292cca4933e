"""`gapfinder workload`."""

import subprocess
from functools import partial
from pathlib import Path

import click

from gapfinder.cli import completion
from gapfinder.cli.options import format_option
from gapfinder.cli.output import page, write
from gapfinder.cli.paths import NamedPath
from gapfinder.errors import CaptureError, UsageError
from gapfinder.render import renderer

UNPROVED = 1


@click.group()
def workload() -> None:
    """Programs with a planted fault: list them, run them, and prove that gapfinder finds the fault and that its fix helps."""


@workload.command("list")
def list_() -> None:
    """List the workloads with their first sentence."""
    from gapfinder.workload.scripts import all_workloads

    needs = {each: f" Needs {each.gpus} GPUs." if each.gpus > 1 else "" for each in all_workloads()}
    page("".join(f"{each.name:20s}{each.summary}{more}\n" for each, more in needs.items()))


@workload.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("name", shell_complete=completion.workloads)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def run(ctx: click.Context, /, name: str, arguments: tuple[str, ...]) -> None:
    """Run the workload NAME. Its ARGUMENTS are --fixed, --control, --steps N and --device cpu."""
    from gapfinder.workload.scripts import check_torch, workload_named

    named = workload_named(name)
    check_torch()
    ctx.exit(subprocess.run(named.command("faulty", *arguments), check=False).returncode)


@workload.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.workloads)
@click.option("--all", "all_", is_flag=True, help="All workloads that this machine has GPUs for.")
@click.option("--keep", type=NamedPath(file_okay=False), help="Keep the reports in this folder.")
@click.option(
    "--kept",
    type=NamedPath(file_okay=False, exists=True),
    help="Record nothing; diagnose the reports that --keep left in this folder, or exports of them.",
)
@format_option("proof")
@click.pass_context
def prove(
    ctx: click.Context, /, names: tuple[str, ...], *, all_: bool, keep: Path | None, kept: Path | None, format_: str
) -> None:
    """Record and diagnose each workload three times: with its fault, with its fix, and with a harmless look-alike.

    The exit status is 1 if a verdict is wrong, a fix makes the step less than 1.1 times as fast, or a control has a finding.
    """
    from gapfinder.ingest.nsys.report import require
    from gapfinder.units import count
    from gapfinder.workload.prove import prove as prove_one
    from gapfinder.workload.prove import prove_kept
    from gapfinder.workload.scripts import all_workloads, count_gpus, workload_named

    if not names and not all_:
        raise UsageError("name a workload, or give --all; `gapfinder workload list` names them")
    chosen = [workload_named(name) for name in names] or all_workloads()
    if kept:
        proofs = [prove_kept(each, kept) for each in chosen]
    else:
        require()
        gpus = count_gpus()
        if all_:
            chosen = [each for each in chosen if each.gpus <= max(gpus, 1)]
        for each in chosen:
            if each.gpus > gpus:
                needed = count(each.gpus, "CUDA GPU")
                raise CaptureError(f"{each.name} needs {needed}, and torch finds {gpus}: prove it on a machine with enough GPUs")
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        proofs = [prove_one(each, keep, lambda line: click.echo(line, err=True)) for each in chosen]
    write(partial(renderer("proof", format_).render, proofs), None)
    failures = [f"{proof.workload.name}: {'; '.join(proof.failures())}" for proof in proofs if proof.failures()]
    for failure in failures:
        click.echo(f"gapfinder: not proved: {failure}", err=True)
    ctx.exit(UNPROVED if failures else 0)
