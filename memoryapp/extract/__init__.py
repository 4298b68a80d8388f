"""Facts out of turns: built-in rules, an LLM, or a remote memory server."""
