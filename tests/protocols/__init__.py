"""Other people's engines."""
