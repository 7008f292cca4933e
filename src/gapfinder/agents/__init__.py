"""Serves a folder of traces to agents: programs that ask questions in turn, over the Model Context Protocol."""
