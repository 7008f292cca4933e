"""Programs with a planted fault, and the proof that gapfinder finds it and that its fix helps."""
