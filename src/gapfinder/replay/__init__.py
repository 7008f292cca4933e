"""What the step would take without a cause: the window replayed, with something changed."""
