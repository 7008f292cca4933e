"""`gapfinder workload`."""

import subprocess
from functools import partial
from pathlib import Path

import click

from gapfinder.cli.options import format_option
from gapfinder.cli.output import write
from gapfinder.errors import CaptureError, UsageError
from gapfinder.render import renderer

UNPROVED = 1


@click.group()
def workload() -> None:
    """Programs with a planted fault: list them, run them, prove that the fault is found and its fix helps."""


@workload.command("list")
def list_() -> None:
    """Name the workloads, each with the cause that it plants."""
    from gapfinder.workload.scripts import found

    for each in found():
        click.echo(f"{each.name:20s}{each.summary}" + (f" Needs {each.gpus} GPUs." if each.gpus > 1 else ""))


@workload.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("name")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def run(ctx: click.Context, /, name: str, arguments: tuple[str, ...]) -> None:
    """Run the workload NAME with its own ARGUMENTS: --fixed, --control, --steps N, --device cpu."""
    from gapfinder.workload.scripts import named

    ctx.exit(subprocess.run(named(name).command("faulty", *arguments), check=False).returncode)


@workload.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--all", "all_", is_flag=True, help="All workloads that this machine has GPUs for.")
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), help="Keep the reports in this folder.")
@click.option(
    "--kept",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Record nothing: diagnose what --keep left in this folder, or exports of it.",
)
@format_option("proof")
@click.pass_context
def prove(
    ctx: click.Context, /, names: tuple[str, ...], *, all_: bool, keep: Path | None, kept: Path | None, format_: str
) -> None:
    """Record and diagnose each workload with its fault, with its fix, and with a harmless look-alike.

    Ends with status 1 where a verdict is wrong, a fix brings less than 1.1 times, or a control has a finding.
    """
    from gapfinder.ingest.nsys.report import must_find
    from gapfinder.units import count
    from gapfinder.workload.prove import prove as prove_one
    from gapfinder.workload.prove import prove_kept
    from gapfinder.workload.scripts import found, gpus_here, named

    if not names and not all_:
        raise UsageError("name a workload, or give --all; `gapfinder workload list` names them")
    chosen = [named(name) for name in names] or found()
    if kept:
        proofs = [prove_kept(each, kept) for each in chosen]
    else:
        must_find()
        gpus = gpus_here()
        if all_:
            chosen = [each for each in chosen if each.gpus <= max(gpus, 1)]
        for each in chosen:
            if each.gpus > gpus:
                needed = count(each.gpus, "CUDA GPU")
                raise CaptureError(f"{each.name} needs {needed}, and torch finds {gpus} here: prove it where there are as many")
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        proofs = [prove_one(each, keep, lambda line: click.echo(line, err=True)) for each in chosen]
    write(partial(renderer("proof", format_).render, proofs), None)
    doubts = [f"{proof.workload.name}: {'; '.join(proof.doubts())}" for proof in proofs if proof.doubts()]
    for doubt in doubts:
        click.echo(f"gapfinder: not proved: {doubt}", err=True)
    ctx.exit(UNPROVED if doubts else 0)
