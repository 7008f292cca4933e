"""From the tables of a trace to its relations: the SQL files, what each reads, and the runner that makes them on demand."""
