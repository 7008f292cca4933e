"""The glossary, in each format."""
