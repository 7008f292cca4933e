"""From the ledger to what a person reads: the verdict, the evidence, the notes."""
