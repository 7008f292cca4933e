"""Gates: what a user forbids, as `lost>20%`, and whether it is so."""
