"""Other people's engines: Riverboat's bots at their tables, their players at ours."""
