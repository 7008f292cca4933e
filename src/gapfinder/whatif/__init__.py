"""A user's own what-if: what they ask, what of the trace it means, and what the replay answers."""
