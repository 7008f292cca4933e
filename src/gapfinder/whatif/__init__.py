"""The answer to a user's what-if: which changes are asked for, what they match in the trace, and what the replay predicts."""
