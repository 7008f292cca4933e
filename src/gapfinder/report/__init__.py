"""The report: one page that opens offline, with the diagnosis, each step's ledger and the timelines of the steps that matter."""
