"""Gates: what a user forbids of a trace, as `lost>20%`; whether it is so; and what to say of it."""
