"""Renderers: `render/<what>/<format>.py` shows one kind of result in one format."""
