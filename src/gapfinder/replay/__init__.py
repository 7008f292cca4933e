"""A replay of the trace, which predicts the step without a cause."""
