"""Session contexts: the blocks of a session's system prompt, and the tools that follow from them."""
