"""Redaction: an SQLite export that can be shared. It has what a diagnosis needs, and nothing about the machine or its user."""
