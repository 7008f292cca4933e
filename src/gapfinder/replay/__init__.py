"""Replays a trace with a change, to predict the time of a step without a cause."""
