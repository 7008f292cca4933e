"""Gates: conditions such as `lost>20%` that fail a command."""
